import { type RequestList, REQUESTS_CHANNEL } from '../../protocol/page/request-list.ts';

/** Asks for lists of requests. */
export interface RequestLists {
  /** Each list that comes is told; a worker that computes answers when it pauses. */
  poll(): void;
  close(): void;
}

/**
 * @param ofPage  the page's own list
 * @param onList  told each list; those of the workers of all tabs of the app are among them
 */
export function collectRequestLists(
  ofPage: () => RequestList,
  onList: (list: RequestList) => void,
  channel: Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'> = new BroadcastChannel(REQUESTS_CHANNEL),
): RequestLists {
  channel.onmessage = ({ data }: MessageEvent) => {
    if (isList(data)) onList(data);
  };
  return {
    poll() {
      onList(ofPage());
      channel.postMessage('requests?');
    },
    close: () => channel.close(),
  };
}

/** Other pages of the origin may use the channel as well. */
function isList(data: unknown): data is RequestList {
  if (typeof data !== 'object' || data === null) return false;
  const { id, by, requests, refused } = data as Partial<Record<keyof RequestList, unknown>>;
  return typeof id === 'string' && typeof by === 'string' && Array.isArray(requests) && Array.isArray(refused);
}
