import { memo } from 'react';
import { largestIn, scoreIn, type Tile, type View } from '../../../state/explain/influence.ts';
import type { Picture } from '../../../state/explain/question.ts';
import { tileName } from '../../../state/explain/tile-name.ts';
import { useSectionLinks } from '../../section-links.ts';
import { scaleStyle } from '../scores/colour-scale.ts';
import { HeatTile } from './heat-tile.tsx';
import styles from './picture-heat.module.css';
import { SizedPicture } from '../prompt/sized-picture.tsx';

/** What a picture's heat map draws. */
export interface PictureHeatProps {
  readonly picture: Picture;
  readonly tiles: readonly Tile[];
  readonly view: View;
}

/** The picture, each tile in the colour of its influence. It stands there without its own colours: those would be taken for scores. */
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
