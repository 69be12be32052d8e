import type { ModelChoices } from '../../state/settings/settings-store.ts';
import { settingsWords } from '../../words/en/settings.ts';
import { useStoreValue } from '../use-stores.ts';
import { SelectField } from './fields.tsx';

/** See `DefaultModelField`. */
export interface DefaultModelFieldProps {
  readonly operation: keyof ModelChoices;
  readonly label: string;
}

/** The model that an operation runs where a request names none. */
export function DefaultModelField({ operation, label }: DefaultModelFieldProps) {
  const { defaultModels } = useStoreValue('settings', (state) => state.settings);
  const choices = useStoreValue('settings', (state) => state.choices);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <SelectField
      label={label}
      options={optionsOf(choices[operation])}
      value={defaultModels[operation] ?? ''}
      onChoose={(name) => change({ defaultModels: { [operation]: name || null } })}
    />
  );
}

/** "Automatic" names the model that it chooses now. */
function optionsOf(names: readonly string[]) {
  const words = settingsWords().defaults;
  const automatic = { value: '', text: names[0] ? words.automatic(names[0]) : words.none };
  return [automatic, ...names.map((name) => ({ value: name, text: name }))];
}
