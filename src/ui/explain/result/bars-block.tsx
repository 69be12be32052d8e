import { lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { rankedIn, type Section, type View } from '../../../state/explain/influence.ts';
import { barRows, BARS_LIMIT } from '../../charts/influence-series.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

/** Drawn first, so that text and chart are not built in one task. */
const NONE: readonly Section[] = [];

/** The strongest sections as bars, drawn after the text, so that hovering stays fast. */
export function BarsBlock(props: { readonly sections: readonly Section[]; readonly view: View }) {
  const sections = useDeferredValue(props.sections, NONE);
  const view = useDeferredValue(props.view);
  const strongest = useMemo(() => rankedIn(sections, view).slice(0, BARS_LIMIT), [sections, view]);
  const rows = useMemo(() => barRows(strongest, view), [strongest, view]);
  if (rows.length === 0) return null;
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>
        Strongest sections<span className={styles.note}>, nats</span>
      </h3>
      <FallbackBoundary
        fallback={<p className={styles.note}>The chart could not be loaded. The table has the numbers.</p>}
      >
        <Suspense fallback={<div className={styles.skeleton} />}>
          <InfluenceBars rows={rows} />
        </Suspense>
      </FallbackBoundary>
      <ScoreTable label="Bars as table" sections={strongest} view={view} />
    </div>
  );
}

const load = () => import('../../charts/influence-bars.tsx');

/** Its library is larger than the rest of the page. */
const InfluenceBars = lazy(async () => ({ default: (await load()).InfluenceBars }));

/** After this time the page has been drawn and the model's first files are loading. */
const PRELOAD_MS = 1000;

/** Fetches the chart before it is needed, so that it works offline. Returns a function that cancels it. */
export function preloadBars(): () => void {
  const timer = setTimeout(() => {
    load().catch(() => undefined); // fetched again when the chart is drawn
  }, PRELOAD_MS);
  return () => clearTimeout(timer);
}
