import type { CSSProperties } from 'react';
import type { Found } from '../../../state/meaning/search-store.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { listText, numberText } from '../../../words/numbers.ts';
import styles from './search-view.module.css';

type Hit = Found['hits'][number];

/** Characters of a text that are shown. */
const SHOWN = 600;
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** A text that was found: its words that the query has, and what makes up its score. */
export function HitItem({ hit, text }: { readonly hit: Hit; readonly text: string }) {
  const words = meaningWords().search;
  const [score = '', meaning = '', byWords = ''] = [hit.score, hit.meaning, hit.words].map((value) =>
    numberText(value, TWO_DIGITS),
  );
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
        {words.score(score, meaning, byWords)}
        {hit.terms.length > 0 && ` · ${words.shared(listText(hit.terms))}`}
      </p>
    </li>
  );
}

function sharesOf({ meaning, words }: Hit): CSSProperties & Readonly<Record<`--${string}`, string>> {
  return { '--by-meaning': `${100 * meaning}%`, '--by-words': `${100 * words}%` };
}

/** The text with the words marked that the query has too. */
function marked(text: string, terms: readonly string[]) {
  if (terms.length === 0) return text;
  const wanted = new Set(terms);
  return text.split(/([\p{L}\p{N}]+)/u).map((piece, place) =>
    // Pieces may repeat; their places do not.
    // oxlint-disable-next-line react/no-array-index-key
    wanted.has(piece.toLowerCase()) ? <mark key={place}>{piece}</mark> : piece,
  );
}
