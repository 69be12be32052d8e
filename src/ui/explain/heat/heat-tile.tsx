import { memo, type CSSProperties } from 'react';
import { activeIn } from '../../../state/explain/selection-store.ts';
import { useSelection } from '../../use-stores.ts';
import { signOf, sizeStyle } from '../scores/colour-scale.ts';
import { natsText } from '../scores/nats.ts';
import styles from './picture-heat.module.css';

/** One tile of the picture; edges and sides are shares of the picture's. */
export interface HeatTileProps {
  readonly id: string;
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly score: number | null;
  /** Whether the Tab key stops here. */
  readonly isReachable: boolean;
}

/** A tile in its colour; follows only whether it is picked out itself, so that pointing re-renders two of them. */
export const HeatTile = memo(function HeatTile(props: HeatTileProps) {
  const { id, name, score, isReachable } = props;
  const isActive = useSelection((state) => activeIn(state) === id);
  const isPinned = useSelection((state) => state.pinned === id);
  const number = score === null ? 'no score' : natsText(score);
  return (
    <button
      type="button"
      className={`${styles.tile} influence-fill`}
      tabIndex={isReachable ? 0 : -1}
      aria-pressed={isPinned}
      aria-label={`${name}, ${number}`}
      data-section={id}
      data-score={score ?? undefined}
      data-sign={signOf(score ?? 0)}
      data-active={isActive || undefined}
      data-label={number}
      style={{ ...sizeStyle(score ?? 0), ...placeStyle(props) }}
    />
  );
});

function placeStyle({ left, top, width, height }: HeatTileProps): CSSProperties {
  return { left: share(left), top: share(top), width: share(width), height: share(height) };
}

function share(value: number): string {
  return `${value * 100}%`;
}
