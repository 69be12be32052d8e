import { type CSSProperties, memo } from 'react';
import { scoreIn, type Tile, type View } from '../../../../state/explain/influence.ts';
import type { Picture } from '../../../../state/explain/question.ts';
import { SizedPicture } from '../../prompt/prompt-picture.tsx';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { tileName } from '../../texts.ts';
import { HeatFrame } from './heat-frame.tsx';
import { useHeatMark, type HeatMark } from './heat-mark.ts';
import styles from './picture-heat.module.css';

/** What a picture's heat map draws. */
export interface PictureHeatProps {
  readonly picture: Picture;
  readonly tiles: readonly Tile[];
  readonly view: View;
  /** For screen readers. */
  readonly name?: string;
  /** See `HeatFrame`. */
  readonly largest?: number;
}

/** The picture in grey, each tile in the colour of its influence: the picture's own colours would be taken for scores. */
export const PictureHeat = memo(function PictureHeat(props: PictureHeatProps) {
  const words = resultWords().heat;
  const { picture, tiles, view, name = words.picture, largest } = props;
  return (
    <HeatFrame
      testId="picture-heat"
      className={styles.map}
      label={words.tileKeys(name)}
      sections={tiles}
      view={view}
      largest={largest}
    >
      {(reachable) => (
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
      )}
    </HeatFrame>
  );
});

/** One tile of the picture; edges and sides are shares of the picture's. */
interface HeatTileProps extends HeatMark {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const HeatTile = memo(function HeatTile(props: HeatTileProps) {
  const { style, ...mark } = useHeatMark(props, props.name);
  return (
    <button
      type="button"
      {...mark}
      className={`${styles.tile} influence-fill`}
      style={{ ...style, ...placeStyle(props) }}
    />
  );
});

function placeStyle({ left, top, width, height }: HeatTileProps): CSSProperties {
  return { left: share(left), top: share(top), width: share(width), height: share(height) };
}

function share(value: number): string {
  return `${value * 100}%`;
}
