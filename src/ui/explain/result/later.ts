import { loadBars } from '../../charts/load-bars.ts';

// What is not in the page's first download, because nothing of it is needed before there is a result.

/** A result: words, heat maps, matrix. */
export const loadResult = () => import('./result.tsx');

/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** Fetches the result's parts before they are needed, so that they work offline. Returns a function that cancels it. */
export function preloadParts(): () => void {
  const timer = setTimeout(() => {
    Promise.all([loadResult(), loadBars()]).catch(() => undefined); // fetched again when they are drawn
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
