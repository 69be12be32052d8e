import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import { createSelectionStore } from '../../../explanations/selection-store.ts';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import { Button, isEnterShortcut } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { StoresContext, useStores } from '../../../stores/use-stores.ts';
import styles from '../question/problem.module.css';
import { problemWords } from '../../../parts/words.en.ts';
import type { VariationPhase } from './variations-store.ts';

/** The progress of a variation, why it has no result, or the result. */
export function VariationResult<Value>(props: {
  readonly phase: VariationPhase<Value>;
  /** Names the progress. */
  readonly running: string;
  readonly otherModel: (modelVersion: string) => string;
  /** Draws a result. */
  readonly children: (value: Value) => ReactNode;
}) {
  const { phase, running, otherModel, children } = props;
  switch (phase.kind) {
    case 'idle':
      return null;
    case 'running':
      return <ProgressBar label={running} share={phase.done / phase.total} />;
    case 'done':
      return children(phase.value);
    case 'failed':
    case 'other model':
      return <VariationProblem phase={phase} otherModel={otherModel} />;
  }
}

/** Another model, or a problem: its title, its message, the next step and, with `onRetry`, a button. */
export function VariationProblem(props: {
  readonly phase: Extract<VariationPhase<unknown>, { kind: 'failed' | 'other model' }>;
  readonly otherModel?: (modelVersion: string) => string;
  readonly testId?: string;
  readonly onRetry?: () => void;
}) {
  const { phase, otherModel, testId, onRetry } = props;
  if (phase.kind === 'other model')
    return (
      <p className={styles.problem} role="alert">
        {otherModel?.(phase.modelVersion)}
      </p>
    );
  const { code, message } = phase.problem;
  const { title, step } = nextStepAfter(code);
  return (
    <div className={styles.problem} role="alert" data-testid={testId}>
      <p>
        <b>{title}.</b> {problemText(message)} {step}
      </p>
      {onRetry && <Button onClick={onRetry}>{problemWords().tryAgain}</Button>}
    </div>
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
