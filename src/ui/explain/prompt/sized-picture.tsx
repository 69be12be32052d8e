import { useState, type CSSProperties, type ReactNode } from 'react';
import type { Picture } from '../../../state/explain/question.ts';
import { dataUrl } from './data-url.ts';
import styles from '../heat/picture-heat.module.css';

/** A picture and what lies on it. */
export interface SizedPictureProps {
  readonly picture: Picture;
  readonly children?: ReactNode;
}

/** A picture in its own proportions, large or small ones at one height; what lies on it is placed by shares of its sides. */
export function SizedPicture({ picture, children }: SizedPictureProps) {
  const [ratio, setRatio] = useState(1);
  return (
    <div className={styles.frame} style={ratioStyle(ratio)}>
      <img
        className={styles.picture}
        src={dataUrl(picture)}
        alt={`In the prompt: ${picture.name}`}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / (naturalHeight || 1))}
      />
      {children}
    </div>
  );
}

function ratioStyle(ratio: number): CSSProperties & { '--ratio': string } {
  return { '--ratio': ratio.toFixed(4) };
}
