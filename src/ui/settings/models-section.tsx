import { Fragment } from 'react';
import { settingsWords } from '../../words/en/settings.ts';
import { hashOfCard } from '../../state/page/page-store.ts';
import { Sentence } from '../parts/sentence.tsx';
import { useStoreValue } from '../use-stores.ts';
import { DefaultModelField } from './default-model-field.tsx';
import { Field, Section } from './fields.tsx';
import { ModelNames } from './model-names.tsx';
import styles from './settings-page.module.css';

const USES = ['explain', 'semantic_embed', 'qa'] as const;

/** Which model runs when a request names none, or another name. */
export function ModelsSection() {
  const words = settingsWords().models;
  return (
    <Section title={words.title} about={words.about}>
      {USES.map((operation) => (
        <DefaultModelField key={operation} operation={operation} label={words.uses[operation]} />
      ))}
      <ModelNames />
      <HubField />
      <p className={styles.hint}>
        <Sentence text={words.cards} parts={{ cards: <Cards /> }} />
      </p>
    </Section>
  );
}

/** Where models are fetched from. */
function HubField() {
  const words = settingsWords().hub;
  const hub = useStoreValue('settings', (state) => state.settings.hub);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Field
      label={words.label}
      hint={words.hint}
      value={hub}
      save={(text) => change({ hub: text.trim() }) && words.wrong}
    >
      {(input) => <input {...input} className={styles.input} inputMode="url" />}
    </Field>
  );
}

/** A link to the card of each model. */
function Cards() {
  const models = useStoreValue('models', (state) => state.models);
  return models.map(({ name }, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <a href={hashOfCard(name)}>{name}</a>
    </Fragment>
  ));
}
