/**
 * Whether the server that the page came from says that it has something: an entry of that name in the header `Server-Timing`
 * of the page's own answer. Asking a static host for something it does not have would put an error into the console.
 */
export function serverTimingHas(announcement: string): boolean {
  return performance
    .getEntriesByType('navigation')
    .some(
      (entry) =>
        entry instanceof PerformanceNavigationTiming && entry.serverTiming.some(({ name }) => name === announcement),
    );
}
