import { ownValue } from '../../contract/records.ts';
import { useEffect, useId, useState } from 'react';
import { Button, CopyButton, focusOn } from '../../parts/buttons.tsx';
import styles from '../../parts/fields/fields.module.css';
import { SelectField, SettingsField, SettingsSection } from '../../parts/fields/fields.tsx';
import { GrowingTextarea } from '../../parts/fields/growing-textarea.tsx';
import { TimeoutField } from '../../parts/fields/service-fields.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import { type LanguageChoice, THEMES } from '../../stores/preference-stores.ts';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { exactText, typedNumber } from '../../words/language.ts';
import { languageName, LANGUAGES } from '../../words/languages.ts';
import { DeviceSection, ModelsSection } from './models-section.tsx';
import { UpstreamSection } from './upstream-section.tsx';
import { settingsWords } from './words.en.ts';

/** The settings of the service. Each field is saved when it loses focus. */
export function SettingsPage() {
  const words = settingsWords();
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <div className={styles.sections}>
        <PageSection />
        <DeviceSection />
        <ModelsSection />
        <ServiceSection />
        <AccessSection />
        <EngineSection />
        <UpstreamSection />
      </div>
    </PageLayout>
  );
}

/** Operator name, time-out and queue length. */
function ServiceSection() {
  const words = settingsWords().service;
  const { settings, change } = useStoreValue('settings', (state) => state);
  return (
    <SettingsSection title={words.title} about={words.about}>
      <SettingsField
        label={words.operator}
        hint={words.operatorHint}
        value={settings.operator}
        save={(text) => change({ operator: text }) && words.operatorWrong}
      />
      <TimeoutField />
      <SettingsField
        label={words.queue}
        hint={words.queueHint}
        value={exactText(settings.maxWaiting)}
        save={(text) => change({ maxWaiting: typedNumber(text) }) && words.queueWrong}
        inputMode="numeric"
      />
    </SettingsSection>
  );
}

function AccessSection() {
  const words = settingsWords().access;
  const { settings, change } = useStoreValue('settings', (state) => state);
  return (
    <SettingsSection title={words.title} about={words.about}>
      <TokenField />
      <SettingsField
        label={words.origins}
        hint={words.originsHint}
        value={settings.allowedOrigins.join('\n')}
        save={(text) => originsText(linesOf(text), change({ allowedOrigins: linesOf(text) }))}
      >
        {(input) => <GrowingTextarea {...input} />}
      </SettingsField>
      <AgentField />
    </SettingsSection>
  );
}

/** Whether agents of this browser may use the models. Shown where the browser has such agents. */
function AgentField() {
  const words = settingsWords().access;
  const { settings, toolUse, change } = useStoreValue('settings', (state) => state);
  if (!toolUse) return null;
  return (
    <>
      <SelectField
        label={words.agents}
        options={(['off', 'on'] as const).map((value) => ({ value, text: words.agentChoices[value] }))}
        value={settings.agentTools ? 'on' : 'off'}
        onChoose={(chosen) => void change({ agentTools: chosen === 'on' })}
      />
      <p className={styles.hint}>{words.agentsHint}</p>
      <p className={styles.outcome} data-kind="wrong" role="alert">
        {toolUse.problem !== null && words.agentsRefused(toolUse.problem)}
      </p>
    </>
  );
}

