import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { LabelRow } from '../../parts/fields/label-row.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { FieldNote, useFieldMark } from '../problem/field-note.tsx';
import { lengthText, needsSpace } from './question-texts.ts';
import styles from './question-panel.module.css';

/** The text whose likelihood is explained; its leading space is part of it, so it is made visible. */
export function TargetEditor() {
  const { explain } = useStores();
  const { prompt, target } = useStoreValue('explain', (state) => state.question);
  const mark = useFieldMark('target', 'target-length');
  const edit = (text: string) => explain.getState().edit({ target: text });
  return (
    <div className={styles.field}>
      <LabelRow htmlFor="target" label="Target">
        <span className={styles.hint} id="target-length">
          {target.startsWith(' ') ? 'Starts with a space' : lengthText(target)}
        </span>
      </LabelRow>
      <GrowingTextarea
        {...mark}
        data-testid="target"
        value={target}
        placeholder=" The continuation to explain"
        onChange={(event) => edit(event.target.value)}
      />
      <FieldNote field="target" />
      {needsSpace(prompt, target) && (
        <p className={styles.advice}>
          Words usually continue a prompt with a space before them.
          <Button
            look="quiet"
            onClick={() => {
              focusOn('target'); // the button goes when it has done this
              edit(` ${target}`);
            }}
          >
            Add the space
          </Button>
        </p>
      )}
    </div>
  );
}
