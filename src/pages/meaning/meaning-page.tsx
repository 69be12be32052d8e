import { type ComponentType, type CSSProperties, lazy, useId } from 'react';
import { EXAMPLE_TABLE } from './example-comments.ts';
import { MEANING_VIEWS, useCollected, useMeaning, useMeaningStores } from './meaning-stores.ts';
import { TextsPanel } from './texts-panel.tsx';
import { SaveRows, twoDigits, useFirst } from './view-parts.tsx';
import { meaningWords } from './words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { nextStepAfter } from '../../parts/feedback/next-step.ts';
import { FallbackBoundary } from '../../parts/feedback/status.tsx';
import { Choice, StopsSlider } from '../../parts/fields/choice.tsx';
import fieldStyles from '../../parts/fields/field-layout.module.css';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import type { Hit } from '../../protocol/analysis-tasks.ts';
import { useEngineInUse } from '../../stores/use-stores.ts';
import { listText, numberText } from '../../words/language.ts';
import styles from './meaning-page.module.css';
import { byPlace } from '../../parts/by-place.ts';

/** Searches, draws, sorts and compares many short texts by their meaning. */
export function MeaningPage() {
  const words = meaningWords();
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <div className={`${styles.columns} ${fieldStyles.answer}`}>
        <TextsPanel />
        <ViewsPanel />
      </div>
    </PageLayout>
  );
}

/** Stops of the slider, shares of meaning. */
const STOPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Searches the texts by meaning and words together. */
function SearchView() {
  const words = meaningWords().search;
  const field = useId();
  const { query, found, isRunning, problem, search } = useMeaning('search', (state) => state);
  const collected = useCollected();
  if (!collected) return null;
  return (
    <div className={styles.view}>
      <div className={styles.ask}>
        <label className={styles.label} htmlFor={field}>
          {words.label}
        </label>
        <input
          id={field}
          className={styles.input}
          type="search"
          dir="auto"
          data-testid="query"
          placeholder={words.placeholder}
          value={query}
          onChange={(event) => void search(event.target.value)}
        />
        <ShareSlider />
      </div>
      {problem && (
        <p className={styles.wrong} role="alert">
          {nextStepAfter(problem.code).step}
        </p>
      )}
      <div className={styles.view} aria-busy={isRunning} data-testid="results">
        {found ? (
          <Results key={found.query} {...found} texts={collected.table.texts} />
        ) : (
          <p className={styles.note}>{words.hint}</p>
        )}
      </div>
    </div>
  );
}

/** The weight of meaning against words. */
function ShareSlider() {
  const words = meaningWords().search;
  const { share, weigh } = useMeaning('search', (state) => state);
  return (
    <div className={styles.share}>
      <span>{words.wordsOnly}</span>
      <StopsSlider
        label={words.share}
        stops={STOPS}
        value={share}
        text={words.shareText(numberText(100 * share))}
        onChange={(value) => void weigh(value)}
      />
      <span>{words.meaningOnly}</span>
    </div>
  );
}

/** Hits that are shown at first, and added with each press. */
const STEP = 10;

interface ResultsProps {
  readonly hits: readonly Hit[];
  /** Number of texts that were searched. */
  readonly searched: number;
  readonly texts: readonly string[];
}

function Results({ hits, searched, texts }: ResultsProps) {
  const words = meaningWords().search;
  const [first, more] = useFirst(hits, STEP, words.more);
  if (hits.length === 0) return <p className={styles.note}>{words.none}</p>;
  return (
    <>
      <div className={styles.head}>
        <p className={styles.note} role="status" data-testid="searched">
          {searched < texts.length ? words.soFar(searched, texts.length) : words.found(hits.length, searched)}
        </p>
        <p className={styles.legend} aria-hidden>
          <span className={styles.meaning} /> {words.meaning} <span className={styles.words} /> {words.words}
        </p>
      </div>
      <ol className={styles.hits} data-testid="hits">
        {first.map((hit) => (
          <HitItem key={hit.index} hit={hit} text={texts[hit.index] ?? ''} />
        ))}
      </ol>
      <div className={styles.row}>
        {more}
        <SaveRows name="search-results" rows={() => rowsOf(hits, texts)}>
          {words.save}
        </SaveRows>
      </div>
    </>
  );
}

