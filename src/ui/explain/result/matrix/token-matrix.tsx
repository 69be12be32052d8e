import { memo, startTransition, useMemo, useState } from 'react';
import { type Influence, largestCell, rankedIn, type Section, type View } from '../../../../state/explain/influence.ts';
import { WEAK_NATS } from '../../../../state/explain/scores/weak.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { Sentence } from '../../../parts/sentence.tsx';
import { fullColour } from '../heat/colour-scale.ts';
import { MatrixTable } from './matrix-table.tsx';
import panel from '../result-panel.module.css';

/** Rows of each group that are drawn until all are asked for. */
const FIRST_ROWS = 16;

const ORDERS = ['strength', 'text'] as const;
type Order = (typeof ORDERS)[number];

/** What a matrix draws. */
export interface TokenMatrixProps {
  readonly influence: Influence;
  readonly view: View;
}

/** Sections by target words; previous target tokens are context of later ones and stand below. */
export const TokenMatrix = memo(function TokenMatrix({ influence, view }: TokenMatrixProps) {
  const [order, setOrder] = useState<Order>('strength');
  const [isWhole, setIsWhole] = useState(false);
  const rows = useMemo(() => rowsOf(influence.sections, order, isWhole), [influence, order, isWhole]);
  const previous = useMemo(() => rowsOf(influence.target, 'text', isWhole), [influence, isWhole]);
  const largest = useMemo(() => largestCell(influence), [influence]);
  const words = resultWords().matrix;
  const { sections, target } = influence;
  if (sections.length === 0) return null;
  return (
    <div className={panel.block}>
      <div className={panel.blockHead}>
        <h3 className={panel.blockTitle}>
          <Sentence
            text={words.title}
            parts={{ unit: <span className={panel.note}>{words.unit(numberText(fullColour(largest)))}</span> }}
          />
        </h3>
        <Choice
          label={words.order}
          options={ORDERS.map((value) => ({ value, label: words.orders[value] }))}
          value={order}
          onChoose={setOrder}
        />
      </div>
      <MatrixTable {...{ influence, view, rows, previous, largest, isWhole }} />
      {(isWhole || rows.length + previous.length < sections.length + target.length) && (
        <div>
          <Button look="quiet" onClick={() => startTransition(() => setIsWhole(!isWhole))}>
            {isWhole ? words.strongest : words.all(sections.length + target.length)}
          </Button>
        </div>
      )}
    </div>
  );
});

/** The rows; until all are asked for the strongest, and none that is next to zero for every word. */
function rowsOf(sections: readonly Section[], order: Order, isWhole: boolean): readonly Section[] {
  const telling = isWhole ? sections : sections.filter(({ scores }) => scores.some(isTelling));
  const strongest = rankedIn(telling, 'whole').slice(0, isWhole ? sections.length : FIRST_ROWS);
  if (order === 'strength') return strongest;
  const kept = new Set(strongest);
  return sections.filter((section) => kept.has(section));
}

function isTelling(score: number | null): boolean {
  return score !== null && Math.abs(score) > WEAK_NATS;
}
