import { useSettings } from '../use-stores.ts';
import { Field } from './field.tsx';
import { Section } from './section.tsx';
import styles from './settings-page.module.css';

/** Seconds are easier to read than the milliseconds of the setting. */
const MS_PER_SECOND = 1000;

/** How requests are let in and waited for. */
export function ServiceSection() {
  const { operator, timeoutMs, maxWaiting } = useSettings((state) => state.settings);
  const change = useSettings((state) => state.change);
  return (
    <Section title="Service" about="What a request may say and how long it may take.">
      <Field
        label="Operator name"
        hint="A value of the field hosting, beside null and “operator”."
        value={operator}
        save={(text) => change({ operator: text })}
      >
        {(input) => <input {...input} className={styles.input} />}
      </Field>
      <Field
        label="Time-out in seconds"
        hint="1 to 3600. A request that takes longer is answered 408."
        value={String(timeoutMs / MS_PER_SECOND)}
        save={(text) => change({ timeoutMs: Math.round(numberIn(text) * MS_PER_SECOND) })}
      >
        {(input) => <input {...input} className={styles.input} inputMode="decimal" />}
      </Field>
      <Field
        label="Queue length"
        hint="1 to 10,000 requests may wait. One more is answered 503, and may be sent again."
        value={String(maxWaiting)}
        save={(text) => change({ maxWaiting: numberIn(text) })}
      >
        {(input) => <input {...input} className={styles.input} inputMode="numeric" />}
      </Field>
    </Section>
  );
}

/** NaN, which no setting takes, for a text that is no number; an empty one would count as 0. */
function numberIn(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}
