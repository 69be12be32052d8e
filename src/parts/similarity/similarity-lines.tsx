import { memo } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import type { Pooling } from '../../contract/embed.ts';
import { cosineTicks, dashesOf, pairKey, type SimilarityFound } from './similarity.ts';
import { fixedText, numberText } from '../../words/language.ts';
import styles from './similarity-lines.module.css';

/** A line for each pair of texts from the word embeddings to the last layer. */
export const SimilarityLines = memo(function SimilarityLines(props: {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
  /** Pair whose line stands out; null: all alike. */
  readonly active: number | null;
  /** What the chart shows, for screen readers; the table beside it has the numbers. */
  readonly label: string;
  readonly axis: string;
}) {
  const { found, pooling, active, label, axis } = props;
  const ticks = cosineTicks(found, pooling);
  return (
    <div className={styles.lines} role="img" aria-label={label} data-testid="similarity-lines">
      <ResponsiveContainer width="100%" height={260}>
        <LineChart
          data={layerRows(found, pooling)}
          margin={{ top: 8, right: 16, bottom: 20, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} />
          <XAxis
            dataKey="layer"
            tickFormatter={(layer: number) => numberText(layer)}
            label={{ value: axis, position: 'insideBottom', offset: -12 }}
          />
          <YAxis
            domain={[ticks[0] ?? -1, ticks.at(-1) ?? 1]}
            ticks={ticks}
            tickFormatter={(value: number) => fixedText(value, 1)}
            width={44}
          />
          {found.pairs.map((_, pair) => (
            <Line
              key={pairKey(pair)}
              type="linear"
              dataKey={pairKey(pair)}
              isAnimationActive={false}
              className={(active === pair ? styles.active : active === null ? styles.line : styles.faint) ?? ''}
              strokeDasharray={dashesOf(pair).join(' ')}
              dot={{ r: active === pair ? 4 : 2.5, strokeDasharray: '' }}
              activeDot={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
});

/** A layer with the similarity of each pair, by the pair's key. */
type LayerRow = { readonly layer: number } & Readonly<Record<string, number>>;

/** A row for each layer. */
function layerRows({ cosines, lastLayer }: SimilarityFound, pooling: Pooling): LayerRow[] {
  return Array.from({ length: lastLayer + 1 }, (_, layer) => ({
    layer,
    ...Object.fromEntries((cosines[pooling][layer] ?? []).map((value, pair) => [pairKey(pair), value])),
  }));
}
