import { lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { rankedIn, type Section, type View } from '../../state/influence.ts';
import { barRows, BARS_LIMIT } from '../charts/influence-series.ts';
import styles from './result-panel.module.css';
import { ScoreTable } from './score-table.tsx';

const InfluenceBars = lazy(async () => ({ default: (await import('../charts/influence-bars.tsx')).InfluenceBars }));

/** The strongest sections as bars. They follow a little later than the text, so that pointing stays light. */
export function BarsBlock(props: { readonly sections: readonly Section[]; readonly view: View }) {
  const sections = useDeferredValue(props.sections);
  const view = useDeferredValue(props.view);
  const strongest = useMemo(() => rankedIn(sections, view).slice(0, BARS_LIMIT), [sections, view]);
  const rows = useMemo(() => barRows(strongest, view), [strongest, view]);
  if (rows.length === 0) return null;
  return (
    <div className={styles.block}>
      <div className={styles.blockHead}>
        <h3 className={styles.blockTitle}>Strongest sections</h3>
        <span className={styles.note}>nats</span>
      </div>
      <Suspense fallback={<div className={styles.skeleton} />}>
        <InfluenceBars rows={rows} />
      </Suspense>
      <ScoreTable label="Bars as table" sections={strongest} view={view} />
    </div>
  );
}
