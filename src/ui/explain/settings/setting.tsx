import { type ReactNode, useId, useState } from 'react';
import { moreSettingsWords } from '../../../words/en/explain/more-settings.ts';
import { exactText, numberText, typedNumber } from '../../../words/numbers.ts';
import { Choice, type Option } from '../../parts/fields/choice.tsx';
import { FieldNote, useFieldMark } from '../problem/field-note.tsx';
import { fieldLabel, type FieldName } from '../problem/field-problems.ts';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

/** One setting: its name, its field, one line of help, and what is wrong with it. */
interface SettingProps {
  readonly label: string;
  /** Where a problem of the request is said; settings that no request carries have none. */
  readonly field?: FieldName;
  readonly help: string;
  readonly children: ReactNode;
}

function Setting({ label, field, help, children }: SettingProps) {
  return (
    <div className={panel.field} id={field}>
      <span className={styles.small} aria-hidden>
        {label}
      </span>
      {children}
      <p className={panel.hint}>{help}</p>
      {field && <FieldNote field={field} />}
    </div>
  );
}

/** See `ChoiceSetting`. */
export interface ChoiceSettingProps<Value extends string> extends Omit<SettingProps, 'children'> {
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** One of a few values. */
export function ChoiceSetting<Value extends string>({
  options,
  value,
  onChoose,
  ...setting
}: ChoiceSettingProps<Value>) {
  return (
    <Setting {...setting}>
      <Choice label={setting.label} {...{ options, value, onChoose }} />
    </Setting>
  );
}

/** See `NumberSetting`. */
export interface NumberSettingProps {
  readonly field: FieldName;
  /** Default: the name of the field. */
  readonly label?: string;
  readonly help: string;
  /** Null is shown as an empty field. */
  readonly value: number | null;
  /** Shown in an empty field; without it, empty is no value. */
  readonly whenEmpty?: string;
  readonly onChange: (value: number | null) => void;
}

/** A number of any size, typed. What is no number is said at once and changes nothing; what is too large the service refuses. */
export function NumberSetting(props: NumberSettingProps) {
  const { field, label = fieldLabel(field), help, value, whenEmpty, onChange } = props;
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const mark = useFieldMark(field, `${id}-help ${id}-wrong`);
  const shown = draft ?? (value === null ? '' : exactText(value));
  const isWrong = numberIn(shown, whenEmpty !== undefined) === undefined;
  const change = (text: string) => {
    setDraft(text);
    const number = numberIn(text, whenEmpty !== undefined);
    if (number !== undefined) onChange(number);
  };
  return (
    <div className={panel.field}>
      <label className={styles.small} htmlFor={field}>
        {label}
      </label>
      <input
        {...mark}
        className={styles.input}
        inputMode="decimal"
        aria-invalid={mark['aria-invalid'] || isWrong}
        placeholder={whenEmpty}
        value={shown}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setDraft(null)}
      />
      <p className={panel.hint} id={`${id}-help`}>
        {help}
      </p>
      <p className={panel.wrong} id={`${id}-wrong`} aria-live="polite">
        {isWrong && moreSettingsWords().enterNumber(numberText(0.5))}
      </p>
      <FieldNote field={field} />
    </div>
  );
}

/** Undefined for what is no number; null for nothing, where that is a value. */
function numberIn(text: string, canBeEmpty: boolean): number | null | undefined {
  if (text.trim() === '') return canBeEmpty ? null : undefined;
  const number = typedNumber(text);
  return Number.isFinite(number) ? number : undefined;
}
