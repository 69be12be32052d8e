/** The name under which our server announces its bridge in `Server-Timing`; see `server/serve.mjs`. */
const ANNOUNCEMENT = 'lightwell-bridge';

/**
 * Whether the page came from a server with a bridge. Told by a header of the page's own answer, because asking a
 * static host for something it does not have would put an error into the console.
 */
export function hasBridge({ performance }: Pick<typeof globalThis, 'performance'> = globalThis): boolean {
  const entries = performance.getEntriesByType('navigation');
  return entries.some(
    (entry) =>
      entry instanceof PerformanceNavigationTiming && entry.serverTiming.some(({ name }) => name === ANNOUNCEMENT),
  );
}
