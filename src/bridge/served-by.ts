import { BRIDGE_ANNOUNCEMENT } from '../protocol/line.ts';

/**
 * Whether the page came from a server with a bridge. Told by a header of the page's own answer, because asking a
 * static host for something it does not have would put an error into the console.
 */
export function hasBridge({ performance }: Pick<typeof globalThis, 'performance'> = globalThis): boolean {
  const entries = performance.getEntriesByType('navigation');
  return entries.some(
    (entry) =>
      entry instanceof PerformanceNavigationTiming &&
      entry.serverTiming.some(({ name }) => name === BRIDGE_ANNOUNCEMENT),
  );
}
