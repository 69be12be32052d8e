import { type ReactNode, useEffect, useRef } from 'react';
import type { LivePhase, LiveStore } from '../../stores/live-store.ts';
import { liveWords } from './words.en.ts';
import { nextStepAfter, problemText } from '../feedback/next-step.ts';
import { Button, EnterKeys, focusOn, useEnterShortcut } from '../buttons.tsx';
import { ProgressBar } from '../feedback/status.tsx';
import { useValueOf } from '../../stores/use-stores.ts';
import styles from './live.module.css';

interface LivePanelProps<Asked, Found> {
  readonly store: LiveStore<Asked, Found>;
  /** Names its elements where a page has several. */
  readonly name?: string;
  /** `inline` where it stands within another one's card. */
  readonly look?: 'card' | 'inline';
  /** Whether there is something to ask. */
  readonly isComplete: (asked: Asked) => boolean;
  /** Said while there is not. */
  readonly missing?: string;
  /** The example that it starts with: it is asked at once, and a button leads back to it. Left out: it waits. */
  readonly first?: Asked;
  /** What the button is called; left out: Run. */
  readonly runLabel?: string;
  /** Puts in place what is to be asked, where the store does not hold it yet. */
  readonly current?: Asked;
  /** Words for failures of these codes. */
  readonly failures?: Readonly<Record<string, string>>;
  /** The fields in which it is changed. */
  readonly fields: ReactNode;
  /** Draws an answer. */
  readonly children: (found: Found, asked: Asked) => ReactNode;
}

/** A live example: texts to change, a button, and what the service answers. */
export function LivePanel<Asked extends object, Found>(props: LivePanelProps<Asked, Found>) {
  const { store, name = 'live', look = 'card', isComplete, missing, first, runLabel, failures } = props;
  const { asked: held, last, phase, edit, cancel } = useValueOf(store, (all) => all);
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
      <div className={styles.row}>
        <RunButton
          look={look === 'card' ? 'primary' : 'plain'}
          label={runLabel ?? words.run}
          name={name}
          phase={phase}
          canRun={canRun}
          run={run}
          cancel={cancel}
        />
        <RunNote phase={phase} canRun={canRun} missing={missing ?? words.missing} />
        <BackButton store={store} first={first} runId={runId(name)} />
      </div>
      {phase.kind === 'running' && <ProgressBar label={words.running} share={shareOf(phase)} />}
      {phase.kind === 'failed' && <Failed phase={phase} known={failures?.[phase.problem.code]} />}
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

function runId(name: string): string {
  return `${name}-run`;
}

interface BackButtonProps<Asked, Found> {
  readonly store: LiveStore<Asked, Found>;
  readonly first: Asked | undefined;
  readonly runId: string;
}

/** Leads back to the example; once that, or another one, has replaced the visitor's texts, back to these. */
function BackButton<Asked extends object, Found>({ store, first, runId: next }: BackButtonProps<Asked, Found>) {
  const { asked, replaced, replace, undo } = useValueOf(store, (all) => all);
  const words = liveWords();
  const back = () => {
    focusOn(next); // this button may go
    undo();
  };
  if (!replaced && (!first || isSame(asked, first))) return null;
  return (
    <Button look="quiet" onClick={replaced ? back : () => first && replace(first)}>
      {replaced ? words.undo : words.reset}
    </Button>
  );
}

/** Asks once where nothing was asked yet. */
function useFirstRun<Asked, Found>(store: LiveStore<Asked, Found>, isWanted: boolean): void {
  useEffect(() => {
    const { last, phase, run } = store.getState();
    if (isWanted && !last && phase.kind === 'idle') void run();
  }, [store, isWanted]);
}

/** Whether two questions are the same. */
function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface RunButtonProps {
  readonly look: 'primary' | 'plain';
  readonly label: string;
  readonly name: string;
  readonly phase: LivePhase;
  readonly canRun: boolean;
  readonly run: () => void;
  readonly cancel: () => void;
}

/** One button for both, so that the focus stays on it. */
function RunButton({ look, label, name, phase, canRun, run, cancel }: RunButtonProps) {
  const isRunning = phase.kind === 'running';
  return (
    <Button
      look={isRunning ? 'plain' : look}
      id={runId(name)}
      data-testid={isRunning ? `${name}-cancel` : runId(name)}
      disabled={!isRunning && !canRun}
      onClick={isRunning ? cancel : run}
    >
      {isRunning ? liveWords().cancel : label}
    </Button>
  );
}

interface RunNoteProps {
  readonly phase: LivePhase;
  readonly canRun: boolean;
  readonly missing: string;
}

function RunNote({ phase, canRun, missing }: RunNoteProps) {
  if (phase.kind === 'running') return <span className={styles.note}>{liveWords().running}</span>;
  return canRun ? <EnterKeys /> : <span className={styles.note}>{missing}</span>;
}

function shareOf({ progress }: Extract<LivePhase, { kind: 'running' }>): number | null {
  return progress && progress.total > 0 ? progress.done / progress.total : null;
}

interface FailedProps {
  readonly phase: Extract<LivePhase, { kind: 'failed' }>;
  /** What is to be said in place of the service's own words. */
  readonly known: string | undefined;
}

function Failed({ phase, known }: FailedProps) {
  const { code, message } = phase.problem;
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
