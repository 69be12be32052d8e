import { Fragment, useId, useState } from 'react';
import { settingsWords } from './words.en.ts';
import { hashOfCard } from '../../stores/page-store.ts';
import { Sentence } from '../../parts/sentence.tsx';
import { exactText } from '../../words/language.ts';
import { useStoreValue } from '../../stores/use-stores.ts';
import { DefaultModelField } from '../../parts/fields/service-fields.tsx';
import { SelectField, SettingsField, SettingsSection } from '../../parts/fields/fields.tsx';
import styles from '../../parts/fields/fields.module.css';
import type { ServiceSettings } from '../../contract/settings.ts';
import { Button, keyOf } from '../../parts/buttons.tsx';
import type { ModelChoices } from '../../stores/settings-store.ts';

const USES = ['explain', 'semantic_embed', 'qa'] as const;

/** Default models, model aliases, and the address of the hub. */
export function ModelsSection() {
  const words = settingsWords().models;
  return (
    <SettingsSection title={words.title} about={words.about}>
      {USES.map((operation) => (
        <DefaultModelField key={operation} operation={operation} label={words.uses[operation]} />
      ))}
      <ModelNames />
      <HubField />
      <p className={styles.hint}>
        <Sentence text={words.cards} parts={{ cards: <Cards /> }} />
      </p>
    </SettingsSection>
  );
}

function HubField() {
  const words = settingsWords().hub;
  const { settings, change } = useStoreValue('settings', (state) => state);
  return (
    <SettingsField
      label={words.label}
      hint={words.hint}
      value={settings.hub}
      save={(text) => change({ hub: text.trim() }) && words.wrong}
      inputMode="url"
    />
  );
}

function Cards() {
  const models = useStoreValue('models', (state) => state.models);
  return models.map(({ name }, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <a href={hashOfCard(name)}>{name}</a>
    </Fragment>
  ));
}

const NEW_NAME = 'new-alias';

