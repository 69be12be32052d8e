import type { ReactNode } from 'react';
import { nextStepAfter, problemText } from '../../../parts/feedback/next-step.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import styles from '../question/problem.module.css';
import { problemWords } from '../../../parts/words.en.ts';
import type { VariationPhase } from './variations-store.ts';

/** The progress of a variation, why it has no result, or the result. */
export function VariationResult<Value>(props: {
  readonly phase: VariationPhase<Value>;
  /** Names the progress. */
  readonly running: string;
  readonly otherModel: (modelVersion: string) => string;
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
