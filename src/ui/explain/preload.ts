/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** What the page shows later, each in a script of its own. */
const LATER: readonly (() => Promise<unknown>)[] = [
  () => import('./result/result.tsx'),
  () => import('../charts/influence-bars.tsx'),
  () => import('./settings/more-settings.tsx'),
];

/** Fetches what the page shows later before it is needed, so that it works offline. Returns a function that cancels it. */
export function preloadLater(): () => void {
  const timer = setTimeout(() => {
    for (const load of LATER) load().catch(() => undefined); // fetched again when it is shown
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
