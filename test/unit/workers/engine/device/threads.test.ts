import { expect, it } from 'vitest';
import { threadsOf } from '../../../../../workers/engine/session/browser-runtime.ts';

it.each([
  ['an isolated page has as many as cores', true, true, 2, 2, '2 of 2 cores'],
  ['but at most four', true, true, 16, 4, '4 of 16 cores'],
  ['a page that is not isolated has one', false, true, 8, 1, 'one thread: the page is not cross-origin isolated'],
  ['an isolated page without shared memory has one', true, false, 8, 1, /SharedArrayBuffer/],
] as const)('%s', (_, crossOriginIsolated, isShared, cores, threads, reason) => {
  const scope = { crossOriginIsolated, ...(isShared && { SharedArrayBuffer }) };
  const found = threadsOf(scope, cores);
  expect(found.threads).toBe(threads);
  expect(found.threadReason).toMatch(reason);
});
