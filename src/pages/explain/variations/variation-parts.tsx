import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import type { Problem } from '../../../client/client.ts';
import { createSelectionStore } from '../../../explanations/selection-store.ts';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import { isEnterShortcut } from '../../../parts/keyboard.ts';
import { StoresContext, useStores } from '../../../stores/use-stores.ts';

/** A problem of a variation: its title, its message and the next step. */
export function VariationProblem({ code, message }: Pick<Problem, 'code' | 'message'>) {
  const { title, step } = nextStepAfter(code);
  return (
    <>
      <b>{title}.</b> {problemText(message)} {step}
    </>
  );
}

/** Components whose selection is apart from that of the outcome above, where the same section means something else. */
export function SeparateSelection({ children }: { readonly children: ReactNode }) {
  const stores = useStores();
  const inner = useMemo(() => ({ ...stores, selection: createSelectionStore() }), [stores]);
  return <StoresContext value={inner}>{children}</StoresContext>;
}

/** Handles the keys of a variation: its Ctrl or Cmd with Enter runs it, and not the question of the page. */
export function runOnEnter(run: () => void) {
  return (event: KeyboardEvent) => {
    if (!isEnterShortcut(event)) return;
    event.stopPropagation();
    event.preventDefault();
    if (!event.repeat) run();
  };
}
