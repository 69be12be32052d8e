import type { Outcome } from '../../../../state/explain/outcome.ts';
import { faithfulnessOf, type FaithfulnessStore } from '../../../../state/variations/faithfulness-store.ts';
import { faithfulnessWords } from '../../../../words/en/explain/faithfulness.ts';
import { numberText } from '../../../../words/numbers.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { useStores, useValueOf } from '../../../use-stores.ts';
import { nextStepAfter, problemText } from '../../problem/next-step.ts';
import problem from '../../problem/problem.module.css';
import panel from '../../result/result-panel.module.css';
import styles from '../contrast/contrast.module.css';
import { FiguresTable } from './figures-table.tsx';

/** Puts a result to the test. */
export function FaithfulnessPanel({ outcome }: { readonly outcome: Outcome }) {
  const { variations } = useStores();
  const store = faithfulnessOf(outcome, variations.getState().source);
  const canRun = useValueOf(store, (state) => state.canRun);
  const words = faithfulnessWords();
  return (
    <section className={styles.panel} aria-label={words.label} data-testid="faithfulness-panel">
      <h3 className={panel.blockTitle}>{words.title}</h3>
      <p className={panel.note}>{words.about}</p>
      {canRun ? (
        <>
          <p className={panel.note}>{words.cost(numberText(outcome.influence.sections.length))}</p>
          <Run store={store} />
          <Answer store={store} />
        </>
      ) : (
        <p className={panel.note}>{words.few}</p>
      )}
    </section>
  );
}

/** One button for both, so that the focus stays on it. */
function Run({ store }: { readonly store: FaithfulnessStore }) {
  const isRunning = useValueOf(store, ({ phase }) => phase.kind === 'running');
  const { run, cancel } = store.getState();
  const words = faithfulnessWords();
  return (
    <div>
      <Button data-testid="run-test" onClick={() => (isRunning ? cancel() : void run())}>
        {isRunning ? words.cancel : words.run}
      </Button>
    </div>
  );
}

/** How far it has come, what went wrong, or the figures. */
function Answer({ store }: { readonly store: FaithfulnessStore }) {
  const phase = useValueOf(store, (state) => state.phase);
  const words = faithfulnessWords();
  switch (phase.kind) {
    case 'idle':
      return null;
    case 'running':
      return <ProgressBar label={words.running} share={phase.done / phase.total} />;
    case 'done':
      return <FiguresTable faithfulness={phase.faithfulness} />;
    case 'failed': {
      const { title, step } = nextStepAfter(phase.problem.code);
      return (
        <p className={problem.problem} role="alert">
          {phase.isOtherModel ? (
            words.otherModel
          ) : (
            <>
              <b>{title}.</b> {problemText(phase.problem.message)} {step}
            </>
          )}
        </p>
      );
    }
  }
}
