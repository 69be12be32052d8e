import { useId } from 'react';
import styles from './choice.module.css';

/** One of the values to choose from. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** What a choice shows and does. */
export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Told what the pointer is over, for a preview; null when it has left. */
  readonly onHover?: (value: Value | null) => void;
}

/** Exactly one of a few values: radio buttons that look like one bar. */
export function Choice<Value extends string>({ label, options, value, onChoose, onHover }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={styles.option}
          onPointerEnter={() => onHover?.(option.value)}
          onPointerLeave={() => onHover?.(null)}
        >
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <bdi>{option.label}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
