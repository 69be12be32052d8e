import { useId, useState } from 'react';
import { csvText } from '../../../files/table/csv.ts';
import type { Collected } from '../../../state/meaning/collection-store.ts';
import type { Found, SearchState } from '../../../state/meaning/search-store.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { nextStepAfter } from '../../explain/problem/next-step.ts';
import { download } from '../../parts/downloads.ts';
import { StopsSlider } from '../../parts/fields/stops-slider.tsx';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import { HitItem } from './hit-item.tsx';
import page from '../meaning-page.module.css';
import styles from './search-view.module.css';

/** Shares of meaning that the slider stops at. */
const STOPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Searches the texts by meaning and words together. */
export function SearchView() {
  const words = meaningWords().search;
  const field = useId();
  const { search } = useRoom();
  const { query, found, isRunning, problem, search: run } = useValueOf(search, (state) => state);
  const collected = useCollected();
  if (!collected) return null;
  return (
    <div className={page.view}>
      <div className={styles.ask}>
        <label className={styles.label} htmlFor={field}>
          {words.label}
        </label>
        <input
          id={field}
          className={page.input}
          type="search"
          dir="auto"
          data-testid="query"
          placeholder={words.placeholder}
          value={query}
          onChange={(event) => void run(event.target.value)}
        />
        <ShareSlider />
      </div>
      {problem && (
        <p className={page.wrong} role="alert">
          {nextStepAfter(problem.code).step}
        </p>
      )}
      <div className={page.view} aria-busy={isRunning} data-testid="results">
        {found ? (
          <Results key={found.query} found={found} collected={collected} />
        ) : (
          <p className={page.note}>{words.hint}</p>
        )}
      </div>
    </div>
  );
}

/** How much meaning counts beside words. */
function ShareSlider() {
  const words = meaningWords().search;
  const { search } = useRoom();
  const { share, weigh } = useValueOf(search, (state) => state);
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

function Results({ found, collected }: { readonly found: Found; readonly collected: Collected }) {
  const words = meaningWords().search;
  const [shown, setShown] = useState(STEP);
  const { hits, searched } = found;
  const { texts } = collected.table;
  if (hits.length === 0) return <p className={page.note}>{words.none}</p>;
  const rest = Math.min(STEP, hits.length - shown);
  return (
    <>
      <div className={page.head}>
        <p className={page.note} role="status" data-testid="searched">
          {searched < texts.length ? words.soFar(searched, texts.length) : words.found(hits.length, searched)}
        </p>
        <Legend />
      </div>
      <ol className={styles.hits} data-testid="hits">
        {hits.slice(0, shown).map((hit) => (
          <HitItem key={hit.index} hit={hit} text={texts[hit.index] ?? ''} />
        ))}
      </ol>
      <div className={page.row}>
        {rest > 0 && <Button onClick={() => setShown(shown + STEP)}>{words.more(rest)}</Button>}
        <Button look="quiet" onClick={() => saveResults(found, texts)}>
          {words.save}
        </Button>
      </div>
    </>
  );
}

function Legend() {
  const words = meaningWords().search;
  return (
    <p className={styles.legend} aria-hidden>
      <span className={styles.meaning} /> {words.meaning} <span className={styles.words} /> {words.words}
    </p>
  );
}

function saveResults({ hits }: Pick<SearchState['found'] & object, 'hits'>, texts: readonly string[]): void {
  const { columns } = meaningWords().search;
  const rows = hits.map((hit, place) => [
    place + 1,
    texts[hit.index] ?? '',
    hit.score,
    hit.meaning,
    hit.words,
    hit.cosine,
    hit.terms.join(' '),
  ]);
  download('search-results.csv', new Blob([csvText(Object.values(columns), rows)], { type: 'text/csv' }));
}
