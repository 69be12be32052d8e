import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { viewIn } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { shownViewIn } from '../../../state/explain/selection-store.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useStoreValue } from '../../use-stores.ts';
import { BarsBlock } from './bars-block.tsx';
import { PromptHeat } from './heat/prompt-heat.tsx';
import { TargetTokens } from './matrix/target-tokens.tsx';
import { OwnAnswer } from './head/own-answer.tsx';
import { ResultHead } from './head/result-head.tsx';
import { loadCoarseNote, loadMatrix } from './later.ts';
import { ScoreTable } from './score-table.tsx';
import styles from './result-panel.module.css';

const CoarseNote = lazy(async () => ({ default: (await loadCoarseNote()).CoarseNote }));
const TokenMatrix = lazy(async () => ({ default: (await loadMatrix()).TokenMatrix }));

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
      <Later>
        <CoarseNote outcome={outcome} />
      </Later>
      {outcome.prediction && <OwnAnswer prediction={outcome.prediction} target={outcome.question.target} />}
      <TargetTokens influence={influence} />
      <div>
        <PromptHeat outcome={outcome} view={view} />
        <ScoreTable label="Heat map as table" sections={influence.sections} view={view} />
      </div>
      <BarsBlock sections={influence.sections} view={view} />
      {later && (
        <Later>
          <TokenMatrix influence={later} view={view} />
        </Later>
      )}
    </div>
  );
}

/** A part that is loaded when it is first shown; the others stay where it cannot be. */
function Later({ children }: { readonly children: ReactNode }) {
  return (
    <FallbackBoundary fallback={<p className={styles.note}>A part of the result could not be loaded.</p>}>
      <Suspense>{children}</Suspense>
    </FallbackBoundary>
  );
}
