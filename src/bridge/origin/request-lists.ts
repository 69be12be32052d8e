import { isRecord } from '../../contract/records.ts';
import { type RequestList, REQUESTS_CHANNEL } from '../../protocol/page/privacy-facts.ts';

/** @param ofPage  the page's own list @param onList  told each list, those of the workers of all tabs too */
export function collectRequestLists(
  ofPage: () => RequestList,
  onList: (list: RequestList) => void,
  channel: Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'> = new BroadcastChannel(REQUESTS_CHANNEL),
) {
  channel.onmessage = ({ data }: MessageEvent) => {
    if (isList(data)) onList(data);
  };
  return {
    /** Each list that comes is passed to `onList`; a worker that computes answers when it pauses. */
    poll() {
      onList(ofPage());
      channel.postMessage('requests?');
    },
    close: () => channel.close(),
  };
}

/** Other pages of the origin may use the channel as well. */
function isList(data: unknown): data is RequestList {
  if (!isRecord(data)) return false;
  const { id, by, requests, refused } = data;
  return typeof id === 'string' && typeof by === 'string' && Array.isArray(requests) && Array.isArray(refused);
}
