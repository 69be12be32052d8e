import { hashOfCard } from '../../state/page/page-store.ts';
import type { ModelChoices } from '../../state/settings/settings-store.ts';
import { useStoreValue } from '../use-stores.ts';
import { DefaultModelField } from './default-model-field.tsx';
import { Section } from './fields.tsx';
import { ModelNames } from './model-names.tsx';
import styles from './settings-page.module.css';

const DEFAULTS: readonly { readonly operation: keyof ModelChoices; readonly label: string }[] = [
  { operation: 'explain', label: 'Explain page' },
  { operation: 'semantic_embed', label: 'Semantic embeddings' },
  { operation: 'qa', label: 'Questions and answers' },
];

/** Which model runs when a request names none, or another name. */
export function ModelsSection() {
  const models = useStoreValue('models', (state) => state.models);
  return (
    <Section title="Models" about="Defaults for requests that name no model, and aliases for existing code.">
      {DEFAULTS.map(({ operation, label }) => (
        <DefaultModelField key={operation} operation={operation} label={label} />
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
