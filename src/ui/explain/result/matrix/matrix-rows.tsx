import { memo } from 'react';
import type { Influence, Section, View } from '../../../../state/explain/influence.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { useStores, useStoreValue } from '../../../use-stores.ts';
import { natsText, sectionName, visibleText } from '../../texts.ts';
import { signOf, sizeStyle } from '../heat/colour-scale.ts';
import styles from './token-matrix.module.css';

/** The target words; hovering previews the explanation of one, pressing keeps it. */
export function MatrixHead({ influence, view }: { readonly influence: Influence; readonly view: View }) {
  const { selection } = useStores();
  const { choose, hoverView } = selection.getState();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">{resultWords().matrix.section}</th>
        {influence.targets.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a word is its place in the target
          <th key={index} scope="col" data-chosen={view === index || undefined}>
            <button
              type="button"
              dir="auto"
              title={text.trim()}
              aria-pressed={view === index}
              onClick={() => choose(selection.getState().view === index ? 'whole' : index)}
              onPointerEnter={() => hoverView(index)}
              onPointerLeave={() => hoverView(null)}
            >
              {visibleText(text)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** One section's row. */
export interface MatrixRowProps {
  readonly section: Section;
  /** Its place in the whole table, from 1 on, whatever is drawn of it. */
  readonly place: number;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/** A section's influence on each target word. Redrawn only when its own scores change. */
export const MatrixRow = memo(
  function MatrixRow({ section, place, isReachable }: MatrixRowProps) {
    const isActive = useStoreValue('selection', (state) => activeIn(state) === section.id);
    return (
      <tr
        className={styles.row}
        aria-rowindex={place}
        data-section={section.id}
        data-active={isActive || undefined}
        tabIndex={isReachable ? 0 : -1}
      >
        <th scope="row">{sectionName(section, 40)}</th>
        <Cells scores={section.scores} />
      </tr>
    );
  },
  (a, b) => a.isReachable === b.isReachable && a.place === b.place && isSameRow(a.section, b.section),
);

function isSameRow(a: Section, b: Section): boolean {
  return a === b || (a.id === b.id && sectionName(a) === sectionName(b) && isSame(a.scores, b.scores));
}

function isSame(a: Section['scores'], b: Section['scores']): boolean {
  return a.length === b.length && a.every((score, column) => score === b[column]);
}

/** Apart from the row, so that cells are not rendered again when the row becomes active. */
const Cells = memo(function Cells({ scores }: { readonly scores: Section['scores'] }) {
  return scores.map(cell);
});

/** No component: a window of a large matrix has thousands of them. */
function cell(score: number | null, column: number) {
  if (score === null)
    return (
      <td key={column} className={styles.none}>
        –
      </td>
    );
  return (
    <td key={column} className="influence-fill" data-sign={signOf(score)} data-score={score} style={sizeStyle(score)}>
      {natsText(score)}
    </td>
  );
}
