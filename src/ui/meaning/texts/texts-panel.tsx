import { type ClipboardEvent, useEffect, useId } from 'react';
import { EXAMPLE_TABLE } from '../../../state/meaning/example-comments.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { Button, FileButton } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import { MOST_PASTED } from '../../parts/fields/paste-limit.ts';
import { useValueOf } from '../../use-stores.ts';
import { useRoom } from '../use-room.ts';
import { OpenedTable } from './opened-table.tsx';
import { ReadingBar } from './reading-bar.tsx';
import { SaveVectors } from './save-vectors.tsx';
import { ACCEPTED_TEXTS, OPEN_TEXTS } from './taken-files.ts';
import { useFileProblem } from './use-file-problem.ts';
import beside from '../../parts/fields/beside.module.css';
import styles from './texts-panel.module.css';

/** Id of the field for texts. */
const FIELD = 'texts';

/** Where texts come from: an example, the clipboard, files. */
export function TextsPanel() {
  const words = meaningWords().texts;
  const { input } = useRoom();
  const opened = useValueOf(input, (state) => state.opened);
  const { problem, open } = useFileProblem();
  useEffect(() => void input.getState().measurePace(), [input]);
  return (
    <section className={styles.panel} aria-label={words.title}>
      <Examples />
      <div className={styles.field}>
        {opened ? <OpenedTable opened={opened} /> : <PasteField />}
        <div className={styles.row}>
          <FileButton id={OPEN_TEXTS} accept={ACCEPTED_TEXTS} onFiles={(files) => void open(files)}>
            {words.open}
          </FileButton>
          {opened?.kind !== 'rows' && <SplitChoice />}
        </div>
        <p className={beside.wrong} role="alert">
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
  const { collection } = useRoom();
  const isExample = useValueOf(collection, ({ collected }) => collected?.table === EXAMPLE_TABLE);
  const canUndo = useValueOf(collection, (state) => state.replaced !== null);
  return (
    <div className={beside.examples} role="group" aria-label={words.try}>
      <span>{words.try}</span>
      <Button look="quiet" aria-pressed={isExample} onClick={() => void collection.getState().collect(EXAMPLE_TABLE)}>
        {words.example}
      </Button>
      {canUndo && (
        <Button
          look="quiet"
          onClick={() => {
            focusOn(FIELD); // the button may go
            void collection.getState().undo();
          }}
        >
          {words.undo}
        </Button>
      )}
    </div>
  );
}

function PasteField() {
  const words = meaningWords().texts;
  const { input } = useRoom();
  const text = useValueOf(input, (state) => state.text);
  const canReopen = useValueOf(input, (state) => state.closed !== null);
  const hold = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length <= MOST_PASTED) return;
    event.preventDefault(); // too much to be edited, and not too much to be read
    input.getState().openFiles([{ name: words.pasted, text: pasted }], input.getState().split);
  };
  return (
    <>
      <LabelRow htmlFor={FIELD} label={words.paste}>
        {canReopen && (
          <Button
            look="quiet"
            onClick={() => {
              focusOn(OPEN_TEXTS); // this button goes
              input.getState().reopen();
            }}
          >
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
        onPaste={hold}
      />
    </>
  );
}

function SplitChoice() {
  const words = meaningWords().texts;
  const id = useId();
  const { input } = useRoom();
  const split = useValueOf(input, (state) => state.split);
  return (
    <div className={beside.row}>
      <span id={id} aria-hidden>
        {words.split}
      </span>
      <Choice
        label={words.split}
        options={(['line', 'paragraph'] as const).map((value) => ({ value, label: words.splits[value] }))}
        value={split}
        onChoose={(value) => input.getState().splitBy(value)}
      />
    </div>
  );
}