function rowsOf(hits: readonly Hit[], texts: readonly string[]) {
  const rows = hits.map(({ index, score, meaning, words, cosine, terms }, rank) => [
    rank + 1,
    texts[index] ?? '',
    score,
    meaning,
    words,
    cosine,
    terms.join(' '),
  ]);
  return [Object.values(meaningWords().search.columns), ...rows];
}

/** Characters of a text that are shown. */
const SHOWN = 600;

/** A hit with the words of the query marked and the parts of its score. */
function HitItem({ hit, text }: { readonly hit: Hit; readonly text: string }) {
  const words = meaningWords().search;
  return (
    <li className={styles.hit} data-testid="hit" data-index={hit.index}>
      <p className={styles.text} dir="auto">
        {marked(text.slice(0, SHOWN), hit.terms)}
        {text.length > SHOWN && ' …'}
      </p>
      <div className={styles.shares} style={sharesOf(hit)} aria-hidden>
        <span className={styles.meaning} />
        <span className={styles.words} />
      </div>
      <p className={styles.numbers}>
        {words.score(twoDigits(hit.score), twoDigits(hit.meaning), twoDigits(hit.words))}
        {hit.terms.length > 0 && ` · ${words.shared(listText(hit.terms))}`}
      </p>
    </li>
  );
}

function sharesOf({ meaning, words }: Hit): CSSProperties & Readonly<Record<`--${string}`, string>> {
  return { '--by-meaning': `${100 * meaning}%`, '--by-words': `${100 * words}%` };
}

/** The text with the words of the query marked. */
function marked(text: string, terms: readonly string[]) {
  if (terms.length === 0) return text;
  const inQuery = new Set(terms);
  return byPlace(text.split(/([\p{L}\p{N}]+)/u), (piece) =>
    inQuery.has(piece.toLowerCase()) ? <mark>{piece}</mark> : piece,
  );
}

/** The first view loads with the page, the others when they are opened. */
const CONTENTS: Readonly<Record<(typeof MEANING_VIEWS)[number], ComponentType>> = {
  search: SearchView,
  map: lazy(async () => ({ default: (await import('./map/map-view.tsx')).MapView })),
  matrix: lazy(async () => ({ default: (await import('./lists/matrix-view.tsx')).MatrixView })),
  sort: lazy(async () => ({ default: (await import('./lists/sort-view.tsx')).SortView })),
  duplicates: lazy(async () => ({ default: (await import('./lists/duplicates-view.tsx')).DuplicatesView })),
};

/** The views, or an introduction before the first texts. */
function ViewsPanel() {
  const words = meaningWords();
  const { view, show } = useMeaning('selection', (state) => state);
  const collected = useCollected();
  if (!collected) return <EmptyState />;
  const Content = CONTENTS[view];
  return (
    <section className={styles.card} aria-label={words.views.label}>
      <div className={styles.views}>
        <Choice
          label={words.views.label}
          options={MEANING_VIEWS.map((value) => ({ value, label: words.views[value] }))}
          value={view}
          onChoose={show}
        />
        <FallbackBoundary key={view} fallback={<p role="alert">{words.viewFailed}</p>} pending={<div aria-busy />}>
          <Content />
        </FallbackBoundary>
      </div>
    </section>
  );
}

function EmptyState() {
  const words = meaningWords().empty;
  const engine = useEngineInUse();
  const { collection } = useMeaningStores();
  return (
    <section className={styles.card} aria-label={words.title}>
      <h2 className={styles.lead}>{words.title}</h2>
      <p className={styles.note}>{engine ? words.sent(engine.host) : words.lead}</p>
      <ol className={styles.steps}>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Button look="primary" onClick={() => void collection.getState().collect(EXAMPLE_TABLE)}>
        {words.example}
      </Button>
    </section>
  );
}
