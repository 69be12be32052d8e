import { TableHead } from '../layout/blocks.tsx';
import { lazy, useState } from 'react';
import { FallbackBoundary } from '../feedback/status.tsx';
import live from '../live/live.module.css';
import { type SimilarityFound, dashesOf, pairName } from './similarity.ts';
import { similarityWords } from './words.en.ts';
import { fixedText, numberText } from '../../words/language.ts';
import wide from '../layout/table.module.css';
import styles from './pair-table.module.css';

type Pooling = keyof SimilarityFound['cosines'];

const SimilarityLines = lazy(async () => ({ default: (await import('./similarity-lines.tsx')).SimilarityLines }));

/** A chart of the similarity of each pair by layer, and a table of its numbers that highlights the lines. */
export function SimilarityChart({ found, pooling }: { readonly found: SimilarityFound; readonly pooling: Pooling }) {
  const [active, setActive] = useState<number | null>(null);
  const words = similarityWords();
  return (
    <>
      <FallbackBoundary fallback={<p className={live.note}>{words.chartFailed}</p>} pending={<div aria-busy />}>
        <SimilarityLines found={found} pooling={pooling} active={active} label={words.chart} axis={words.axis} />
      </FallbackBoundary>
      <PairTable found={found} pooling={pooling} onActive={setActive} />
    </>
  );
}

/** The numbers of the lines; each row has a piece of its line, and shows which one it is. */
function PairTable(props: {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
  /** Told which pair the pointer or the focus is on. */
  readonly onActive: (pair: number | null) => void;
}) {
  const { found, pooling, onActive } = props;
  const cosines = found.cosines[pooling];
  const words = similarityWords();
  return (
    <div className={wide.scroll}>
      <table className={`${wide.table} ${wide.numbers}`} data-testid="pairs">
        <caption>
          {words.table} {words.embeddings}.
        </caption>
        <TableHead names={[words.pair, ...Array.from(cosines.keys(), (layer) => words.layer(numberText(layer)))]} />
        <tbody>
          {[...found.pairs.keys()].map((pair) => (
            <tr
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
              {[...cosines.entries()].map(([layer, values]) => (
                <td key={layer}>{fixedText(values[pair] ?? 0, 2)}</td>
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
