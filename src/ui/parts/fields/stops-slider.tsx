import type { CSSProperties } from 'react';
import styles from './stops-slider.module.css';

/** What a slider shows and does. */
export interface StopsSliderProps {
  readonly label: string;
  /** Values it stops at, in order; evenly spaced on the track whatever they are. */
  readonly stops: readonly number[];
  readonly value: number;
  /** The value in words, for screen readers. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** A slider over uneven steps. A value between the stops is shown at the nearest one until the slider is moved. */
export function StopsSlider({ label, stops, value, text, onChange }: StopsSliderProps) {
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
    />
  );
}

/** How much of the track is filled, 0 … 1. */
function shareStyle(share: number): CSSProperties & { '--share': number } {
  return { '--share': share };
}
