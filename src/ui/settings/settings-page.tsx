import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { Page } from '../parts/layout/page.tsx';
import { useSettings } from '../use-stores.ts';
import { Field, Section } from './fields.tsx';
import { ModelsSection } from './models-section.tsx';
import { TokenField } from './token-field.tsx';
import styles from './settings-page.module.css';

/** What a user may set about how the contract is answered. Each field is kept when it is left. */
export function SettingsPage() {
  return (
    <Page title="Settings" claim="How this tab answers, from the next request on.">
      <div className={styles.sections}>
        <ModelsSection />
        <ServiceSection />
        <AccessSection />
      </div>
    </Page>
  );
}

/** Seconds are easier to read than the milliseconds of the setting. */
const MS_PER_SECOND = 1000;

/** How requests are let in and waited for. */
function ServiceSection() {
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

/** Who may ask. */
function AccessSection() {
  const { allowedOrigins } = useSettings((state) => state.settings);
  const change = useSettings((state) => state.change);
  return (
    <Section
      title="Access"
      about="Programs on this computer reach this tab through the local server; each request needs the token."
    >
      <TokenField />
      <Field
        label="Pages that may read answers"
        hint="One origin per line, such as https://notebook.example. Pages of any other origin are refused by the browser."
        value={allowedOrigins.join('\n')}
        save={(text) => change({ allowedOrigins: linesOf(text) })}
      >
        {(input) => <GrowingTextarea {...input} />}
      </Field>
    </Section>
  );
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
