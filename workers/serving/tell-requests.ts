import { listRequests, REQUESTS_CHANNEL, type Requesting } from '../../src/protocol/page/request-list.ts';

/** Tells a page that asks what this worker has asked the network for. */
export function tellRequests(
  scope: Requesting,
  by: string,
  channel: Pick<BroadcastChannel, 'onmessage' | 'postMessage'> = new BroadcastChannel(REQUESTS_CHANNEL),
): void {
  const list = listRequests(scope, by);
  channel.onmessage = ({ data }: MessageEvent) => {
    if (typeof data === 'string') channel.postMessage(list()); // a page asks; other workers' lists come here too
  };
}