/** Model names that existing code requests, and the local model for each. */
function ModelNames() {
  const { settings, change } = useStoreValue('settings', (state) => state);
  const words = settingsWords().aliases;
  const names = Object.entries(settings.modelNames);
  const without = (alias: string) => Object.fromEntries(names.filter(([name]) => name !== alias));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{words.title}</legend>
      <p className={styles.hint}>{words.about}</p>
      {names.length > 0 && (
        <ul className={styles.names}>
          {names.map(([alias, local]) => (
            <li key={alias}>
              <span>
                <b>{alias}</b> → {textOf(local)}
              </span>
              <Button
                look="quiet"
                aria-label={words.removeOne(alias)}
                focus={NEW_NAME}
                onClick={() => change({ modelNames: without(alias) })}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewName />
      <HostedNames />
    </fieldset>
  );
}

/** Names operations with the same model together. */
function textOf(named: ServiceSettings['modelNames'][string]): string {
  if (typeof named === 'string') return named;
  const models = [...new Set(Object.values(named))];
  const usesOf = (model: string) => Object.entries(named).flatMap(([use, name]) => (name === model ? [use] : []));
  return models.map((model) => settingsWords().aliases.forUse(usesOf(model).join(', '), model)).join('; ');
}

/** Adds the names of the hosted service; nothing if all are in use. */
function HostedNames() {
  const { settings, choices, models, change } = useStoreValue('settings', (state) => state);
  const words = settingsWords().aliases;
  const names = hostedNames(settings, { choices, models });
  if (Object.keys(names).length === 0) return null;
  return (
    <p className={styles.hint}>
      <Button focus={NEW_NAME} onClick={() => change({ modelNames: { ...settings.modelNames, ...names } })}>
        {words.addHosted}
      </Button>{' '}
      {words.hostedHint}
    </p>
  );
}

function NewName() {
  const id = useId();
  const { settings, models, change } = useStoreValue('settings', (state) => state);
  const words = settingsWords().aliases;
  const [alias, setAlias] = useState('');
  const [local, setLocal] = useState(models[0] ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const name = alias.trim();
    const isRefused = change({ modelNames: { ...settings.modelNames, [name]: local } }) !== null;
    setProblem(isRefused ? (models.includes(name) ? words.isLocal(name) : words.length) : null);
    if (!isRefused) setAlias('');
  };
  return (
    <div className={styles.newName}>
      <input
        className={styles.input}
        id={NEW_NAME}
        aria-label={words.alias}
        aria-describedby={id}
        aria-invalid={problem !== null}
        placeholder={words.example}
        value={alias}
        onChange={(event) => setAlias(event.target.value)}
        onKeyDown={(event) => keyOf(event) === 'Enter' && alias.trim() !== '' && add()}
      />
      <select
        className={styles.input}
        aria-label={words.local}
        value={local}
        onChange={(event) => setLocal(event.target.value)}
      >
        {models.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <Button disabled={alias.trim() === ''} onClick={add}>
        {words.add}
      </Button>
      <p id={id} className={styles.outcome} data-kind={problem === null ? 'none' : 'wrong'} aria-live="polite">
        {problem}
      </p>
    </div>
  );
}

const MAX_THREADS = 16;

/** Backend and threads of the models, chosen instead of measured. */
export function DeviceSection() {
  const words = settingsWords().device;
  const { settings, change } = useStoreValue('settings', (state) => state);
  const { backend, threads } = settings.device;
  return (
    <SettingsSection title={words.title} about={words.about}>
      <SelectField
        label={words.backend}
        options={(['', 'webgpu', 'wasm'] as const).map((value) => ({ value, text: words.backends[value || 'auto'] }))}
        value={backend ?? ''}
        onChoose={(chosen) => void change({ device: { backend: chosen || null } })}
      />
      <SelectField
        label={words.threads}
        options={threadOptions(threads)}
        value={threads === null ? '' : String(threads)}
        onChoose={(chosen) => void change({ device: { threads: chosen === '' ? null : Number(chosen) } })}
      />
      <RunsOn />
    </SettingsSection>
  );
}

/** One for each core; a number that was chosen on another device stays in the list. */
function threadOptions(current: number | null) {
  const words = settingsWords().device;
  const counts = Array.from({ length: Math.min(MAX_THREADS, navigator.hardwareConcurrency) }, (_, index) => index + 1);
  const all = current === null || counts.includes(current) ? counts : [...counts, current];
  return [
    { value: '', text: words.backends.auto },
    ...all.map((count) => ({ value: String(count), text: exactText(count) })),
  ];
}

/** The device of the default model, and the measurements that chose it. */
function RunsOn() {
  const words = settingsWords().device;
  const { model, status } = useStoreValue('engine', (state) => state);
  if (status.kind === 'loading') return <p className={styles.hint}>{words.loading(model)}</p>;
  if (status.kind === 'failed') return <p className={styles.hint}>{words.failed(model, status.problem.message)}</p>;
  const { backend, reason } = status.report;
  return <p className={styles.hint}>{words.runsOn(model, backend, reason)}</p>;
}

/** Names that the hosted service's public client and its examples use. */
const HOSTED = ['luminous-base', 'luminous-extended', 'luminous-supreme'].flatMap((name) => [name, `${name}-control`]);

/** The one of them for semantic embeddings. @source contract facts §1.4 */
const EMBEDDER = 'luminous-base';

/** The default model of each operation, for each name of the hosted service that is not in use. */
export function hostedNames(
  { modelNames, defaultModels }: Pick<ServiceSettings, 'modelNames' | 'defaultModels'>,
  { choices, models }: { readonly choices: ModelChoices; readonly models: readonly string[] },
): ServiceSettings['modelNames'] {
  const chosen = (use: keyof ModelChoices) =>
    choices[use].find((name) => name === defaultModels[use]) ?? choices[use][0];
  const [writer, embedder, reader] = [chosen('explain'), chosen('semantic_embed'), chosen('qa')];
  const forWriting = writer === undefined ? {} : Object.fromEntries(WRITING.map((use) => [use, writer]));
  const free = HOSTED.filter((name) => !Object.hasOwn(modelNames, name) && !models.includes(name));
  const named = free.map((name) => {
    const embeds = name === EMBEDDER && embedder !== undefined && { semantic_embed: embedder };
    return [name, { ...forWriting, ...embeds, ...(reader !== undefined && { qa: reader }) }] as const;
  });
  return Object.fromEntries(named.filter(([, uses]) => Object.keys(uses).length > 0));
}

const WRITING = ['explain', 'embed', 'evaluate', 'predict', 'complete'] as const;
