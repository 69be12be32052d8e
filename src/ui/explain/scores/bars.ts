import { lazy } from 'react';

const load = () => import('../../charts/influence-bars.tsx');

/** The bar chart, whose library is most of the page's code, comes apart from it. */
export const InfluenceBars = lazy(async () => ({ default: (await load()).InfluenceBars }));

/** After this long the page has been drawn and the model's first files are on their way. */
const PRELOAD_MS = 1000;

/** Fetches the chart before it is needed, so that it is there when the network is not. Returns what calls that off. */
export function preloadBars(): () => void {
  const timer = setTimeout(() => {
    load().catch(() => undefined); // it is tried again when the chart is drawn
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
