import { ToggleGroup } from 'radix-ui';
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

/** Exactly one of a few values; arrow keys move between them. */
export function Choice<Value extends string>({ label, options, value, onChoose, onHover }: ChoiceProps<Value>) {
  const choose = (picked: string) => {
    const option = options.find((one) => one.value === picked);
    if (option) onChoose(option.value);
  };
  return (
    <ToggleGroup.Root type="single" className={styles.group} aria-label={label} value={value} onValueChange={choose}>
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={styles.option}
          onPointerEnter={() => onHover?.(option.value)}
          onPointerLeave={() => onHover?.(null)}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
