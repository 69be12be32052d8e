import { type ReactNode, useEffect } from 'react';
import type { LivePhase, LiveState, LiveStore } from '../../../state/page/live-store.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { nextStepAfter, problemText } from '../../explain/problem/next-step.ts';
import { Button } from '../../parts/buttons.tsx';
import { EnterKeys, useEnterShortcut } from '../../parts/enter-shortcut.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { useValueOf } from '../../use-stores.ts';
import styles from './live.module.css';

/** See `LivePanel`. */
export interface LivePanelProps<Asked, Found> {
  readonly store: LiveStore<Asked, Found>;
  /** Whether there is something to ask. */
  readonly isComplete: (asked: Asked) => boolean;
  /** The example that it starts with, for the way back. */
  readonly first: Asked;
  /** The fields in which it is changed. */
  readonly fields: ReactNode;
  /** Draws an answer. */
  readonly children: (found: Found, asked: Asked) => ReactNode;
}

/** A live example: texts to change, a button, and what the service answers. The first answer comes without a click. */
export function LivePanel<Asked extends object, Found>(props: LivePanelProps<Asked, Found>) {
  const { store, isComplete, first, fields, children } = props;
  const state = useValueOf(store, (all) => all);
  const { asked, last, phase } = state;
  const canRun = isComplete(asked);
  useEffect(() => {
    const { last: answered, phase: now } = store.getState();
    if (!answered && now.kind === 'idle') void store.getState().run();
  }, [store]);
  useEnterShortcut(() => canRun && void state.run());
  const words = learnWords().live;
  return (
    <div className={styles.panel} data-testid="live">
      {fields}
      <div className={styles.row}>
        <RunButton state={state} canRun={canRun} />
        <RunNote phase={phase} canRun={canRun} />
        {asked !== first && (
          <Button look="quiet" onClick={() => state.edit(first)}>
            {words.reset}
          </Button>
        )}
      </div>
      {phase.kind === 'running' && <ProgressBar label={words.running} share={shareOf(phase)} />}
      {phase.kind === 'failed' && <Failed phase={phase} />}
      <div className={styles.result} aria-live="polite" aria-busy={phase.kind === 'running'} data-testid="live-result">
        {last ? (
          <>
            {last.asked !== asked && phase.kind !== 'running' && <p className={styles.stale}>{words.stale}</p>}
            {children(last.found, last.asked)}
          </>
        ) : (
          <p className={styles.note}>{words.waiting}</p>
        )}
      </div>
    </div>
  );
}

/** One button for both, so that the focus stays on it. */
function RunButton<Asked, Found>({
  state,
  canRun,
}: {
  readonly state: LiveState<Asked, Found>;
  readonly canRun: boolean;
}) {
  const words = learnWords().live;
  const isRunning = state.phase.kind === 'running';
  return (
    <Button
      look={isRunning ? 'plain' : 'primary'}
      data-testid={isRunning ? 'live-cancel' : 'live-run'}
      disabled={!isRunning && !canRun}
      onClick={() => (isRunning ? state.cancel() : void state.run())}
    >
      {isRunning ? words.cancel : words.run}
    </Button>
  );
}

function RunNote({ phase, canRun }: { readonly phase: LivePhase; readonly canRun: boolean }) {
  const words = learnWords().live;
  if (phase.kind === 'running') return <span className={styles.note}>{words.running}</span>;
  return canRun ? <EnterKeys /> : <span className={styles.note}>{words.missing}</span>;
}

function shareOf({ progress }: Extract<LivePhase, { kind: 'running' }>): number | null {
  return progress && progress.total > 0 ? progress.done / progress.total : null;
}

function Failed({ phase }: { readonly phase: Extract<LivePhase, { kind: 'failed' }> }) {
  const { code, message } = phase.problem;
  const { title, step } = nextStepAfter(code);
  return (
    <div className={styles.problem} role="alert">
      <p>
        {learnWords().live.failed} {title}. {problemText(message)}
      </p>
      <p>{step}</p>
    </div>
  );
}
