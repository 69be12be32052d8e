import { GrowingTextarea } from '../parts/growing-textarea.tsx';
import { useExplain, useStores } from '../use-stores.ts';
import { lengthText } from './prompt-facts.ts';
import styles from './question-panel.module.css';

/** The text that the model reads. */
export function PromptEditor() {
  const { explain } = useStores();
  const prompt = useExplain((state) => state.question.prompt);
  return (
    <div className={styles.field}>
      <div className={styles.labelRow}>
        <label className={styles.label} htmlFor="prompt">
          Prompt
        </label>
        <span className={styles.hint} id="prompt-length">
          {lengthText(prompt)}
        </span>
      </div>
      <GrowingTextarea
        id="prompt"
        data-testid="prompt"
        value={prompt}
        aria-describedby="prompt-length"
        placeholder="The text that the model reads"
        onChange={(event) => explain.getState().edit({ prompt: event.target.value })}
      />
    </div>
  );
}
