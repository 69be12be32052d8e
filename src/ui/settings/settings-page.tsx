import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { Page } from '../parts/layout/page.tsx';
import { useStoreValue } from '../use-stores.ts';
import { Field, Section } from './fields.tsx';
import { ModelsSection } from './models-section.tsx';
import { PageSection } from './page-section.tsx';
import { numberIn, TimeoutField } from './timeout-field.tsx';
import { TokenField } from './token-field.tsx';
import styles from './settings-page.module.css';

/** The settings of the service. Each field is saved when it loses focus. */
export function SettingsPage() {
  return (
    <Page title="Settings" claim="Changes apply to the next request.">
      <div className={styles.sections}>
        <ModelsSection />
        <ServiceSection />
        <AccessSection />
        <PageSection />
      </div>
    </Page>
  );
}

/** Operator name, time-out and queue length. */
function ServiceSection() {
  const { operator, maxWaiting } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Section title="Service" about="Limits of requests.">
      <Field
        label="Operator name"
        hint="Accepted in the hosting field, besides null and “operator”."
        value={operator}
        save={(text) => change({ operator: text }) && 'Operator name: 1 to 100 characters.'}
      >
        {(input) => <input {...input} className={styles.input} />}
      </Field>
      <TimeoutField />
      <Field
        label="Queue length"
        hint="1 to 10,000 requests may wait. One more returns 503 and may be sent again."
        value={String(maxWaiting)}
        save={(text) => change({ maxWaiting: numberIn(text) }) && 'Queue length: a whole number from 1 to 10,000.'}
      >
        {(input) => <input {...input} className={styles.input} inputMode="numeric" />}
      </Field>
    </Section>
  );
}

/** The token, and the origins that may read responses. */
function AccessSection() {
  const { allowedOrigins } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Section
      title="Access"
      about="Programs on this computer reach this tab through the local server; each request needs the token."
    >
      <TokenField />
      <Field
        label="Allowed origins"
        hint="One origin per line, such as https://notebook.example. The browser blocks pages of any other origin."
        value={allowedOrigins.join('\n')}
        save={(text) => originsText(linesOf(text), change({ allowedOrigins: linesOf(text) }))}
      >
        {(input) => <GrowingTextarea {...input} />}
      </Field>
    </Section>
  );
}

/** What is wrong with a list of origins, naming the first bad line; the service's message has its place. */
function originsText(lines: readonly string[], problem: string | null): string | null {
  if (problem === null) return null;
  const bad = lines[Number(/^allowedOrigins\[(\d+)\]/.exec(problem)?.[1])];
  return bad === undefined ? 'At most 100 origins.' : `‘${bad}’ is not an origin such as https://notebook.example.`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
