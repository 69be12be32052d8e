import type { ModelChoices } from '../../stores/settings-store.ts';
import { settingFieldWords } from './words.en.ts';
import { useStoreValue } from '../../stores/use-stores.ts';
import { SelectField, SettingsField } from './fields.tsx';
import { exactText, typedNumber } from '../../words/language.ts';
import { boundText } from './bound-text.ts';
import { partsWords } from '../words.en.ts';

/** The model that an operation runs where a request names none. */
export function DefaultModelField(props: { readonly operation: keyof ModelChoices; readonly label: string }) {
  const { operation, label } = props;
  const { defaultModels } = useStoreValue('settings', (state) => state.settings);
  const chosen = defaultModels[operation];
  const choices = useStoreValue('settings', (state) => state.choices);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <SelectField
      label={label}
      options={optionsOf(choices[operation], chosen)}
      value={chosen ?? ''}
      onChoose={(name) => change({ defaultModels: { [operation]: name || null } })}
    />
  );
}

/** "Automatic" names the model that it chooses now. A chosen model that is not listed, such as one of a server, stays chosen. */
function optionsOf(names: readonly string[], chosen: string | null) {
  const words = settingFieldWords().defaults;
  const automatic = { value: '', text: names[0] ? words.automatic(names[0]) : words.none };
  const away = chosen === null || names.includes(chosen) ? [] : [{ value: chosen, text: words.notListed(chosen) }];
  return [automatic, ...names.map((name) => ({ value: name, text: name })), ...away];
}

/** Milliseconds, to a reader. */
export const SECONDS = { size: 1000, noun: () => partsWords().seconds };

/** How long a request may take. Seconds are easier to read than the milliseconds of the setting. */
export function TimeoutField() {
  const words = settingFieldWords().timeout;
  const { timeoutMs } = useStoreValue('settings', (state) => state.settings);
  const change = useStoreValue('settings', (state) => state.change);
  const save = (text: string) => {
    const seconds = typedNumber(text);
    if (Number.isNaN(seconds)) return words.wrong;
    const problem = change({ timeoutMs: Math.round(seconds * SECONDS.size) });
    return problem === null ? null : (boundText(words.name, problem, SECONDS) ?? problem);
  };
  return (
    <SettingsField
      label={words.label}
      hint={words.hint}
      value={exactText(timeoutMs / SECONDS.size)}
      save={save}
      inputMode="decimal"
    />
  );
}
