import { settingsWords } from '../../words/en/settings.ts';
import { exactText, typedNumber } from '../../words/numbers.ts';
import { GrowingTextarea } from '../parts/fields/growing-textarea.tsx';
import { Page } from '../parts/layout/page.tsx';
import { useStoreValue } from '../use-stores.ts';
import { DeviceSection } from './device-section.tsx';
import { EngineSection } from './engine-section.tsx';
import { Field, Section } from './fields.tsx';
import { ModelsSection } from './models-section.tsx';
import { PageSection } from './page-section.tsx';
import { TimeoutField } from './timeout-field.tsx';
import { TokenField } from './token-field.tsx';
import styles from './settings-page.module.css';

/** The settings of the service. Each field is saved when it loses focus. */
export function SettingsPage() {
  const words = settingsWords();
  return (
    <Page title={words.title} claim={words.claim}>
      <div className={styles.sections}>
        <ModelsSection />
        <DeviceSection />
        <ServiceSection />
        <AccessSection />
        <EngineSection />
        <PageSection />
      </div>
    </Page>
  );
}

/** Operator name, time-out and queue length. */
function ServiceSection() {
  const words = settingsWords().service;
  const { operator, maxWaiting } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Section title={words.title} about={words.about}>
      <Field
        label={words.operator}
        hint={words.operatorHint}
        value={operator}
        save={(text) => change({ operator: text }) && words.operatorWrong}
      >
        {(input) => <input {...input} className={styles.input} />}
      </Field>
      <TimeoutField />
      <Field
        label={words.queue}
        hint={words.queueHint}
        value={exactText(maxWaiting)}
        save={(text) => change({ maxWaiting: typedNumber(text) }) && words.queueWrong}
      >
        {(input) => <input {...input} className={styles.input} inputMode="numeric" />}
      </Field>
    </Section>
  );
}

/** The token, and the origins that may read responses. */
function AccessSection() {
  const words = settingsWords().access;
  const { allowedOrigins } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Section title={words.title} about={words.about}>
      <TokenField />
      <Field
        label={words.origins}
        hint={words.originsHint}
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
  const words = settingsWords().access;
  return bad === undefined ? words.originsMany : words.originsWrong(bad);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
