import { lazy, Suspense, useDeferredValue, useMemo, useRef } from 'react';
import { rankedIn, type Section, type View } from '../../../state/explain/influence.ts';
import { partedIn } from '../../../state/explain/scores/weak.ts';
import { barRows, BARS_LIMIT } from '../../charts/influence-series.ts';
import { Button } from '../../parts/buttons.tsx';
import { download, pngFile, svgFile, textFile } from '../../parts/downloads.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { MoreSections } from './more-sections.tsx';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

/** Drawn first, so that text and chart are not built in one task. */
const NONE: readonly Section[] = [];

/** The strongest sections as bars, drawn after the text, so that hovering stays fast. */
export function BarsBlock(props: { readonly sections: readonly Section[]; readonly view: View }) {
  const sections = useDeferredValue(props.sections, NONE);
  const view = useDeferredValue(props.view);
  const block = useRef<HTMLDivElement>(null);
  const { strong, weak } = useMemo(() => partedIn(rankedIn(sections, view), view), [sections, view]);
  const strongest = useMemo(() => strong.slice(0, BARS_LIMIT), [strong]);
  const rows = useMemo(() => barRows(strongest, view), [strongest, view]);
  if (rows.length + weak.length === 0) return null;
  return (
    <div className={styles.block} ref={block}>
      <div className={styles.blockHead}>
        <h3 className={styles.blockTitle}>
          Strongest sections<span className={styles.note}>, nats</span>
        </h3>
        <PictureActions name="strongest-sections" drawing={() => block.current?.querySelector('svg') ?? null} />
      </div>
      <FallbackBoundary
        fallback={<p className={styles.note}>The chart could not be loaded. The table has the numbers.</p>}
      >
        <Suspense fallback={<div className={styles.skeleton} />}>
          {rows.length > 0 && <InfluenceBars rows={rows} />}
        </Suspense>
      </FallbackBoundary>
      <MoreSections others={strong.slice(BARS_LIMIT)} weak={weak} view={view} />
      <ScoreTable label="Bars as table" sections={strongest} view={view} />
    </div>
  );
}

/** Its library is larger than the rest of the page. */
const InfluenceBars = lazy(async () => ({ default: (await import('../../charts/influence-bars.tsx')).InfluenceBars }));

/** See `PictureActions`; the drawing is looked up when it is saved. */
interface PictureActionsProps {
  readonly name: string;
  readonly drawing: () => SVGSVGElement | null;
}

/** Saves a drawing as a picture. */
function PictureActions({ name, drawing }: PictureActionsProps) {
  const saveSvg = () => {
    const found = drawing();
    if (found) download(`${name}.svg`, textFile('image/svg+xml', svgFile(found)));
  };
  const savePng = async () => {
    const found = drawing();
    if (found) download(`${name}.png`, await pngFile(found));
  };
  return (
    <div className={styles.actions}>
      <Button look="quiet" onClick={saveSvg}>
        Save SVG
      </Button>
      <Button look="quiet" onClick={() => void savePng()}>
        Save PNG
      </Button>
    </div>
  );
}
