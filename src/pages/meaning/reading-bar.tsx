import { useEffect, useState } from 'react';
import type { EmbedSpeed } from './embedding.ts';
import { useMeaning, useMeaningStores } from './meaning-stores.ts';
import { meaningWords } from './words.en.ts';
import { Button } from '../../parts/buttons.tsx';
import { nextStepAfter } from '../../parts/feedback/next-step.ts';
import { ProgressBar } from '../../parts/feedback/status.tsx';
import field from '../../parts/fields/field-layout.module.css';
import styles from './texts-panel.module.css';

/** Pause in typing after which texts are counted, ms. */
const REST_MS = 250;

/** The button that embeds the texts, the estimated time, and the progress. */
export function ReadingBar() {
  const isRunning = useMeaning('collection', ({ phase }) => phase.kind === 'running');
  return (
    <div className={styles.reading}>
      {isRunning ? <Running /> : <Ready />}
      <Outcome />
    </div>
  );
}

function Ready() {
  const words = meaningWords().reading;
  const { collection, speed } = useMeaningStores();
  const input = useMeaning('input', (state) => state);
  const { texts } = useDebounced(input, REST_MS).table();
  return (
    <>
      <div className={styles.readingRow}>
        <Button
          look="primary"
          data-testid="read"
          disabled={texts.length === 0}
          onClick={() => void collection.getState().collect(input.table())}
        >
          {texts.length === 0 ? words.none : words.start(texts.length)}
        </Button>
      </div>
      <p className={styles.note} data-testid="estimate">
        {input.isSpeedKnown ? (estimateText(texts, speed) ?? ruleText(speed)) : words.measuring}
      </p>
    </>
  );
}

function Running() {
  const words = meaningWords().reading;
  const { collected, stop, remainingMs } = useMeaning('collection', (state) => state);
  if (!collected) return null;
  const total = collected.table.texts.length;
  const ms = remainingMs();
  return (
    <>
      <div className={styles.readingRow}>
        <Button data-testid="stop" onClick={stop}>
          {words.stop}
        </Button>
        <span className={styles.note} data-testid="reading">
          {words.progress(collected.count, total)}
          {ms !== null && ` · ${words.left(timeText(ms))}`}
        </span>
      </div>
      <ProgressBar label={words.bar} share={collected.count / total} />
    </>
  );
}

/** The result of the last run, with a button to continue if it was stopped. */
function Outcome() {
  const words = meaningWords().reading;
  const { collected, phase, resume } = useMeaning('collection', (state) => state);
  if (!collected || phase.kind === 'running') return null;
  const { count, cut, leftOut, table } = collected;
  const problem = phase.kind === 'stopped' ? phase.problem : null;
  return (
    <>
      <p className={styles.note} role="status" data-testid="read-outcome">
        {phase.kind === 'idle' ? words.done(count) : words.stopped(count, table.texts.length)}
        {cut > 0 && ` ${words.cut(cut)}`}
        {leftOut > 0 && ` ${words.leftOut(leftOut)}`}
      </p>
      {problem && (
        <p className={field.wrong} role="alert" data-testid="reading-problem">
          {words.failed}. {nextStepAfter(problem.code).step}
        </p>
      )}
      {phase.kind === 'stopped' && (
        <div className={styles.readingRow}>
          <Button onClick={() => void resume()}>{problem ? words.tryAgain : words.goOn}</Button>
        </div>
      )}
    </>
  );
}

/** As long as a typical comment. */
const SHORT = 'x'.repeat(100);

/** A time, rounded to a second, five seconds or a minute. */
function timeText(ms: number): string {
  const { seconds, minutes } = meaningWords().reading;
  const exact = ms / 1000;
  if (exact < 10) return seconds(Math.max(1, Math.round(exact)));
  if (exact < 90) return seconds(5 * Math.round(exact / 5));
  return minutes(Math.round(exact / 60));
}

/** The time that these texts will take; null if there are none. */
function estimateText(texts: readonly string[], speed: EmbedSpeed): string | null {
  const ms = speed.estimate(texts);
  return texts.length === 0 || ms === null ? null : meaningWords().reading.estimate(texts.length, timeText(ms));
}

/** The time that 1,000 and 20,000 short texts take. */
function ruleText(speed: EmbedSpeed): string {
  const ms = speed.estimate([SHORT]) ?? 0;
  return meaningWords().reading.rule(timeText(1000 * ms), timeText(20_000 * ms));
}

/** A value that follows another one after a pause in its changes. */
function useDebounced<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}
