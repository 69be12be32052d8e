import { memo, startTransition, useMemo, useState } from 'react';
import { type Influence, largestCell, type ScoreView } from '../explanations/influence.ts';
import type { Outcome } from '../explanations/outcome.ts';
import { Button } from '../parts/buttons.tsx';
import { Choice } from '../parts/fields/choice.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { numberText } from '../words/language.ts';
import { fullColour } from './scale.ts';
import { listedRows, type RowOrder } from './elements/matrix.ts';
import styles from './heat/heat-map.module.css';
import { useHeatData } from './heat/heat-map.tsx';
import panel from './panel.module.css';
import { useLinkedElement } from './section-links.ts';
import { resultWords } from './words.en.ts';

const ORDERS: readonly RowOrder[] = ['strength', 'text'];

/** Sections by target words; previous target tokens are context of later ones and are listed below. */
export const TokenMatrix = memo(function TokenMatrix(props: { readonly outcome: Outcome; readonly view: ScoreView }) {
  const { view } = props;
  const { question, influence } = props.outcome;
  const { largest, count, hasMore } = useMemo(() => measured(influence), [influence]);
  const data = useHeatData(question, influence);
  const [order, setOrder] = useState<RowOrder>('strength');
  const [isWhole, setIsWhole] = useState(false);
  const ref = useLinkedElement();
  const words = resultWords().matrix;
  if (influence.sections.length === 0) return null;
  const full = numberText(fullColour(largest));
  return (
    <div className={panel.block}>
      <div className={panel.blockHead}>
        <h3 className={panel.blockTitle}>
          <Sentence text={words.title} parts={{ unit: <span className={panel.note}>{words.unit(full)}</span> }} />
        </h3>
        <Choice
          label={words.order}
          options={ORDERS.map((value) => ({ value, label: words.orders[value] }))}
          value={order}
          onChoose={setOrder}
        />
      </div>
      <lightwell-matrix
        ref={ref}
        className={styles.heat}
        data-testid="matrix"
        data={data}
        view={view}
        order={order}
        isWhole={isWhole}
      />
      {hasMore && (
        <div>
          <Button look="quiet" onClick={() => startTransition(() => setIsWhole(!isWhole))}>
            {isWhole ? words.strongest : words.all(count)}
          </Button>
        </div>
      )}
    </div>
  );
});

/** What takes a pass over all cells: a view changes with each head under the pointer, these do not. */
function measured(influence: Influence) {
  const { sections, target } = influence;
  return {
    largest: largestCell(influence),
    count: sections.length + target.length,
    hasMore: [sections, target].some((rows) => listedRows(rows, 'text', false).length < rows.length),
  };
}
