import { type ReactNode, useEffect, useRef } from 'react';
import type { LiveStore } from '../../stores/live-store.ts';
import { liveWords } from './words.en.ts';
import { nextStepAfter, problemText } from '../feedback/next-step.ts';
import { Button, EnterKeys, focusOn, useEnterShortcut } from '../buttons.tsx';
import { ProgressBar } from '../feedback/status.tsx';
import { useValueOf } from '../../stores/use-stores.ts';
import styles from './live.module.css';
import { shareOf } from '../../stores/status-stores.ts';

interface LivePanelProps<Asked, Found> {
  readonly store: LiveStore<Asked, Found>;
  /** Names its elements where a page has several. */
  readonly name?: string;
  /** `inline` inside another card. */
  readonly look?: 'card' | 'inline';
  /** Whether there is something to ask. */
  readonly isComplete: (asked: Asked) => boolean;
  /** Said while there is not. */
  readonly missing?: string;
  /** The example that it starts with: it is asked at once, and a button leads back to it. Left out: it waits. */
  readonly first?: Asked;
  /** What the button is called; left out: Run. */
  readonly runLabel?: string;
  /** What is asked, where the store does not have it yet. */
  readonly current?: Asked;
  /** Words for failures of these codes. */
  readonly failures?: Readonly<Record<string, string>>;
  /** The fields in which it is changed. */
  readonly fields: ReactNode;
  readonly children: (found: Found, asked: Asked) => ReactNode;
}

/** A live example: texts to change, a button, and what the service answers. */
export function LivePanel<Asked extends object, Found>(props: LivePanelProps<Asked, Found>) {
  const { store, name = 'live', look = 'card', isComplete, first, failures } = props;
  const { asked: held, last, phase, edit } = useValueOf(store, (all) => all);
  const asked = props.current ?? held;
  const canRun = isComplete(asked);
  const panel = useRef<HTMLDivElement>(null);
  const words = liveWords();
  const run = () => {
    if (props.current) edit(props.current);
    void store.getState().run();
  };
  useFirstRun(store, first !== undefined);
  useEnterShortcut(() => {
    if (canRun && panel.current?.contains(document.activeElement)) run();
  });
  return (
    <div className={look === 'card' ? styles.panel : styles.inline} data-testid={name} ref={panel}>
      {props.fields}
      <RunRow {...props} name={name} look={look} canRun={canRun} run={run} />
      {phase.kind === 'running' && <ProgressBar label={words.running} share={shareOf(phase.progress)} />}
      {phase.kind === 'failed' && <Failed {...phase.problem} known={failures?.[phase.problem.code]} />}
      {(last || look === 'card') && (
        <div
          className={styles.result}
          aria-live="polite"
          aria-busy={phase.kind === 'running'}
          data-testid={`${name}-result`}
        >
          {last ? (
            <>
              {!isSame(last.asked, asked) && phase.kind !== 'running' && <p className={styles.stale}>{words.stale}</p>}
              {props.children(last.found, last.asked)}
            </>
          ) : (
            <p className={styles.note}>{words.waiting}</p>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * One button that runs and cancels, so that the focus stays on it; and one that leads back to the example, or, once that or
 * another one has replaced the visitor's texts, back to these.
 */
function RunRow<Asked extends object, Found>(
  props: LivePanelProps<Asked, Found> & { readonly canRun: boolean; readonly run: () => void },
) {
  const { store, name, look, first, canRun, run } = props;
  const { asked, replaced, phase, cancel, replace, undo } = useValueOf(store, (all) => all);
  const words = liveWords();
  const isRunning = phase.kind === 'running';
  const note = isRunning ? words.running : (props.missing ?? words.missing);
  const back = () => {
    if (!replaced) return first && replace(first);
    focusOn(`${name}-run`); // this button may go
    undo();
  };
  return (
    <div className={styles.row}>
      <Button
        look={look === 'card' && !isRunning ? 'primary' : 'plain'}
        id={`${name}-run`}
        data-testid={`${name}-${isRunning ? 'cancel' : 'run'}`}
        disabled={!isRunning && !canRun}
        onClick={isRunning ? cancel : run}
      >
        {isRunning ? words.cancel : (props.runLabel ?? words.run)}
      </Button>
      {canRun && !isRunning ? <EnterKeys /> : <span className={styles.note}>{note}</span>}
      {(replaced || (first && !isSame(asked, first))) && (
        <Button look="quiet" onClick={back}>
          {replaced ? words.undo : words.reset}
        </Button>
      )}
    </div>
  );
}

/** Asks once where nothing was asked yet. */
function useFirstRun<Asked, Found>(store: LiveStore<Asked, Found>, isWanted: boolean): void {
  useEffect(() => {
    const { last, phase, run } = store.getState();
    if (isWanted && !last && phase.kind === 'idle') void run();
  }, [store, isWanted]);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param known  replaces the service's own words */
function Failed(props: { readonly code: string; readonly message: string; readonly known: string | undefined }) {
  const { code, message, known } = props;
  const { title, step } = nextStepAfter(code);
  return (
    <div className={styles.problem} role="alert">
      {known ? (
        <p>{known}</p>
      ) : (
        <>
          <p>
            {liveWords().failed} {title}. {problemText(message)}
          </p>
          <p>{step}</p>
        </>
      )}
    </div>
  );
}

/** What to notice in an answer: sentences that follow from its numbers. */
export function Notice({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <section className={styles.notice} data-testid="notice">
      <h3 className={styles.noticeTitle}>{liveWords().notice}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
