import { Suspense, useDeferredValue, useMemo, useRef } from 'react';
import { rankedIn, type Section, type View } from '../../../state/explain/influence.ts';
import { barRows, BARS_LIMIT } from '../../charts/influence-series.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { InfluenceBars } from './bars.ts';
import { PictureActions } from '../prompt/picture-actions.tsx';
import styles from '../result/result-panel.module.css';
import { ScoreTable } from './score-table.tsx';

/** Drawn first, so that the chart is not built in the same breath as the text. */
const NONE: readonly Section[] = [];

/** The strongest sections as bars. They follow a little later than the text, so that pointing stays light. */
export function BarsBlock(props: { readonly sections: readonly Section[]; readonly view: View }) {
  const sections = useDeferredValue(props.sections, NONE);
  const view = useDeferredValue(props.view);
  const block = useRef<HTMLDivElement>(null);
  const strongest = useMemo(() => rankedIn(sections, view).slice(0, BARS_LIMIT), [sections, view]);
  const rows = useMemo(() => barRows(strongest, view), [strongest, view]);
  if (rows.length === 0) return null;
  return (
    <div className={styles.block} ref={block}>
      <div className={styles.blockHead}>
        <h3 className={styles.blockTitle}>
          Strongest sections<span className={styles.note}>, nats</span>
        </h3>
        <PictureActions name="strongest-sections" drawing={() => block.current?.querySelector('svg') ?? null} />
      </div>
      <FallbackBoundary
        fallback={<p className={styles.note}>The chart could not be loaded; the table has its numbers.</p>}
      >
        <Suspense fallback={<div className={styles.skeleton} />}>
          <InfluenceBars rows={rows} />
        </Suspense>
      </FallbackBoundary>
      <ScoreTable label="Bars as table" sections={strongest} view={view} />
    </div>
  );
}
