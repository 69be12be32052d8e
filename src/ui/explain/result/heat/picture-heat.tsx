import { type CSSProperties, memo } from 'react';
import { largestIn, scoreIn, type Tile, tileName, type View } from '../../../../state/explain/influence.ts';
import type { Picture } from '../../../../state/explain/question.ts';
import { activeIn } from '../../../../state/explain/selection-store.ts';
import { useStoreValue } from '../../../use-stores.ts';
import { SizedPicture } from '../../prompt/prompt-picture.tsx';
import { natsText } from '../../texts.ts';
import { useSectionLinks } from '../section-links.ts';
import { scaleStyle, signOf, sizeStyle } from './colour-scale.ts';
import styles from './picture-heat.module.css';

/** What a picture's heat map draws. */
export interface PictureHeatProps {
  readonly picture: Picture;
  readonly tiles: readonly Tile[];
  readonly view: View;
}

/** The picture in grey, each tile in the colour of its influence: the picture's own colours would be taken for scores. */
export const PictureHeat = memo(function PictureHeat({ picture, tiles, view }: PictureHeatProps) {
  const { stop, links } = useSectionLinks();
  const reachable = tiles.some((tile) => tile.id === stop) ? stop : tiles[0]?.id;
  return (
    <div
      className={styles.map}
      data-testid="picture-heat"
      role="group"
      aria-label="Picture by influence. Arrow keys move between tiles."
      style={scaleStyle(largestIn(tiles, view))}
      {...links}
    >
      <SizedPicture picture={picture}>
        {tiles.map((tile) => (
          <HeatTile
            key={tile.id}
            id={tile.id}
            name={tileName(tile)}
            score={scoreIn(tile, view)}
            isReachable={tile.id === reachable}
            {...tile.rect}
          />
        ))}
      </SizedPicture>
    </div>
  );
});

/** One tile of the picture; edges and sides are shares of the picture's. */
interface HeatTileProps {
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

/** A tile in its colour. It follows only whether it is active itself, so that hovering renders two tiles. */
const HeatTile = memo(function HeatTile(props: HeatTileProps) {
  const { id, name, score, isReachable } = props;
  const isActive = useStoreValue('selection', (state) => activeIn(state) === id);
  const isPinned = useStoreValue('selection', (state) => state.pinned === id);
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
