import type { Pooling } from '../../contract/embed.ts';
import type { SimilarityFound } from '../../state/inside/similarity.ts';
import { insideWords } from '../../words/en/inside.ts';
import { numberText } from '../../words/numbers.ts';
import { nameOf } from '../explain/texts.ts';
import { StopsSlider } from '../parts/fields/stops-slider.tsx';
import { cosineText, shareStyle } from './similarity-texts.ts';
import wide from '../parts/layout/table.module.css';
import styles from './inside-page.module.css';

/** See `LayerMatrix`. */
interface LayerMatrixProps {
  readonly found: SimilarityFound;
  readonly pooling: Pooling;
  readonly layer: number;
  readonly onLayer: (layer: number) => void;
}

/** Each text with each, at a layer that a slider chooses. */
export function LayerMatrix({ found, pooling, layer, onLayer }: LayerMatrixProps) {
  const words = insideWords().matrix;
  const stops = Array.from({ length: found.lastLayer + 1 }, (_, index) => index);
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>{words.title}</h3>
      <div className={styles.slider}>
        <span>{words.slider}</span>
        <StopsSlider label={words.slider} stops={stops} value={layer} text={numberText(layer)} onChange={onLayer} />
        <output className={styles.value}>{numberText(layer)}</output>
      </div>
      <div
        className={wide.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={words.caption(numberText(layer))}
      >
        <table className={`${wide.table} ${styles.table} ${styles.dense}`} data-testid="similarity-matrix">
          <caption>{words.caption(numberText(layer))}</caption>
          <thead>
            <tr>
              <td aria-hidden />
              {found.texts.map((_, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a text is its place in the list
                <th key={index} scope="col">
                  {numberText(index + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.texts.map((text, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- a text is its place in the list
              <tr key={row}>
                <th scope="row" className={styles.rowName}>
                  {numberText(row + 1)} <bdi>{nameOf(text, 28)}</bdi>
                </th>
                {found.texts.map((_, column) => (
                  <Cell
                    // oxlint-disable-next-line react/no-array-index-key -- a text is its place in the list
                    key={column}
                    value={cosineAt(found, { pooling, layer }, row, column)}
                    low={lowest(found, pooling)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Cell({ value, low }: { readonly value: number; readonly low: number }) {
  return (
    <td className={styles.cell} style={shareStyle(value, low)}>
      {cosineText(value)}
    </td>
  );
}

function cosineAt(
  { pairs, cosines }: SimilarityFound,
  { pooling, layer }: { readonly pooling: Pooling; readonly layer: number },
  row: number,
  column: number,
): number {
  if (row === column) return 1;
  const pair = pairs.findIndex(([a, b]) => a === Math.min(row, column) && b === Math.max(row, column));
  return cosines[pooling][layer]?.[pair] ?? 0;
}

/** The lowest similarity at any layer, so that a shade means the same wherever the slider stands. */
function lowest({ cosines }: SimilarityFound, pooling: Pooling): number {
  return Math.min(...cosines[pooling].flat());
}
