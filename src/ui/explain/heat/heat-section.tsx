import { memo } from 'react';
import { activeIn } from '../../../state/explain/selection-store.ts';
import { useSelection } from '../../use-stores.ts';
import { signOf, sizeStyle } from '../scores/colour-scale.ts';
import styles from './heat-map.module.css';
import { natsText } from '../scores/nats.ts';
import { visibleText } from '../scores/visible-text.ts';

/** One section of the running text. */
export interface HeatSectionProps {
  readonly id: string;
  readonly text: string;
  readonly start: number;
  readonly length: number;
  readonly score: number | null;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/** A section in its colour; follows only whether it is picked out itself, so that pointing re-renders two of them. */
export const HeatSection = memo(function HeatSection(props: HeatSectionProps) {
  const { id, text, start, length, score, isReachable } = props;
  const isActive = useSelection((state) => activeIn(state) === id);
  const isPinned = useSelection((state) => state.pinned === id);
  const number = score === null ? 'no score' : natsText(score);
  return (
    // A button cannot break across lines as running text must.
    <span
      className={`${styles.section} influence-fill`}
      role="button"
      tabIndex={isReachable ? 0 : -1}
      aria-pressed={isPinned}
      aria-label={`${visibleText(text)}, ${number}`}
      data-section={id}
      data-start={start}
      data-length={length}
      data-score={score ?? undefined}
      data-sign={signOf(score ?? 0)}
      data-active={isActive || undefined}
      data-label={number}
      data-line-end={text.includes('\n') && text.trim() === '' ? '' : undefined}
      style={sizeStyle(score ?? 0)}
    >
      {text}
    </span>
  );
});
