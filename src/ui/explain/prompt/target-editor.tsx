import { promptWords } from '../../../words/en/explain/prompt.ts';
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
  const words = promptWords().target;
  const mark = useFieldMark('target', 'target-length');
  const edit = (text: string) => explain.getState().edit({ target: text });
  return (
    <div className={styles.field}>
      <LabelRow htmlFor="target" label={words.label}>
        <span className={styles.hint} id="target-length">
          {target.startsWith(' ') ? words.startsWithSpace : lengthText(target)}
        </span>
      </LabelRow>
      <GrowingTextarea
        {...mark}
        data-testid="target"
        value={target}
        placeholder={words.placeholder}
        onChange={(event) => edit(event.target.value)}
      />
      <FieldNote field="target" />
      {needsSpace(prompt, target) && (
        <p className={styles.advice}>
          {words.needsSpace}
          <Button
            look="quiet"
            onClick={() => {
              focusOn('target'); // the button goes when it has done this
              edit(` ${target}`);
            }}
          >
            {words.addSpace}
          </Button>
        </p>
      )}
    </div>
  );
}
