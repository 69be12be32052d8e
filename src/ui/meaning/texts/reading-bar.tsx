import type { CollectionState } from '../../../state/meaning/collection-store.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { Button } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { nextStepAfter } from '../../explain/problem/next-step.ts';
import { useValueOf } from '../../use-stores.ts';
import { useRested, useRoom } from '../use-room.ts';
import { estimateText, ruleText, timeText } from './estimate-text.ts';
import beside from '../../parts/fields/beside.module.css';
import styles from './texts-panel.module.css';

/** Long texts are counted when typing rests. */
const REST_MS = 250;

/** The button that reads the texts, what that will cost, and how far it has come. */
export function ReadingBar() {
  const { collection } = useRoom();
  const isRunning = useValueOf(collection, ({ phase }) => phase.kind === 'running');
  return (
    <div className={styles.reading}>
      {isRunning ? <Running /> : <Ready />}
      <Outcome />
    </div>
  );
}

function Ready() {
  const words = meaningWords().reading;
  const { collection, input, pace } = useRoom();
  const given = useValueOf(input, (state) => state);
  const rested = useRested(given, REST_MS);
  const isPaceKnown = useValueOf(input, (state) => state.isPaceKnown);
  const { texts } = rested.table();
  return (
    <>
      <div className={styles.readingRow}>
        <Button
          look="primary"
          data-testid="read"
          disabled={texts.length === 0}
          onClick={() => void collection.getState().collect(given.table())}
        >
          {texts.length === 0 ? words.none : words.start(texts.length)}
        </Button>
      </div>
      <p className={styles.note} data-testid="estimate">
        {isPaceKnown ? (estimateText(texts, pace) ?? ruleText(pace)) : words.measuring}
      </p>
    </>
  );
}

function Running() {
  const words = meaningWords().reading;
  const { collection } = useRoom();
  const { collected, stop, remainingMs } = useValueOf(collection, (state) => state);
  if (!collected) return null;
  const total = collected.table.texts.length;
  return (
    <>
      <div className={styles.readingRow}>
        <Button data-testid="stop" onClick={stop}>
          {words.stop}
        </Button>
        <span className={styles.note} data-testid="reading">
          {[words.progress(collected.count, total), leftText(remainingMs())].filter(Boolean).join(' · ')}
        </span>
      </div>
      <ProgressBar label={words.bar} share={collected.count / total} />
    </>
  );
}

function leftText(ms: number | null): string | null {
  return ms === null ? null : meaningWords().reading.left(timeText(ms));
}

/** What became of the texts that were read last. */
function Outcome() {
  const words = meaningWords().reading;
  const { collection } = useRoom();
  const { collected, phase, goOn } = useValueOf(collection, (state) => state);
  if (!collected || phase.kind === 'running') return null;
  const { count, cut, leftOut, table } = collected;
  return (
    <>
      <p className={styles.note} role="status" data-testid="read-outcome">
        {phase.kind === 'idle' ? words.done(count) : words.stopped(count, table.texts.length)}
        {cut > 0 && ` ${words.cut(cut)}`}
        {leftOut > 0 && ` ${words.leftOut(leftOut)}`}
      </p>
      {phase.kind === 'stopped' && <Stopped phase={phase} goOn={goOn} />}
    </>
  );
}

function Stopped({
  phase,
  goOn,
}: {
  readonly phase: Extract<CollectionState['phase'], { kind: 'stopped' }>;
  readonly goOn: CollectionState['goOn'];
}) {
  const words = meaningWords().reading;
  const { problem } = phase;
  return (
    <>
      {problem && (
        <p className={beside.wrong} role="alert" data-testid="reading-problem">
          {words.failed}. {nextStepAfter(problem.code).step}
        </p>
      )}
      <div className={styles.readingRow}>
        <Button onClick={() => void goOn()}>{problem ? words.tryAgain : words.goOn}</Button>
      </div>
    </>
  );
}
