import { COMPRESSED_SIZE } from '../../contract/wire/limits.ts';
import { type ClipboardEvent, useEffect, useId, useState } from 'react';
import { embeddedTable, type EmbedSpeed } from './collection-store.ts';
import { EXAMPLE_TABLE } from './example-comments.ts';
import type { InputState } from './input-store.ts';
import { useCollected, useMeaning, useMeaningStores } from './meaning-stores.ts';
import { ACCEPTED_TEXTS, OPEN_TEXTS, openFiles } from './opened-files.ts';
import { Menu } from './view-parts.tsx';
import { meaningWords } from './words.en.ts';
import { VECTOR_FORMATS, vectorFile, type VectorFormat } from '../../files/table/vectors.ts';
import { Button, FileButton, saveFile } from '../../parts/buttons.tsx';
import { Choice, LabelRow } from '../../parts/fields/choice.tsx';
import { GrowingTextarea, MAX_PASTED } from '../../parts/fields/growing-textarea.tsx';
import { durationText, numberText } from '../../words/language.ts';
import { nextStepAfter } from '../../parts/feedback/next-step.ts';
import { ProgressBar } from '../../parts/feedback/status.tsx';
import field from '../../parts/fields/field-layout.module.css';
import styles from './texts-panel.module.css';
import { byPlace } from '../../parts/by-place.ts';

const FIELD = 'texts';

/** Enters texts from an example, the clipboard or files, and embeds them. */
export function TextsPanel() {
  const words = meaningWords().texts;
  const { input } = useMeaningStores();
  const opened = useMeaning('input', (state) => state.opened);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (files: readonly File[]) => setProblem(await openFiles(files, input.getState()));
  useEffect(() => void input.getState().measureSpeed(), [input]);
  return (
    <section className={styles.panel} aria-label={words.title}>
      <Examples />
      <div className={styles.field}>
        {opened ? <OpenedTable opened={opened} /> : <PasteField />}
        <div className={styles.row}>
          <FileButton id={OPEN_TEXTS} accept={ACCEPTED_TEXTS} isMultiple onFiles={(files) => void open(files)}>
            {words.open}
          </FileButton>
          {opened?.kind !== 'rows' && <SplitChoice />}
        </div>
        <p className={field.wrong} role="alert">
          {problem}
        </p>
        <p className={styles.note}>{words.formats}</p>
      </div>
      <ReadingBar />
      <SaveVectors />
    </section>
  );
}

function Examples() {
  const words = meaningWords().texts;
  const { collection } = useMeaningStores();
  const isExample = useMeaning('collection', ({ collected }) => collected?.table === EXAMPLE_TABLE);
  const canUndo = useMeaning('collection', ({ replaced }) => replaced !== null);
  return (
    <div className={field.examples} role="group" aria-label={words.try}>
      <span>{words.try}</span>
      <Button look="quiet" aria-pressed={isExample} onClick={() => void collection.getState().collect(EXAMPLE_TABLE)}>
        {words.example}
      </Button>
      {canUndo && (
        <Button look="quiet" focus={FIELD} onClick={() => void collection.getState().undo()}>
          {words.undo}
        </Button>
      )}
    </div>
  );
}

function PasteField() {
  const words = meaningWords().texts;
  const { input } = useMeaningStores();
  const text = useMeaning('input', (state) => state.text);
  const canReopen = useMeaning('input', (state) => state.closed !== null);
  const openLong = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length <= MAX_PASTED) return;
    event.preventDefault(); // too long to be edited, but not to be embedded
    input.getState().openFiles([{ name: words.pasted, text: pasted }], input.getState().split);
  };
  return (
    <>
      <LabelRow htmlFor={FIELD} label={words.paste}>
        {canReopen && (
          <Button look="quiet" focus={OPEN_TEXTS} onClick={() => input.getState().reopen()}>
            {words.undo}
          </Button>
        )}
      </LabelRow>
      <GrowingTextarea
        id={FIELD}
        data-testid="texts"
        value={text}
        placeholder={words.placeholder}
        onChange={(event) => input.getState().write(event.target.value)}
        onPaste={openLong}
      />
    </>
  );
}

function SplitChoice() {
  const words = meaningWords().texts;
  const id = useId();
  const { split, splitBy } = useMeaning('input', (state) => state);
  return (
    <div className={field.row}>
      <span id={id} aria-hidden>
        {words.split}
      </span>
      <Choice
        label={words.split}
        options={(['line', 'paragraph'] as const).map((value) => ({ value, label: words.splits[value] }))}
        value={split}
        onChoose={splitBy}
      />
    </div>
  );
}

/** Name and number of the opened texts, the first of them, and the choice of a column. */
function OpenedTable({ opened }: { readonly opened: NonNullable<InputState['opened']> }) {
  const words = meaningWords().texts;
  const { input } = useMeaningStores();
  const { texts } = input.getState().table();
  const [file, ...others] = opened.kind === 'files' ? opened.files : [opened];
  const name = others.length === 0 ? (file?.name ?? '') : words.files(others.length + 1);
  return (
    <div className={styles.opened} data-testid="opened">
      <div className={styles.openedHead}>
        <strong>{words.holds(name, texts.length)}</strong>
        <Button look="quiet" focus={OPEN_TEXTS} onClick={() => input.getState().close()}>
          {words.close}
        </Button>
      </div>
      {opened.kind === 'rows' && (
        <Menu
          label={words.column}
          options={opened.names.map((column) => [column, column])}
          value={opened.column}
          onChoose={input.getState().chooseColumn}
        />
      )}
      <ol className={styles.preview}>
        {byPlace(texts.slice(0, 3), (text) => (
          <li dir="auto">{text.slice(0, 200)}</li>
        ))}
      </ol>
    </div>
  );
}

function SaveVectors() {
  const words = meaningWords().vectors;
  const collected = useCollected();
  const [format, setFormat] = useState<VectorFormat>('csv');
  const [saved, setSaved] = useState('');
  if (!collected || collected.count === 0) return null;
  const save = async () => {
    setSaved(words.saving);
    const name = `vectors.${format}`;
    saveFile(name, await vectorFile(format, embeddedTable(collected)));
    setSaved(words.saved(name));
  };
  return (
    <details className={styles.vectors}>
      <summary>{words.title}</summary>
      <p className={styles.note}>{words.about(numberText(COMPRESSED_SIZE))}</p>
      <Choice
        label={words.format}
        options={VECTOR_FORMATS.map((value) => ({ value, label: words.formats[value] }))}
        value={format}
        onChoose={setFormat}
      />
      <p className={styles.note}>{words.descriptions[format]}</p>
      <div className={styles.readingRow}>
        <Button onClick={() => void save()}>{words.save(words.formats[format])}</Button>
        <span className={styles.note} role="status">
          {saved}
        </span>
      </div>
    </details>
  );
}

/** Pause in typing after which texts are counted, ms. */
const REST_MS = 250;

/** The button that embeds the texts, the estimated time, and the progress. */
function ReadingBar() {
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

/** About how long something takes. */
function timeText(ms: number): string {
  return durationText(Math.max(1, Math.round(ms / 1000)));
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
