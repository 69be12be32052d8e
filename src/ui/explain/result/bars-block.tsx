import { lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { rankedIn, type Section, type View } from '../../../state/explain/influence.ts';
import { partedIn } from '../../../state/explain/scores/weak.ts';
import { barRows, BARS_LIMIT } from '../../charts/influence-series.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import { MoreSections } from './more-sections.tsx';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

/** Drawn first, so that text and chart are not built in one task. */
const NONE: readonly Section[] = [];

/** The strongest sections as bars, drawn after the text, so that hovering stays fast. */
export function BarsBlock(props: { readonly sections: readonly Section[]; readonly view: View }) {
  const sections = useDeferredValue(props.sections, NONE);
  const view = useDeferredValue(props.view);
  const { strong, weak } = useMemo(() => partedIn(rankedIn(sections, view), view), [sections, view]);
  const strongest = useMemo(() => strong.slice(0, BARS_LIMIT), [strong]);
  const rows = useMemo(() => barRows(strongest, view), [strongest, view]);
  if (rows.length + weak.length === 0) return null;
  const words = resultWords().bars;
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>
        <Sentence text={words.title} parts={{ unit: <span className={styles.note}>{words.unit}</span> }} />
      </h3>
      <FallbackBoundary fallback={<p className={styles.note}>{words.failed}</p>}>
        <Suspense fallback={<div className={styles.skeleton} />}>
          {rows.length > 0 && <InfluenceBars rows={rows} />}
        </Suspense>
      </FallbackBoundary>
      <MoreSections others={strong.slice(BARS_LIMIT)} weak={weak} view={view} />
      <ScoreTable label={words.table} sections={strongest} view={view} />
    </div>
  );
}

const InfluenceBars = lazy(async () => ({ default: (await import('../../charts/influence-bars.tsx')).InfluenceBars }));
