import type { Picture } from '../../../state/explain/question.ts';
import { Button } from '../../parts/button.tsx';
import { dataUrl } from './data-url.ts';
import styles from './prompt-picture.module.css';

/** What is shown of the prompt's picture. */
export interface PromptPictureProps {
  readonly picture: Picture;
  readonly onRemove: () => void;
}

/** The picture in front of the prompt's text, and the way to take it out. */
export function PromptPicture({ picture, onRemove }: PromptPictureProps) {
  return (
    <div className={styles.row} data-testid="prompt-picture">
      <img className={styles.picture} src={dataUrl(picture)} alt={`In the prompt: ${picture.name}`} />
      <div className={styles.facts}>
        <span className={styles.name}>{picture.name}</span>
        <span>The model reads it first, then the text. It sees the square in the middle.</span>
        <Button look="quiet" data-testid="remove-picture" onClick={onRemove}>
          Remove the picture
        </Button>
      </div>
    </div>
  );
}
