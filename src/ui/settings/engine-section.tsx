import { useEffect } from 'react';
import { engineWords } from '../../words/en/models/engine.ts';
import { Button } from '../parts/buttons.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { Field, Section, SelectField } from './fields.tsx';
import styles from './settings-page.module.css';

/** Where an engine elsewhere is, which models it stands for, and when it may be used. */
export function EngineSection() {
  const words = engineWords();
  const { engineLink } = useStores();
  const { address, models } = useStoreValue('settings', ({ settings }) => settings.engine);
  const offer = useStoreValue('engineLink', (state) => state.offer);
  useEffect(() => void engineLink.getState().look(), [engineLink]);
  const isThere = offer !== null || address !== null;
  return (
    <Section title={words.title} about={words.about}>
      {isThere ? (
        <>
          <AddressField />
          <ModelFields />
          <UseFields />
          <Connect hasModels={Object.keys(models).length > 0} />
        </>
      ) : (
        <p className={styles.hint}>{words.none}</p>
      )}
    </Section>
  );
}

function AddressField() {
  const words = engineWords();
  const { address } = useStoreValue('settings', ({ settings }) => settings.engine);
  const change = useStoreValue('settings', (state) => state.change);
  const offered = useStoreValue('engineLink', ({ offer }) => offer?.address);
  const save = (text: string) => {
    const typed = text.trim().replace(/\/+$/, '');
    return change({ engine: { address: typed === '' ? null : typed } }) && words.addressWrong;
  };
  return (
    <>
      <Field
        label={words.address}
        hint={offered === undefined ? words.addressHint : words.addressOffered(offered)}
        value={address ?? ''}
        save={save}
      >
        {(input) => <input {...input} className={styles.input} inputMode="url" spellCheck={false} />}
      </Field>
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

/** One field for each local model. */
function ModelFields() {
  const words = engineWords();
  const { models } = useStoreValue('settings', ({ settings }) => settings.engine);
  const change = useStoreValue('settings', (state) => state.change);
  const names = useStoreValue('settings', (state) => state.models);
  const offered = useStoreValue('engineLink', ({ offer }) => offer?.models) ?? [];
  return names.map((name) => {
    const current = models[name] ?? '';
    const there = [...new Set([...offered, ...(current === '' ? [] : [current])])];
    const { [name]: _, ...others } = models;
    return (
      <SelectField
        key={name}
        label={words.model(name)}
        options={[{ value: '', text: words.onlyHere }, ...there.map((value) => ({ value, text: value }))]}
        value={current}
        onChoose={(chosen) =>
          void change({ engine: { models: chosen === '' ? others : { ...others, [name]: chosen } } })
        }
      />
    );
  });
}

function UseFields() {
  const words = engineWords();
  const { whenHostingIsNull, ifAway } = useStoreValue('settings', ({ settings }) => settings.engine);
  const change = useStoreValue('settings', (state) => state.change);
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

/** Checks the engine's models by their numbers, and says which. */
function Connect({ hasModels }: { readonly hasModels: boolean }) {
  const words = engineWords();
  const { engineLink } = useStores();
  const isChecking = useStoreValue('engineLink', (state) => state.isChecking);
  const checks = useStoreValue('engineLink', (state) => state.checks);
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <Button disabled={!hasModels || isChecking} onClick={() => void engineLink.getState().connect()}>
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
