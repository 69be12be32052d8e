import { useDeferredValue } from 'react';
import { viewIn } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { shownViewIn } from '../../../state/explain/selection-store.ts';
import { useSelection } from '../../use-stores.ts';
import { BarsBlock } from '../scores/bars-block.tsx';
import { PromptHeat } from '../heat/prompt-heat.tsx';
import { ResultHead } from './result-head.tsx';
import styles from './result-panel.module.css';
import { ScoreTable } from '../scores/score-table.tsx';
import { TargetTokens } from '../matrix/target-tokens.tsx';
import { TokenMatrix } from '../matrix/token-matrix.tsx';

/** One outcome, complete or still growing: in words, on the text, as bars, and for each target token. */
export function Result({ outcome }: { readonly outcome: Outcome }) {
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
