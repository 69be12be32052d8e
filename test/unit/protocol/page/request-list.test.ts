import { describe, expect, it, vi } from 'vitest';
import { listRequests, requestFacts, type RequestScope } from '../../../../src/protocol/page/privacy-facts.ts';
import { collectRequestLists } from '../../../../src/bridge/origin/request-lists.ts';
import { reportRequests } from '../../../../workers/serving/liveness.ts';

const entry = (name: string, transferSize: number, workerStart = 0) => ({
  name,
  transferSize,
  workerStart,
  decodedBodySize: 100,
});

/** A worker, or a window, that has asked for these. */
function scopeOf(resources: readonly object[], navigation: readonly object[] = []) {
  let refuse: (event: { readonly blockedURI: string }) => void = () => undefined;
  const setResourceTimingBufferSize = vi.fn();
  const lists: Readonly<Record<string, readonly object[]>> = { navigation, resource: resources };
  const scope: RequestScope = {
    performance: {
      getEntriesByType: (type) => (lists[type] ?? []) as PerformanceEntryList,
      setResourceTimingBufferSize,
    },
    addEventListener: (_type, listener) => void (refuse = listener),
  };
  return { scope, setResourceTimingBufferSize, refuse: (blockedURI: string) => refuse({ blockedURI }) };
}

describe('requestFacts', () => {
  it.each([
    ['the network', entry('a', 400), 'network'],
    ['the network, through the service worker', entry('a', 400, 5), 'network'],
    ['the browser’s cache', entry('a', 0), 'cache'],
    ['the kept files', entry('a', 0, 5), 'kept'],
  ])('tells what came from %s', (_name, one, from) => expect(requestFacts(one).from).toBe(from));
});

describe('the lists of page and workers', () => {
  it('hold the document, all that came after it, and what was refused', () => {
    const { scope, setResourceTimingBufferSize, refuse } = scopeOf([entry('b', 1)], [entry('a', 2)]);
    const list = listRequests(scope, 'page');
    refuse('https://other.example/');
    expect(setResourceTimingBufferSize).toHaveBeenCalledWith(10_000); // browsers list 250
    expect(list()).toMatchObject({ by: 'page', refused: ['https://other.example/'] });
    expect(list().requests.map(({ url }) => url)).toEqual(['a', 'b']);
  });

  it('come from every worker that is asked, each under a name of its own', async () => {
    const name = `test ${Math.random()}`;
    const channels = Array.from({ length: 3 }, () => new BroadcastChannel(name));
    const [asking, first, second] = channels as [BroadcastChannel, BroadcastChannel, BroadcastChannel];
    reportRequests(scopeOf([entry('x', 1)]).scope, 'inference', first);
    reportRequests(scopeOf([entry('y', 1)]).scope, 'inference', second);
    const heard: { id: string; by: string }[] = [];
    const page = listRequests(scopeOf([]).scope, 'page');
    const watching = collectRequestLists(page, (list) => heard.push(list), asking);
    watching.poll();
    second.postMessage({ strange: true }); // of another page of the origin
    await vi.waitFor(() => expect(heard.map(({ by }) => by)).toEqual(['page', 'inference', 'inference']));
    expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
    for (const channel of channels) channel.close();
  });
});
