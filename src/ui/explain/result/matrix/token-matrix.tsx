import { memo, useMemo, useState } from 'react';
import { type Influence, largestCell, rankedIn, type Section, type View } from '../../../../state/explain/influence.ts';
import { Button } from '../../../parts/buttons.tsx';
import { Choice, type Option } from '../../../parts/fields/choice.tsx';
import { scaleStyle } from '../heat/colour-scale.ts';
import { useSectionLinks } from '../section-links.ts';
import { MatrixHead, MatrixRow } from './matrix-rows.tsx';
import panel from '../result-panel.module.css';
import styles from './token-matrix.module.css';

const FIRST_ROWS = 16;

type Order = 'strength' | 'text';
const ORDERS: readonly Option<Order>[] = [
  { value: 'strength', label: 'Strongest first' },
  { value: 'text', label: 'Prompt order' },
];

/** What a matrix draws. */
export interface TokenMatrixProps {
  readonly influence: Influence;
  readonly view: View;
}

/** Sections by target words; previous target tokens are context of later ones and stand below. */
export const TokenMatrix = memo(function TokenMatrix({ influence, view }: TokenMatrixProps) {
  const [order, setOrder] = useState<Order>('strength');
  const [isWhole, setIsWhole] = useState(false);
  const { stop, links } = useSectionLinks();
  const rows = useMemo(() => rowsOf(influence, order, isWhole), [influence, order, isWhole]);
  const hidden = influence.sections.length - rows.length;
  const reachable = rows.some((row) => row.id === stop) ? stop : rows[0]?.id;
  if (influence.sections.length === 0) return null;
  return (
    <div className={panel.block}>
      <div className={panel.blockHead}>
        <h3 className={panel.blockTitle}>By target word</h3>
        <Choice label="Order of the rows" options={ORDERS} value={order} onChoose={setOrder} />
      </div>
      <div className={isWhole ? `${styles.scroll} ${styles.tall}` : styles.scroll}>
        <table
          className={styles.matrix}
          data-testid="matrix"
          style={scaleStyle(largestCell(influence), influence.targets.length)}
          {...links}
        >
          <caption className="visually-hidden">Score in nats of each section for each target word</caption>
          <MatrixHead influence={influence} view={view} />
          <Rows rows={rows} reachable={reachable} />
          {influence.target.length > 0 && (
            <Rows title="Previous target tokens" rows={influence.target} reachable={stop} />
          )}
        </table>
      </div>
      {(hidden > 0 || isWhole) && influence.sections.length > FIRST_ROWS && (
        <div>
          <Button look="quiet" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? `Show the strongest ${FIRST_ROWS}` : `Show all ${influence.sections.length} sections`}
          </Button>
        </div>
      )}
    </div>
  );
});

function rowsOf({ sections }: Influence, order: Order, isWhole: boolean): readonly Section[] {
  const strongest = rankedIn(sections, 'whole').slice(0, isWhole ? sections.length : FIRST_ROWS);
  if (order === 'strength') return strongest;
  const kept = new Set(strongest);
  return sections.filter((section) => kept.has(section));
}

interface RowsProps {
  readonly title?: string;
  readonly rows: readonly Section[];
  readonly reachable: string | null | undefined;
}

function Rows({ title, rows, reachable }: RowsProps) {
  return (
    <tbody>
      {title && (
        <tr className={styles.groupTitle}>
          <th scope="rowgroup" colSpan={99}>
            {title}
          </th>
        </tr>
      )}
      {rows.map((section) => (
        <MatrixRow key={section.id} section={section} isReachable={section.id === reachable} />
      ))}
    </tbody>
  );
}
