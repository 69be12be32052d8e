import { PICTURE_TYPES } from '../../../state/explain/question.ts';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { FileButton } from '../../parts/buttons.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import { useModelFacts, useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote, useFieldMark } from '../problem/field-note.tsx';
import { PromptPicture, usePictureEntry } from './prompt-picture.tsx';
import { lengthText, lengthWarning } from './question-texts.ts';
import beside from '../../parts/fields/beside.module.css';
import styles from './question-panel.module.css';

/** What the model reads: a picture, where it can read one, and the text. */
export function PromptEditor() {
  const { explain } = useStores();
  const question = useStoreValue('explain', (state) => state.question);
  const { picture, prompt } = question;
  const words = promptWords();
  const warning = lengthWarning(question, useModelFacts()?.contextTokens);
  const mark = useFieldMark('prompt', 'prompt-length');
  const { isTaken, problem, take, remove, onPaste } = usePictureEntry();
  const button = (
    <FileButton accept={PICTURE_TYPES.join(',')} onFiles={([file]) => void take(file)}>
      {picture ? words.picture.anotherButton : words.picture.addButton}
    </FileButton>
  );
  return (
    // Files are pasted anywhere in the field, and dropped anywhere on the page; the button below is for the keyboard.
    <div className={styles.field} onPaste={onPaste}>
      <LabelRow htmlFor="prompt" label={words.prompt.label}>
        <span className={styles.hint} id="prompt-length">
          {lengthText(prompt, picture !== null)}
        </span>
      </LabelRow>
      {picture && <PromptPicture picture={picture} onRemove={remove} />}
      <GrowingTextarea
        {...mark}
        data-testid="prompt"
        value={prompt}
        placeholder={words.prompt.placeholder}
        onChange={(event) => explain.getState().edit({ prompt: event.target.value })}
      />
      <FieldNote field="prompt" />
      <p className={styles.advice} role="status">
        {warning}
      </p>
      {isTaken && (
        <div className={styles.advice}>
          <Sentence text={words.picture.add} parts={{ button }} />
        </div>
      )}
      {problem && (
        <p className={beside.wrong} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
