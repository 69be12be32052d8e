import { captionOf, sentText } from '../../figures/caption.ts';
import { PromptHeat, useHeatData } from '../../figures/heat/heat-map.tsx';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import {
  rankedIn,
  scoreIn,
  type ScoreView,
  type Section,
  sectionOf,
  splitByStrength,
  viewIn,
} from '../../explanations/influence.ts';
import { originalQuestion, type Outcome } from '../../explanations/outcome.ts';
import { changesBetween } from '../../explanations/question.ts';
import { shownViewIn } from '../../explanations/selection-store.ts';
import { BARS_LIMIT } from '../../figures/influence-series.ts';
import type { TableSettings } from '../../figures/elements/score-table.ts';
import heat from '../../figures/heat/heat-map.module.css';
import styles from '../../figures/panel.module.css';
import table from '../../figures/score-table.module.css';
import '../../figures/elements/react.ts';
import { useLinkedElement } from '../../figures/section-links.ts';
import { natsText, sectionName, sectionPhrase, weakText } from '../../figures/texts.ts';
import { TokenMatrix } from '../../figures/token-matrix.tsx';
import { resultWords } from '../../figures/words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import { engineWords } from '../../parts/words.en.ts';
import { ranAt } from '../../stores/settings-store.ts';
import { useModelFacts, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { fixedText, numberText } from '../../words/language.ts';
import { AnswerWords } from './answer-words.tsx';
import { Alternatives, OutcomeNotes } from './outcome-notes.tsx';
import variationsStyles from './outcome-view.module.css';
import { ShareButtons } from './share-buttons.tsx';
import { COMPARE_BUTTON } from './variations/variations-store.ts';

/** One outcome, complete or partial: in words, on the text, as bars, and for each target token. @param props  `isOpening`: of the example of a first visit */
export function OutcomeView({ outcome, isOpening }: { readonly outcome: Outcome; readonly isOpening: boolean }) {
  useEffect(preload, []);
  const { influence, modelVersion, prediction } = outcome;
  // Bars and matrix are built after the text: all in one task would block the page.
  const later = useDeferredValue(outcome, null);
  const view = viewIn(influence, useStoreValue('selection', shownViewIn));
  const settings = useStoreValue('explain', (state) => state.question.settings);
  // The words follow the chosen view only: a preview must not move what the pointer is over.
  const chosen = viewIn(
    influence,
    useStoreValue('selection', (state) => state.view),
  );
  return (
    <div className={`${styles.card} ${styles.sections}`} data-testid="result">
      <AnswerWords outcome={outcome} />
      <OutcomeHead outcome={outcome} view={chosen} />
      <OutcomeNotes outcome={outcome} />
      <div>
        <PromptHeat outcome={outcome} view={view} settings={settings} />
        <Suspense>{isOpening && modelVersion !== null && <OpeningMotion outcome={outcome} />}</Suspense>
        <Alternatives outcome={outcome} />
      </div>
      {modelVersion !== null && prediction && (
        <FallbackBoundary fallback={<p role="alert">{resultWords().variations.failed}</p>}>
          <ContrastPanel outcome={outcome} />
        </FallbackBoundary>
      )}
      {modelVersion !== null && <Variations outcome={outcome} />}
      {later && (
        <>
          <BarsBlock outcome={later} view={view} settings={settings} />
          <TokenMatrix outcome={later} view={view} />
        </>
      )}
    </div>
  );
}

/** The outcome in words, whether it is still current, and ways to share it. */
function OutcomeHead({ outcome, view }: { readonly outcome: Outcome; readonly view: ScoreView }) {
  const { lead, detail } = captionOf(outcome, view);
  const { modelVersion, upstream } = outcome;
  const place = ranAt(modelVersion ?? '');
  const sent = upstream === null ? place && engineWords().badge(place) : sentText(upstream);
  return (
    <div>
      <h2 className={styles.lead} data-testid="caption">
        {modelVersion === null && <span className={styles.soFar}>{resultWords().soFar} </span>}
        {lead}
      </h2>
      <p className={styles.detail}>{detail}</p>
      {sent !== null && (
        <p className={styles.detail} data-testid="ran-at">
          {sent}
        </p>
      )}
      <StaleNote outcome={outcome} />
      <ShareButtons outcome={outcome} view={view} />
    </div>
  );
}

/** Says what has changed since the outcome, or that it was stopped; not while a new request runs. */
function StaleNote({ outcome }: { readonly outcome: Outcome }) {
  const { explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const isRunning = useStoreValue('explain', ({ phase }) => phase.kind === 'running');
  const version = useModelFacts()?.version;
  if (isRunning) return null;
  const text = staleText(outcome, changesBetween(originalQuestion(outcome), question), version);
  if (text === null) return null;
  return (
    <p className={styles.stale} data-testid="stale">
      {text}
      <Button look="quiet" focus="run" onClick={() => void explain.getState().run()}>
        {resultWords().again}
      </Button>
    </p>
  );
}

/**
 * Why an outcome is not that of the question in the editors; null while it is.
 *
 * @param modelVersion  of the outcome; null where it was stopped before its end
 * @param changes       of the question since then
 * @param version       of the model that would be used now; undefined while that is not known
 */
export function staleText(
  { modelVersion }: Pick<Outcome, 'modelVersion'>,
  changes: ReturnType<typeof changesBetween>,
  version: string | undefined,
): string | null {
  // without the place where it ran
  const isOfOtherModel =
    modelVersion !== null && version !== undefined && modelVersion.replace(/ @ \S+$/, '') !== version;
  const changed = isOfOtherModel ? [...changes, 'model' as const] : changes;
  const words = resultWords().stale;
  if (changed.length === 0) return modelVersion === null ? words.stopped : null;
  return words.changed(
    changed.map((name) => words.names[name]),
    changed.length === 1 && changed[0] !== 'settings',
  );
}

const OpeningMotion = lazy(async () => ({ default: (await import('./opening-motion.tsx')).OpeningMotion }));

const loadWhatIf = () => import('./variations/what-if-panel.tsx');
const loadContrast = () => import('./variations/contrast-panel.tsx');
const loadFaithfulness = () => import('./variations/faithfulness-panel.tsx');
const loadComparison = () => import('./variations/comparison-section.tsx');

/** Fetches what the buttons open, so that they work offline; what fails is fetched again when it is opened. */
function preload(): void {
  for (const load of [loadWhatIf, loadContrast, loadFaithfulness, loadComparison]) load().catch(() => undefined);
}

/** Another answer beside the outcome's, in a script of its own. */
const ContrastPanel = lazy(async () => ({ default: (await loadContrast()).ContrastPanel }));

/** What can be opened below an outcome, each in a script of its own. */
const PANELS = {
  'what-if': lazy(async () => ({ default: (await loadWhatIf()).WhatIfPanel })),
  faithfulness: lazy(async () => ({ default: (await loadFaithfulness()).FaithfulnessPanel })),
};

/** The variations of a complete outcome: changed attention and a test below it, another question beside it; the test alone for a server. */
function Variations({ outcome }: { readonly outcome: Outcome }) {
  const { panel, toggle, compare } = useStoreValue('variations', (state) => state);
  const words = resultWords().variations;
  const labels = {
    'what-if': <WhatIfLabel outcome={outcome} />,
    faithfulness: words.faithfulness,
  };
  const isHere = outcome.upstream === null;
  const names = isHere ? (['what-if', 'faithfulness'] as const) : (['faithfulness'] as const);
  const Panel = panel && (isHere || panel === 'faithfulness') && PANELS[panel];
  return (
    <div>
      <div className={variationsStyles.variations}>
        {names.map((name) => (
          <Button key={name} data-testid={name} aria-expanded={panel === name} onClick={() => toggle(name)}>
            {labels[name]}
          </Button>
        ))}
        {isHere && (
          <Button id={COMPARE_BUTTON} data-testid="compare" onClick={() => compare(outcome)}>
            {words.compare}
          </Button>
        )}
      </div>
      {Panel && (
        <FallbackBoundary
          key={panel}
          fallback={<p role="alert">{words.failed}</p>}
          pending={<p className={styles.note}>{words.loading}</p>}
        >
          <Panel outcome={outcome} />
        </FallbackBoundary>
      )}
    </div>
  );
}

/** Names the section that is picked. */
function WhatIfLabel({ outcome: { influence } }: { readonly outcome: Outcome }) {
  const pinned = useStoreValue('selection', (state) => state.pinned);
  const section = sectionOf(influence, pinned);
  const words = resultWords().variations;
  return section && section.part !== 'target' ? words.whatIfSection(sectionPhrase(section)) : words.whatIf;
}

/** The strongest sections as bars, drawn after the text, so that hovering stays fast. */
function BarsBlock(props: { readonly outcome: Outcome; readonly view: ScoreView; readonly settings: TableSettings }) {
  const { outcome, settings } = props;
  const { sections } = outcome.influence;
  const view = useDeferredValue(props.view);
  const data = useHeatData(outcome.question, outcome.influence);
  const ref = useLinkedElement();
  const { strong, weak } = useMemo(() => splitByStrength(rankedIn(sections, view), view), [sections, view]);
  const strongest = useMemo(() => strong.slice(0, BARS_LIMIT), [strong]);
  if (strong.length + weak.length === 0) return null;
  const words = resultWords().bars;
  const score = (section: Section) => scoreIn(section, view) ?? 0;
  const others = strong.slice(BARS_LIMIT);
  const [largest] = others;
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>
        <Sentence text={words.title} parts={{ unit: <span className={styles.note}>{words.unit}</span> }} />
      </h3>
      {strong.length > 0 && (
        <lightwell-bars ref={ref} className={heat.heat} data-testid="bars" data={data} view={view} />
      )}
      <div className={styles.more}>
        {largest && (
          <details className={table.fold}>
            <summary>{words.more(numberText(others.length), fixedText(Math.abs(score(largest)), 2))}</summary>
            <p>{others.map((section) => `${sectionName(section, 20)} ${natsText(score(section))}`).join(' · ')}</p>
          </details>
        )}
        {weak.length > 0 && (
          <details className={table.fold}>
            <summary>{weakText(weak.length)}</summary>
            <p>{weak.map((section) => sectionName(section, 20)).join(' · ')}</p>
          </details>
        )}
      </div>
      <lightwell-score-table
        className={heat.heat}
        label={words.table}
        sections={strongest}
        view={view}
        settings={settings}
      />
    </div>
  );
}
