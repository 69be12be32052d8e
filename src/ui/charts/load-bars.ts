/** The bars, fetched when they are first drawn: their library is larger than the rest of the page. */
export const loadBars = () => import('./influence-bars.tsx');
