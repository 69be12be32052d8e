import type { Pooling } from '../../contract/embed.ts';
import { cosineText, dashesOf, pairName, type SimilarityFound } from './similarity.ts';
import { similarityWords } from './words.en.ts';
import { numberText } from '../../words/language.ts';
import wide from '../layout/table.module.css';
import styles from './pair-table.module.css';

interface PairTableProps {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
  /** Told which pair the pointer or the focus is on. */
  readonly onActive: (pair: number | null) => void;
}

/** The numbers behind the lines; each row has a piece of its line, and shows which one it is. */
export function PairTable({ found, pooling, onActive }: PairTableProps) {
  const words = similarityWords();
  return (
    <div className={wide.scroll}>
      <table className={`${wide.table} ${wide.numbers}`} data-testid="pairs">
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
