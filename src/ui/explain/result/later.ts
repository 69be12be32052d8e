// Parts of a result that are not in the page's first download: the chart's library is larger than the rest of the page,
// and nothing of the others is needed before there is a result.

/** The bars. */
export const loadBars = () => import('../../charts/influence-bars.tsx');

/** The matrix. */
export const loadMatrix = () => import('./matrix/token-matrix.tsx');

/** What deletion says of long sections. */
export const loadCoarseNote = () => import('./head/coarse-note.tsx');

/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** Fetches these parts before they are needed, so that they work offline. Returns a function that cancels it. */
export function preloadParts(): () => void {
  const timer = setTimeout(() => {
    Promise.all([loadBars(), loadCoarseNote(), loadMatrix()]).catch(() => undefined); // fetched again when they are drawn
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
