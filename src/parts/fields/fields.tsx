import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { keyOf } from '../buttons.tsx';
import { settingFieldWords } from './words.en.ts';
import styles from './fields.module.css';

/** A group of settings: its description on one side, the fields on the other. */
export function SettingsSection(props: {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}) {
  const { title, about, children } = props;
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        <p className={styles.hint}>{about}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

/** A text that is saved when the field loses focus or Enter is pressed; Escape restores the saved one. */
export function SettingsField(props: {
  readonly label: string;
  readonly hint: string;
  /** As it is saved. */
  readonly value: string;
  /** Saves what was typed. @returns what is wrong with it, or null */
  readonly save: (text: string) => string | null;
  readonly inputMode?: 'decimal' | 'numeric' | 'url';
  /** The element to type in. Left out: a line. */
  readonly children?: (input: ReturnType<typeof useDraft>['input']) => ReactNode;
}) {
  const { label, hint, value, save, inputMode, children } = props;
  const { id, input, outcome } = useDraft(value, save);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children ? children(input) : <input {...input} className={styles.input} inputMode={inputMode} />}
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      <p id={`${id}-outcome`} className={styles.outcome} data-kind={outcome.kind} aria-live="polite">
        {outcome.text}
      </p>
    </div>
  );
}

function useDraft(value: string, save: (text: string) => string | null) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [outcome, setOutcome] = useState({ kind: 'none', text: '' });
  const finish = () => {
    if (draft === null || draft === value) return discard();
    const why = save(draft);
    setOutcome(why === null ? { kind: 'saved', text: settingFieldWords().saved } : { kind: 'wrong', text: why });
    if (why === null) setDraft(null);
  };
  const discard = () => {
    setDraft(null);
    if (outcome.kind === 'wrong') setOutcome({ kind: 'none', text: '' });
  };
  const input = {
    id,
    value: draft ?? value,
    'aria-describedby': `${id}-hint ${id}-outcome`,
    'aria-invalid': outcome.kind === 'wrong',
    onChange: (event: { readonly target: { readonly value: string } }) => setDraft(event.target.value),
    onBlur: finish,
    onKeyDown(event: KeyboardEvent) {
      const key = keyOf(event);
      if (key === 'Escape') discard();
      if (key === 'Enter' && event.target instanceof HTMLInputElement) finish();
    },
  };
  return { id, input, outcome };
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Default: one of its own. */
  readonly id?: string;
}

/** One of a list, chosen from the browser's own menu. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const own = useId();
  const { label, options, value, onChoose, id = own } = props;
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen) onChoose(chosen.value);
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select id={id} className={styles.input} value={value} onChange={(event) => choose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
