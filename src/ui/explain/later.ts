// What is not in the page's first download, because nothing of it is needed before there is a result.

/** A result: words, heat maps, matrix. */
export const loadResult = () => import('./result/result.tsx');

/** Its bars; their library is larger than the rest of the page. */
export const loadBars = () => import('../charts/influence-bars.tsx');

/** The settings that most people never open. */
export const loadMoreSettings = () => import('./settings/more-settings.tsx');

/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** Fetches all of it before it is needed, so that it works offline. Returns a function that cancels it. */
export function preloadLater(): () => void {
  const timer = setTimeout(() => {
    for (const load of [loadResult, loadBars, loadMoreSettings]) load().catch(() => undefined); // fetched again when it is shown
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
