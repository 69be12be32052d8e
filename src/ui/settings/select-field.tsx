import { useId } from 'react';
import styles from './settings-page.module.css';

/** See `SelectField`. */
export interface SelectFieldProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

/** One of a list, chosen from the browser's own menu. */
export function SelectField({ label, options, value, onChoose }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select id={id} className={styles.input} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
