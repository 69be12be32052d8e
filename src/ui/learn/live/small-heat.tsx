import { type ReactNode, useMemo } from 'react';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { createSelectionStore } from '../../../state/explain/selection-store.ts';
import { PromptHeat } from '../../explain/result/heat/prompt-heat.tsx';
import { ScoreTable } from '../../explain/result/score-table.tsx';
import { resultWords } from '../../../words/en/explain/result.ts';
import { StoresContext, useStores } from '../../use-stores.ts';

/** Elements whose selected section is their own: what is hovered here lights up nowhere else. */
function OwnSelection({ children }: { readonly children: ReactNode }) {
  const stores = useStores();
  const own = useMemo(() => ({ ...stores, selection: createSelectionStore() }), [stores]);
  return <StoresContext value={own}>{children}</StoresContext>;
}

/** The prompt of an outcome in the colours of its scores, with the numbers under the pointer, the scale, and all of them as a table. */
export function SmallHeat({ outcome }: { readonly outcome: Outcome }) {
  return (
    <OwnSelection key={outcome.question.prompt}>
      <div>
        <PromptHeat outcome={outcome} view="whole" />
        <ScoreTable
          label={resultWords().heat.table}
          sections={outcome.influence.sections}
          view="whole"
          settings={outcome.question.settings}
        />
      </div>
    </OwnSelection>
  );
}
