import type { Faithfulness, Figure, OrderFigures } from '../../../../state/variations/faithfulness-store.ts';
import { type FAITHFULNESS, faithfulnessWords } from '../../../../words/en/explain/faithfulness.ts';
import { fixedText, numberText } from '../../../../words/numbers.ts';
import panel from '../../result/result-panel.module.css';
import styles from '../contrast/contrast.module.css';

/** Reads the figure of a row. */
const ROWS: Readonly<Record<keyof typeof FAITHFULNESS.rows, (order: OrderFigures) => Figure | null | undefined>> = {
  comprehensivenessByControls: ({ controls }) => controls.comprehensiveness,
  sufficiencyByControls: ({ controls }) => controls.sufficiency,
  comprehensivenessByDeletion: ({ deletion }) => deletion?.comprehensiveness,
  sufficiencyByDeletion: ({ deletion }) => deletion?.sufficiency,
  kendall: ({ kendall }) => kendall,
  spearman: ({ spearman }) => spearman,
  datamodelling: ({ datamodelling }) => datamodelling,
};

/** The figures of the explanation beside those of other orders, and what they say. */
export function FiguresTable({ faithfulness }: { readonly faithfulness: Faithfulness }) {
  const { orders, sections, evaluations } = faithfulness;
  const words = faithfulnessWords();
  const rows = Object.entries(ROWS).filter(([, figure]) => orders.some((order) => figure(order)));
  return (
    <>
      <p className={styles.lead} role="status" data-testid="faithfulness-lead">
        {leadOf(orders)}
      </p>
      <div className={styles.scroll}>
        <table className={styles.table} data-testid="faithfulness-table">
          <thead>
            <tr>
              <th scope="col">{words.figure}</th>
              {orders.map(({ name }) => (
                <th key={name} scope="col">
                  {orderName(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([row, figure]) => (
              <tr key={row}>
                <th scope="row">{words.rows[rowName(row)]}</th>
                {orders.map((order) => (
                  <td key={order.name}>{figureText(figure(order))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={panel.note}>{words.foot(numberText(sections), numberText(evaluations))}</p>
    </>
  );
}

function leadOf(orders: readonly OrderFigures[]): string {
  const words = faithfulnessWords();
  const lost = (name: string) => {
    const found = orders.find((order) => order.name === name);
    return found?.controls.comprehensiveness ?? null;
  };
  const [own, random] = [lost('explanation'), lost('random')];
  const isBetter = (own?.value ?? 0) > (random?.interval?.[1] ?? random?.value ?? 0);
  return (isBetter ? words.better : words.worse)(fixedText(own?.value ?? 0, 2), fixedText(random?.value ?? 0, 2));
}

function orderName(name: string): string {
  const { orders } = faithfulnessWords();
  const [, own] = Object.entries(orders).find(([key]) => key === name) ?? [];
  return own ?? name;
}

/** `Object.entries` forgets the names. */
function rowName(name: string): keyof typeof ROWS {
  return name as keyof typeof ROWS;
}

function figureText(figure: Figure | null | undefined): string {
  const words = faithfulnessWords();
  if (!figure) return words.none;
  const { value, interval } = figure;
  const text = fixedText(value, 2);
  return interval ? words.interval(text, fixedText(interval[0], 2), fixedText(interval[1], 2)) : text;
}
