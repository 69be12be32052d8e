import type { Outcome } from '../../../explanations/outcome.ts';
import type { Faithfulness, Figure, OrderFigures } from '../../../client/faithfulness/faithfulness.ts';
import { mostEvaluations } from '../../../client/faithfulness/sections.ts';
import { tokenEstimate } from '../../../explanations/token-estimate.ts';
import { useTokenCost } from '../question/length-advice.tsx';
import { faithfulnessWords } from './words.en.ts';
import { fixedText, numberText } from '../../../words/language.ts';
import { Button } from '../../../parts/buttons.tsx';
import { WideTable } from '../../../parts/layout/wide-table.tsx';
import { useStores, useValueOf } from '../../../stores/use-stores.ts';
import panel from '../../../figures/panel.module.css';
import styles from './contrast.module.css';
import { VariationResult } from './variation-parts.tsx';
import { faithfulnessStoreOf } from './faithfulness-store.ts';

/** Tests an outcome. */
export function FaithfulnessPanel({ outcome }: { readonly outcome: Outcome }) {
  const { upstream } = outcome;
  const { source, anySource } = useStores().variations.getState();
  const store = faithfulnessStoreOf(outcome, upstream === null ? source : anySource);
  const canRun = useValueOf(store, (state) => state.canRun);
  const costAt = useRequestCost(outcome);
  const words = faithfulnessWords();
  return (
    <section className={styles.panel} aria-label={words.label} data-testid="faithfulness-panel">
      <h3 className={panel.blockTitle}>{words.title}</h3>
      <p className={panel.note}>{words.about}</p>
      {canRun ? (
        <>
          <p className={panel.note} data-testid="faithfulness-cost">
            {upstream === null ? words.cost(numberText(outcome.influence.sections.length)) : costAt(upstream)}
          </p>
          <TestRun store={store} />
        </>
      ) : (
        <p className={panel.note}>{words.few}</p>
      )}
    </section>
  );
}

/** What the test sends to a server, at most. */
function useRequestCost({ question: { prompt, target }, influence }: Outcome): (address: string) => string {
  const costOf = useTokenCost();
  return (address) => {
    const requests = mostEvaluations(influence.sections.length);
    const tokens = requests * tokenEstimate(prompt + target, false);
    const { host } = new URL(address);
    return faithfulnessWords().requests(numberText(requests), host, numberText(tokens), costOf(tokens));
  };
}

/** The button that starts and cancels the test, and its progress, its problem, or the figures. */
function TestRun({ store }: { readonly store: ReturnType<typeof faithfulnessStoreOf> }) {
  const phase = useValueOf(store, (state) => state.phase);
  const { run, cancel } = store.getState();
  const words = faithfulnessWords();
  const isRunning = phase.kind === 'running';
  return (
    <>
      <div>
        {/* One button for both, so that the focus stays on it. */}
        <Button data-testid="run-test" onClick={() => (isRunning ? cancel() : void run())}>
          {isRunning ? words.cancel : words.run}
        </Button>
      </div>
      <VariationResult phase={phase} running={words.running} otherModel={() => words.otherModel}>
        {(faithfulness) => <FiguresTable faithfulness={faithfulness} />}
      </VariationResult>
    </>
  );
}

const ROWS: readonly (readonly [
  name: keyof ReturnType<typeof faithfulnessWords>['rows'],
  figureOf: (order: OrderFigures) => Figure | null | undefined,
])[] = [
  ['comprehensivenessByControls', ({ controls }) => controls?.comprehensiveness],
  ['sufficiencyByControls', ({ controls }) => controls?.sufficiency],
  ['comprehensivenessByDeletion', ({ deletion }) => deletion?.comprehensiveness],
  ['sufficiencyByDeletion', ({ deletion }) => deletion?.sufficiency],
  ['kendall', ({ kendall }) => kendall],
  ['spearman', ({ spearman }) => spearman],
  ['datamodelling', ({ controls, datamodelling }) => controls && datamodelling],
  ['datamodellingByDeletion', ({ controls, datamodelling }) => (controls ? null : datamodelling)],
];

/** The figures of the explanation beside those of other orders, and what they mean. */
function FiguresTable({ faithfulness }: { readonly faithfulness: Faithfulness }) {
  const { orders, sections, evaluations } = faithfulness;
  const words = faithfulnessWords();
  const rows = ROWS.filter(([, figureOf]) => orders.some((order) => figureOf(order)));
  return (
    <>
      <p className={styles.lead} role="status" data-testid="faithfulness-lead">
        {leadOf(orders)}
      </p>
      <WideTable
        label={words.title}
        caption={null}
        testId="faithfulness-table"
        className={styles.table}
        frameClass={styles.scroll}
        head={[words.figure, ...orders.map(({ name }) => new Map(Object.entries(words.orders)).get(name) ?? name)]}
        rows={rows.map(([name, figureOf]) => ({
          name: words.rows[name],
          cells: orders.map((order) => figureText(figureOf(order))),
        }))}
      />
      <p className={panel.note}>{words.foot(numberText(sections), numberText(evaluations))}</p>
    </>
  );
}

function leadOf(orders: readonly OrderFigures[]): string {
  const words = faithfulnessWords();
  const lossOf = (name: string) => {
    const { controls, deletion } = orders.find((order) => order.name === name) ?? {};
    return (controls ?? deletion)?.comprehensiveness;
  };
  const [loss, random] = [lossOf('explanation'), lossOf('random')];
  const isBetter = (loss?.value ?? 0) > (random?.interval?.[1] ?? random?.value ?? 0);
  return (isBetter ? words.better : words.worse)(fixedText(loss?.value ?? 0, 2), fixedText(random?.value ?? 0, 2));
}

function figureText(figure: Figure | null | undefined): string {
  const words = faithfulnessWords();
  if (!figure) return words.none;
  const { value, interval } = figure;
  const text = fixedText(value, 2);
  return interval ? words.interval(text, fixedText(interval[0], 2), fixedText(interval[1], 2)) : text;
}
