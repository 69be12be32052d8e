import type { ModelChoices } from '../../state/settings-store.ts';
import { useSettings } from '../use-stores.ts';
import { ModelNames } from './model-names.tsx';
import { Section } from './section.tsx';
import { SelectField } from './select-field.tsx';

const DEFAULTS: readonly { readonly operation: keyof ModelChoices; readonly label: string }[] = [
  { operation: 'explain', label: 'Explain page' },
  { operation: 'semantic_embed', label: 'Semantic embeddings' },
  { operation: 'qa', label: 'Questions and answers' },
];

/** Which model answers when a request does not say, or says a name from elsewhere. */
export function ModelsSection() {
  const { defaultModels } = useSettings((state) => state.settings);
  const choices = useSettings((state) => state.choices);
  const change = useSettings((state) => state.change);
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
    </Section>
  );
}

/** "Automatic" says what it comes to today. */
function optionsOf(names: readonly string[]) {
  const automatic = { value: '', text: names[0] ? `Automatic (${names[0]})` : 'Automatic (none can do this yet)' };
  return [automatic, ...names.map((name) => ({ value: name, text: name }))];
}
