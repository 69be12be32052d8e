import { type CSSProperties, type KeyboardEvent, type ReactNode, useId } from 'react';
import styles from './choice.module.css';
import fieldStyles from './field.module.css';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** Exactly one of a few values: radio buttons that look like one bar. */
export function Choice<Value extends string>({ label, options, value, onChoose }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
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

/** The row above a field: its label, and a hint or an action. */
export function LabelRow(props: {
  readonly htmlFor: string;
  readonly label: string;
  /** Stands at the end of the row. */
  readonly children?: ReactNode;
}) {
  const { htmlFor, label, children } = props;
  return (
    <div className={fieldStyles.labelRow}>
      <label className={fieldStyles.label} htmlFor={htmlFor}>
        {label}
      </label>
      {children}
    </div>
  );
}

/** A slider over uneven steps. A value between the stops is shown at the nearest one until the slider is moved. */
export function StopsSlider(props: {
  readonly label: string;
  /** Values it stops at, in order; evenly spaced on the track whatever they are. */
  readonly stops: readonly number[];
  readonly value: number;
  /** The value in words, for screen readers. */
  readonly text: string;
  readonly onChange: (value: number) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}) {
  const { label, stops, value, text, onChange, onKeyDown } = props;
  const distances = stops.map((stop) => Math.abs(stop - value));
  const index = distances.indexOf(Math.min(...distances));
  const move = (next: number) => {
    const stop = stops[next];
    if (stop !== undefined) onChange(stop);
  };
  return (
    <input
      type="range"
      className={styles.slider}
      aria-label={label}
      aria-valuetext={text}
      min={0}
      max={stops.length - 1}
      step={1}
      value={index}
      style={shareStyle(index / (stops.length - 1))}
      onChange={(event) => move(event.target.valueAsNumber)}
      onKeyDown={onKeyDown}
    />
  );
}

/** How much of the track is filled, 0 … 1. */
function shareStyle(share: number): CSSProperties & { '--share': number } {
  return { '--share': share };
}
