import { PICTURE_TYPES } from '../../../state/explain/question.ts';
import { FileButton } from '../../parts/buttons.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import { useModelFacts, useStores, useStoreValue } from '../../use-stores.ts';
import { PromptPicture, usePictureEntry } from './prompt-picture.tsx';
import { lengthText, lengthWarning } from './question-texts.ts';
import styles from './question-panel.module.css';

/** What the model reads: a picture, where it can read one, and the text. */
export function PromptEditor() {
  const { explain } = useStores();
  const { picture, prompt } = useStoreValue('explain', (state) => state.question);
  const warning = lengthWarning(prompt, picture !== null, useModelFacts()?.contextTokens);
  const { isTaken, problem, take, remove, drop } = usePictureEntry();
  return (
    // Files are dropped and pasted anywhere in the field; the button below is for the keyboard.
    <div className={styles.field} {...drop}>
      <LabelRow htmlFor="prompt" label="Prompt">
        <span className={styles.hint} id="prompt-length">
          {lengthText(prompt, picture !== null)}
        </span>
      </LabelRow>
      {picture && <PromptPicture picture={picture} onRemove={remove} />}
      <GrowingTextarea
        id="prompt"
        data-testid="prompt"
        value={prompt}
        aria-describedby="prompt-length"
        placeholder="The text that the model reads"
        onChange={(event) => explain.getState().edit({ prompt: event.target.value })}
      />
      {warning && <p className={styles.advice}>{warning}</p>}
      {isTaken && (
        <div className={styles.advice}>
          <FileButton accept={PICTURE_TYPES.join(',')} onFile={(file) => void take(file)}>
            {picture ? 'Another picture…' : 'Add a picture…'}
          </FileButton>
          or paste or drop one here
        </div>
      )}
      {problem && (
        <p className={styles.wrong} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
