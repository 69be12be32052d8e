import { hashOfCard } from '../../state/page/page-store.ts';
import type { ModelChoices } from '../../state/settings/settings-store.ts';
import { useStoreValue } from '../use-stores.ts';
import { Section, SelectField } from './fields.tsx';
import { ModelNames } from './model-names.tsx';
import styles from './settings-page.module.css';

const DEFAULTS: readonly { readonly operation: keyof ModelChoices; readonly label: string }[] = [
  { operation: 'explain', label: 'Explain page' },
  { operation: 'semantic_embed', label: 'Semantic embeddings' },
  { operation: 'qa', label: 'Questions and answers' },
];

/** Which model runs when a request names none, or another name. */
export function ModelsSection() {
  const { defaultModels } = useStoreValue('settings', (state) => state.settings);
  const choices = useStoreValue('settings', (state) => state.choices);
  const change = useStoreValue('settings', (state) => state.change);
  const models = useStoreValue('models', (state) => state.models);
  return (
    <Section
      title="Models"
      about="Which model answers where a request names none, and which one answers to names that are used elsewhere."
    >
      {DEFAULTS.map(({ operation, label }) => (
        <SelectField
          key={operation}
          label={label}
          options={optionsOf(choices[operation])}
          value={defaultModels[operation] ?? ''}
          onChoose={(name) => change({ defaultModels: { [operation]: name || null } })}
        />
      ))}
      <ModelNames />
      <p className={styles.hint}>
        Cards:{' '}
        {models.map(({ name }, index) => (
          <span key={name}>
            {index > 0 && ', '}
            <a href={hashOfCard(name)}>{name}</a>
          </span>
        ))}
      </p>
    </Section>
  );
}

/** "Automatic" names the model that it chooses now. */
function optionsOf(names: readonly string[]) {
  const automatic = { value: '', text: names[0] ? `Automatic (${names[0]})` : 'Automatic (none can do this yet)' };
  return [automatic, ...names.map((name) => ({ value: name, text: name }))];
}
