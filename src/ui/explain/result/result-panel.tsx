import { useDeferredValue } from 'react';
import { shownIn } from '../../../state/explain/explain-store.ts';
import { viewIn } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { shownViewIn } from '../../../state/explain/selection-store.ts';
import { Button } from '../../parts/buttons.tsx';
import { useEngine, useExplain, useSelection, useStores } from '../../use-stores.ts';
import { Awaiting } from './awaiting.tsx';
import { BarsBlock } from './bars-block.tsx';
import { PromptHeat } from './heat/prompt-heat.tsx';
import { TargetTokens } from './matrix/target-tokens.tsx';
import { TokenMatrix } from './matrix/token-matrix.tsx';
import { nextStepAfter } from './next-step.ts';
import { ResultHead } from './result-head.tsx';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

/** What came of the question; a problem stands above the last result and does not take it away. */
export function ResultPanel() {
  const outcome = useExplain(shownIn);
  return (
    <section className={styles.panel} aria-label="Result">
      <ProblemNote />
      {outcome ? <Result outcome={outcome} /> : <Awaiting />}
    </section>
  );
}

/** What went wrong with the question, or with the model itself: the cause, and the next step. */
function ProblemNote() {
  const { explain } = useStores();
  const phase = useExplain((state) => state.phase);
  const engine = useEngine((state) => state.status);
  const asked = phase.kind === 'failed' ? phase.problem : null;
  const problem = asked ?? (engine.kind === 'failed' && phase.kind !== 'running' ? engine.problem : null);
  if (!problem) return null;
  const { title, step, canRetry } = nextStepAfter(problem.code);
  return (
    <div className={styles.problem} role="alert" data-testid="problem">
      <p className={styles.problemTitle}>{title}</p>
      <p>{problem.message}</p>
      <p>{step}</p>
      <div className={styles.problemActions}>
        {canRetry && <Button onClick={() => void explain.getState().run()}>Try again</Button>}
      </div>
    </div>
  );
}

/** One outcome, complete or still growing: in words, on the text, as bars, and for each target token. */
function Result({ outcome }: { readonly outcome: Outcome }) {
  const { influence } = outcome;
  // The matrix may come a little later than the text: built in the same breath they would hold the page.
  const later = useDeferredValue(influence, null);
  const view = viewIn(influence, useSelection(shownViewIn));
  // A preview must not move what the pointer is over, so the words follow the chosen view only.
  const chosen = viewIn(
    influence,
    useSelection((state) => state.view),
  );
  return (
    <div className={`${styles.card} ${styles.sections}`} data-testid="result">
      <ResultHead outcome={outcome} view={chosen} />
      <TargetTokens influence={influence} />
      <div>
        <PromptHeat outcome={outcome} view={view} />
        <ScoreTable label="Heat map as table" sections={influence.sections} view={view} />
      </div>
      <BarsBlock sections={influence.sections} view={view} />
      {later && <TokenMatrix influence={later} view={view} />}
    </div>
  );
}
