import { type CSSProperties, useId } from 'react';
import { useCollected, useMeaning } from '../meaning-stores.ts';
import { SaveRows, useFirst } from '../view-parts.tsx';
import { meaningWords } from '../words.en.ts';
import { byPlace } from '../../../parts/by-place.ts';
import { nextStepAfter } from '../../../parts/feedback/next-step.ts';
import { StopsSlider } from '../../../parts/fields/choice.tsx';
import type { Hit } from '../../../protocol/analysis-tasks.ts';
import { fixedText, listText, numberText } from '../../../words/language.ts';
import page from '../meaning-page.module.css';

/** Stops of the slider, shares of meaning. */
const STOPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Searches the texts by meaning and words together. The map shows what is found. */
export function SearchView() {
  const words = meaningWords().search;
  const field = useId();
  const { query, found, isRunning, problem, search } = useMeaning('search', (state) => state);
  const collected = useCollected();
  if (!collected) return null;
  return (
    <div className={page.view}>
      <div className={page.ask}>
        <label className={page.label} htmlFor={field}>
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
          onChange={(event) => void search(event.target.value)}
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
          <Results key={found.query} {...found} texts={collected.table.texts} />
        ) : (
          <p className={page.note}>{words.hint}</p>
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
    <div className={page.share}>
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
const STEP = 5;

interface ResultsProps {
  readonly hits: readonly Hit[];
  readonly searched: number;
  readonly texts: readonly string[];
}

function Results({ hits, searched, texts }: ResultsProps) {
  const words = meaningWords().search;
  const [first, more] = useFirst(hits, STEP, words.more);
  if (hits.length === 0) return <p className={page.note}>{words.none}</p>;
  return (
    <>
      <div className={page.head}>
        <p className={page.note} role="status" data-testid="searched">
          {searched < texts.length ? words.soFar(searched, texts.length) : words.found(hits.length, searched)}
        </p>
        <p className={page.legend} aria-hidden>
          <span className={page.meaning} /> {words.meaning} <span className={page.words} /> {words.words}
        </p>
      </div>
      {hits.every(({ isWeak }) => isWeak) && <p role="status">{words.allWeak}</p>}
      <ol className={page.hits} data-testid="hits">
        {first.map((hit) => (
          <HitItem key={hit.index} hit={hit} text={texts[hit.index] ?? ''} />
        ))}
      </ol>
      <div className={page.row}>
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
    <li className={page.hit} data-testid="hit" data-index={hit.index}>
      <p className={page.text} dir="auto">
        {marked(text.slice(0, SHOWN), hit.terms)}
        {text.length > SHOWN && ' …'}
      </p>
      <div className={page.shares} style={sharesOf(hit)} aria-hidden>
        <span className={page.meaning} />
        <span className={page.words} />
      </div>
      <p className={page.numbers}>
        {hit.isWeak && <strong>{words.weak} </strong>}
        {words.score(fixedText(hit.score, 2), fixedText(hit.meaning, 2), fixedText(hit.words, 2))}
        {hit.terms.length > 0 && ` · ${words.shared(listText(hit.terms))}`}
        {hit.repeats > 0 && ` · ${words.repeats(hit.repeats)}`}
      </p>
    </li>
  );
}

function sharesOf({ meaning, words }: Hit): CSSProperties & Readonly<Record<`--${string}`, string>> {
  return { '--by-meaning': `${100 * meaning}%`, '--by-words': `${100 * words}%` };
}

function marked(text: string, terms: readonly string[]) {
  if (terms.length === 0) return text;
  const inQuery = new Set(terms);
  return byPlace(text.split(/([\p{L}\p{N}]+)/u), (piece) =>
    inQuery.has(piece.toLowerCase()) ? <mark>{piece}</mark> : piece,
  );
}