/** The problem of a list of origins, with the first invalid line, whose index is in the message of the service. */
function originsText(lines: readonly string[], problem: string | null): string | null {
  if (problem === null) return null;
  const invalid = lines[Number(/^allowedOrigins\[(\d+)\]/.exec(problem)?.[1])];
  const words = settingsWords().access;
  return invalid === undefined ? words.originsMany : words.originsWrong(invalid);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

function EngineSection() {
  const words = settingsWords().engine;
  const { engineLink } = useStores();
  const { address, models } = useStoreValue('settings', ({ settings }) => settings.engine);
  const offer = useStoreValue('engineLink', (state) => state.offer?.engine ?? null);
  useEffect(() => void engineLink.getState().look(), [engineLink]);
  return (
    <SettingsSection title={words.title} about={words.about}>
      {offer !== null || address !== null ? (
        <>
          <AddressField />
          <ModelFields />
          <UseFields />
          <Connect hasModels={Object.keys(models).length > 0} />
        </>
      ) : (
        <p className={styles.hint}>{words.none}</p>
      )}
    </SettingsSection>
  );
}

function AddressField() {
  const words = settingsWords().engine;
  const { settings, change } = useStoreValue('settings', (state) => state);
  const { address } = settings.engine;
  const offered = useStoreValue('engineLink', ({ offer }) => offer?.engine?.address);
  const save = (text: string) => {
    const typed = text.trim().replace(/\/+$/, '');
    return change({ engine: { address: typed === '' ? null : typed } }) && words.addressWrong;
  };
  return (
    <>
      <SettingsField
        label={words.address}
        hint={offered === undefined ? words.addressHint : words.addressOffered(offered)}
        value={address ?? ''}
        save={save}
      >
        {(input) => <input {...input} className={styles.input} inputMode="url" spellCheck={false} />}
      </SettingsField>
      {offered !== undefined && offered !== address && (
        <div className={styles.row}>
          <Button look="quiet" onClick={() => void save(offered)}>
            {words.take(offered)}
          </Button>
        </div>
      )}
    </>
  );
}

/** One field for each model that the engine may run in place of this page; those of a server run there. */
function ModelFields() {
  const words = settingsWords().engine;
  const { settings, change } = useStoreValue('settings', (state) => state);
  const own = useStoreValue('models', (state) => state.models).filter(({ upstream }) => upstream === null);
  const { models } = settings.engine;
  const offered = useStoreValue('engineLink', ({ offer }) => offer?.engine?.models) ?? [];
  return own.map(({ name }) => {
    const current = ownValue(models, name) ?? '';
    const choices = [...new Set([...offered, ...(current === '' ? [] : [current])])];
    const { [name]: _, ...others } = models;
    return (
      <SelectField
        key={name}
        label={words.model(name)}
        options={[{ value: '', text: words.onlyHere }, ...choices.map((value) => ({ value, text: value }))]}
        value={current}
        onChoose={(chosen) =>
          void change({ engine: { models: chosen === '' ? others : { ...others, [name]: chosen } } })
        }
      />
    );
  });
}

function UseFields() {
  const words = settingsWords().engine;
  const { settings, change } = useStoreValue('settings', (state) => state);
  const { whenHostingIsNull, ifAway } = settings.engine;
  return (
    <>
      <SelectField
        label={words.use}
        options={(['off', 'on'] as const).map((value) => ({ value, text: words.uses[value] }))}
        value={whenHostingIsNull ? 'on' : 'off'}
        onChoose={(chosen) => void change({ engine: { whenHostingIsNull: chosen === 'on' } })}
      />
      <p className={styles.hint}>{words.useHint}</p>
      <SelectField
        label={words.away}
        options={(['fail', 'here'] as const).map((value) => ({ value, text: words.awayChoices[value] }))}
        value={ifAway}
        onChoose={(chosen) => void change({ engine: { ifAway: chosen } })}
      />
    </>
  );
}

/** Compares the numbers of the engine's models with those of this page, and shows the outcome. */
function Connect({ hasModels }: { readonly hasModels: boolean }) {
  const words = settingsWords().engine;
  const { isChecking, checks, connect } = useStoreValue('engineLink', (state) => state);
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <Button disabled={!hasModels || isChecking} onClick={() => void connect()}>
          {words.connect}
        </Button>
        {!hasModels && <span className={styles.hint}>{words.noModels}</span>}
      </div>
      <div aria-live="polite" data-testid="engine-checks">
        {isChecking && <p className={styles.hint}>{words.checking}</p>}
        {checks.map(({ model, isRight, reason }) => (
          <p key={model} className={styles.outcome} data-kind={isRight ? 'saved' : 'wrong'}>
            {isRight ? words.verified(model, reason) : words.refused(model, reason)}
          </p>
        ))}
      </div>
    </div>
  );
}

const LANGUAGE = 'language';

function PageSection() {
  const words = settingsWords().page;
  const { choice, system, isFailed, choose } = useStoreValue('language', (state) => state);
  const { theme, choose: chooseTheme } = useStoreValue('theme', (state) => state);
  const options: readonly { value: LanguageChoice; text: string }[] = [
    { value: 'system', text: words.system(languageName(system)) },
    ...LANGUAGES.map((value) => ({ value, text: languageName(value) })),
  ];
  const change = async (value: LanguageChoice) => {
    await choose(value);
    focusOn(LANGUAGE); // the whole page is rendered again
  };
  return (
    <SettingsSection title={words.title} about={words.about}>
      <SelectField
        id={LANGUAGE}
        label={words.language}
        options={options}
        value={choice}
        onChoose={(value) => void change(value)}
      />
      <p className={styles.outcome} data-kind="wrong" role="alert">
        {isFailed && words.languageFailed}
      </p>
      <SelectField
        label={words.theme}
        options={THEMES.map((value) => ({ value, text: words.themes[value] }))}
        value={theme}
        onChoose={chooseTheme}
      />
    </SettingsSection>
  );
}

/** The bearer token: hidden until Show is pressed, and replaceable. */
function TokenField() {
  const id = useId();
  const words = settingsWords().token;
  const token = useStoreValue('settings', (state) => state.token);
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {words.label}
      </label>
      <div className={styles.row}>
        <input
          id={id}
          className={styles.input}
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          readOnly
          value={token}
          data-testid="token"
        />
        <Button look="quiet" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? words.hide : words.show}
        </Button>
        <CopyButton label={words.copy} text={() => token} />
      </div>
      <p className={styles.hint}>{words.hint}</p>
      <ReplaceToken />
    </div>
  );
}

const REPLACE = 'replace-token';

/** Asks for confirmation, since programs with the old token are refused afterwards. */
function ReplaceToken() {
  const words = settingsWords().token;
  const replaceToken = useStoreValue('settings', (state) => state.replaceToken);
  const [step, setStep] = useState<'rest' | 'asked' | 'done'>('rest');
  const replace = () => {
    replaceToken();
    setStep('done');
  };
  return (
    <>
      <div className={styles.row}>
        <Button id={REPLACE} aria-expanded={step === 'asked'} onClick={() => setStep('asked')}>
          {words.replace}
        </Button>
        <span className={styles.outcome} data-kind="saved" aria-live="polite">
          {step === 'done' && words.replaced}
        </span>
      </div>
      {step === 'asked' && (
        <div className={styles.row} role="group" aria-label={words.replaceTitle}>
          <span className={styles.hint}>{words.replaceWarning}</span>
          <Button focus={REPLACE} onClick={replace}>
            {words.replaceNow}
          </Button>
          <Button look="quiet" focus={REPLACE} onClick={() => setStep('rest')}>
            {words.cancel}
          </Button>
        </div>
      )}
    </>
  );
}
