import { boundText, SECONDS } from '../parts/fields/bound-text.ts';
import { useStoreValue } from '../use-stores.ts';
import { Field } from './fields.tsx';
import styles from './settings-page.module.css';

/** How long a request may take. Seconds are easier to read than the milliseconds of the setting. */
export function TimeoutField() {
  const { timeoutMs } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  const save = (text: string) => {
    const seconds = numberIn(text);
    if (Number.isNaN(seconds)) return 'Time-out: enter a number of seconds.';
    const problem = change({ timeoutMs: Math.round(seconds * SECONDS.size) });
    return problem === null ? null : (boundText('Time-out', problem, SECONDS) ?? problem);
  };
  return (
    <Field
      label="Time-out in seconds"
      hint="1 to 3,600, for all requests. One that takes longer returns 408."
      value={String(timeoutMs / SECONDS.size)}
      save={save}
    >
      {(input) => <input {...input} className={styles.input} inputMode="decimal" />}
    </Field>
  );
}

/** NaN, which no setting takes, for a text that is no number; an empty one would count as 0. */
export function numberIn(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}
