import { settingsWords } from '../../words/en/settings.ts';
import { exactText, typedNumber } from '../../words/numbers.ts';
import { boundText, SECONDS } from '../parts/fields/bound-text.ts';
import { useStoreValue } from '../use-stores.ts';
import { Field } from './fields.tsx';
import styles from './settings-page.module.css';

/** How long a request may take. Seconds are easier to read than the milliseconds of the setting. */
export function TimeoutField() {
  const words = settingsWords().timeout;
  const { timeoutMs } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  const save = (text: string) => {
    const seconds = typedNumber(text);
    if (Number.isNaN(seconds)) return words.wrong;
    const problem = change({ timeoutMs: Math.round(seconds * SECONDS.size) });
    return problem === null ? null : (boundText(words.name, problem, SECONDS) ?? problem);
  };
  return (
    <Field label={words.label} hint={words.hint} value={exactText(timeoutMs / SECONDS.size)} save={save}>
      {(input) => <input {...input} className={styles.input} inputMode="decimal" />}
    </Field>
  );
}
