import { useId, useState } from 'react';
import type { ServiceSettings } from '../../contract/settings.ts';
import { hostedNames } from '../../state/settings/hosted-names.ts';
import { settingsWords } from '../../words/en/settings.ts';
import { Button } from '../parts/buttons.tsx';
import { focusOn } from '../parts/focus.ts';
import { useStoreValue } from '../use-stores.ts';
import styles from './settings-page.module.css';

/** Id of the field for a new alias. */
const NEW_NAME = 'new-alias';

/** Names that existing code asks for, and the local model that answers to each. */
export function ModelNames() {
  const { modelNames } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  const words = settingsWords().aliases;
  const names = Object.entries(modelNames);
  const without = (foreign: string) => Object.fromEntries(names.filter(([name]) => name !== foreign));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{words.title}</legend>
      <p className={styles.hint}>{words.about}</p>
      {names.length > 0 && (
        <ul className={styles.names}>
          {names.map(([foreign, local]) => (
            <li key={foreign}>
              <span>
                <b>{foreign}</b> → {textOf(local)}
              </span>
              <Button
                look="quiet"
                aria-label={words.removeOne(foreign)}
                onClick={() => {
                  focusOn(NEW_NAME); // this button goes
                  change({ modelNames: without(foreign) });
                }}
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

/** Operations with the same model are said together. */
function textOf(named: ServiceSettings['modelNames'][string]): string {
  if (typeof named === 'string') return named;
  const models = [...new Set(Object.values(named))];
  const usesOf = (model: string) => Object.entries(named).flatMap(([use, name]) => (name === model ? [use] : []));
  return models.map((model) => settingsWords().aliases.forUse(usesOf(model).join(', '), model)).join('; ');
}

/** Adds names that existing code for the hosted service asks for; nothing where all are there. */
function HostedNames() {
  const settings = useStoreValue('settings', (state) => state.settings);
  const choices = useStoreValue('settings', (state) => state.choices);
  const models = useStoreValue('settings', (state) => state.models);
  const change = useStoreValue('settings', (state) => state.change);
  const words = settingsWords().aliases;
  const names = hostedNames(settings, { choices, models });
  if (Object.keys(names).length === 0) return null;
  return (
    <p className={styles.hint}>
      <Button
        onClick={() => {
          focusOn(NEW_NAME); // this button goes
          change({ modelNames: { ...settings.modelNames, ...names } });
        }}
      >
        {words.addHosted}
      </Button>{' '}
      {words.hostedHint}
    </p>
  );
}

function problemText(foreign: string, models: readonly string[]): string {
  const words = settingsWords().aliases;
  return models.includes(foreign) ? words.isLocal(foreign) : words.length;
}

function NewName() {
  const id = useId();
  const { modelNames } = useStoreValue('settings', (state) => state.settings);
  const models = useStoreValue('settings', (state) => state.models);
  const change = useStoreValue('settings', (state) => state.change);
  const words = settingsWords().aliases;
  const [foreign, setForeign] = useState('');
  const [local, setLocal] = useState(models[0] ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const refused = change({ modelNames: { ...modelNames, [foreign.trim()]: local } });
    setProblem(refused && problemText(foreign.trim(), models));
    if (refused === null) setForeign('');
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
        value={foreign}
        onChange={(event) => setForeign(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && foreign.trim() !== '' && add()}
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
      <Button disabled={foreign.trim() === ''} onClick={add}>
        {words.add}
      </Button>
      <p id={id} className={styles.outcome} data-kind={problem === null ? 'none' : 'wrong'} aria-live="polite">
        {problem}
      </p>
    </div>
  );
}
