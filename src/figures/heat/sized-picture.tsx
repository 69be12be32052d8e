import { sectionsWords } from '../../explanations/words.en.ts';
import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Tile } from '../../explanations/influence.ts';
import { dataUrl, type Picture } from '../../explanations/question.ts';
import styles from './sized-picture.module.css';

/** A picture in its own proportions, large or small ones at one height; children are placed on it by shares of its sides. */
export function SizedPicture({ picture, children }: { readonly picture: Picture; readonly children?: ReactNode }) {
  const [ratio, setRatio] = useState(1);
  const style: CSSProperties & { '--ratio': string } = { '--ratio': ratio.toFixed(4) };
  return (
    <div className={styles.frame} style={style}>
      <img
        className={styles.sized}
        src={dataUrl(picture)}
        alt={sectionsWords().pictureAlt(picture.name)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / (naturalHeight || 1))}
      />
      {children}
    </div>
  );
}

/** Where a tile is on the picture around it; edges and sides are shares of the picture's. */
export function placeStyle({ left, top, width, height }: Tile['rect']): CSSProperties {
  const percent = (share: number) => `${share * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}
