import type { Pooling } from '../../contract/embed.ts';
import type { SimilarityFound } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { numberText } from '../../words/numbers.ts';
import { dashesOf } from '../charts/similarity-series.ts';
import { cosineText, pairName } from './similarity-texts.ts';
import wide from '../parts/layout/table.module.css';
import styles from './inside-page.module.css';

/** See `PairTable`. */
interface PairTableProps {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
  /** Told which pair the pointer or the focus is on. */
  readonly onActive: (pair: number | null) => void;
}

/** The numbers behind the lines; each row has a piece of its line, and shows which one it is. */
export function PairTable({ found, pooling, onActive }: PairTableProps) {
  const words = insideWords().similarity;
  return (
    <div className={wide.scroll}>
      <table className={`${wide.table} ${styles.table}`} data-testid="pairs">
        <caption>
          {words.table} {words.embeddings}.
        </caption>
        <thead>
          <tr>
            <th scope="col">{words.pair}</th>
            {found.cosines[pooling].map((_, layer) => (
              // oxlint-disable-next-line react/no-array-index-key -- a column is its layer
              <th key={layer} scope="col">
                {words.layer(numberText(layer))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.pairs.map((_, pair) => (
            <tr
              // oxlint-disable-next-line react/no-array-index-key -- a row is its pair
              key={pair}
              className={styles.pair}
              tabIndex={0}
              onPointerEnter={() => onActive(pair)}
              onPointerLeave={() => onActive(null)}
              onFocus={() => onActive(pair)}
              onBlur={() => onActive(null)}
            >
              <th scope="row">
                <Sample pair={pair} />
                {pairName(found, pair)}
              </th>
              {found.cosines[pooling].map((values, layer) => (
                // oxlint-disable-next-line react/no-array-index-key -- a column is its layer
                <td key={layer}>{cosineText(values[pair] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A piece of a pair's line. */
function Sample({ pair }: { readonly pair: number }) {
  return (
    <svg className={styles.sample} aria-hidden>
      <line x1="0" x2="100%" y1="50%" y2="50%" strokeDasharray={dashesOf(pair).join(' ')} />
    </svg>
  );
}
