import { useDeferredValue } from 'react';
import { viewIn } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { shownViewIn } from '../../../state/explain/selection-store.ts';
import { resultWords } from '../../../words/en/explain/result.ts';
import { useStoreValue } from '../../use-stores.ts';
import { BarsBlock } from './bars-block.tsx';
import { PromptHeat } from './heat/prompt-heat.tsx';
import { TokenMatrix } from './matrix/token-matrix.tsx';
import { TargetTokens } from './matrix/target-tokens.tsx';
import { DeletionNote } from './head/deletion-note.tsx';
import { EstimatesNote } from './head/estimates-note.tsx';
import { OwnAnswerNote } from './head/own-answer.tsx';
import { ResultHead } from './head/result-head.tsx';
import { Variations } from '../variations/variations.tsx';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

/** One outcome, complete or partial: in words, on the text, as bars, and for each target token. */
export function Result({ outcome }: { readonly outcome: Outcome }) {
  const { influence } = outcome;
  // The matrix is built after the text: both in one task would block the page.
  const later = useDeferredValue(influence, null);
  const view = viewIn(influence, useStoreValue('selection', shownViewIn));
  // The words follow the chosen view only: a preview must not move what the pointer is over.
  const chosen = viewIn(
    influence,
    useStoreValue('selection', (state) => state.view),
  );
  return (
    <div className={`${styles.card} ${styles.sections}`} data-testid="result">
      <ResultHead outcome={outcome} view={chosen} />
      <EstimatesNote outcome={outcome} />
      <DeletionNote outcome={outcome} />
      {outcome.prediction && <OwnAnswerNote prediction={outcome.prediction} target={outcome.question.target} />}
      <TargetTokens influence={influence} />
      <div>
        <PromptHeat outcome={outcome} view={view} />
        <ScoreTable label={resultWords().heat.table} sections={influence.sections} view={view} />
      </div>
      <Variations outcome={outcome} />
      <BarsBlock sections={influence.sections} view={view} />
      {later && <TokenMatrix influence={later} view={view} />}
    </div>
  );
}
