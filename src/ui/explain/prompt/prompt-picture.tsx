import { type ClipboardEvent, type CSSProperties, type ReactNode, useState } from 'react';
import type { Picture } from '../../../state/explain/question.ts';
import { promptWords } from '../../../words/en/explain/prompt.ts';
import { Button } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useModelFacts, useStores } from '../../use-stores.ts';
import { dataUrl, pictureAmong, readPicture } from './picture-file.ts';
import styles from './prompt-picture.module.css';

/** What is shown of the prompt's picture. */
export interface PromptPictureProps {
  readonly picture: Picture;
  readonly onRemove: () => void;
}

/** The picture before the prompt's text, and a button that removes it. */
export function PromptPicture({ picture, onRemove }: PromptPictureProps) {
  const words = promptWords().picture;
  return (
    <div className={styles.row} data-testid="prompt-picture">
      <img className={styles.picture} src={dataUrl(picture)} alt={words.alt(picture.name)} />
      <div className={styles.facts}>
        <span className={styles.name}>{picture.name}</span>
        <span>{words.about}</span>
        <Button look="quiet" data-testid="remove-picture" onClick={onRemove}>
          {words.remove}
        </Button>
      </div>
    </div>
  );
}

/** Puts a picture into the prompt: chosen or pasted. */
export function usePictureEntry() {
  const { explain } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const isTaken = useModelFacts()?.readsImages;
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      explain.getState().edit({ picture: await readPicture(file) });
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const remove = () => {
    setProblem(null);
    focusOn('prompt'); // the button goes with the picture
    explain.getState().edit({ picture: null });
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = isTaken ? pictureAmong(event.clipboardData.files) : undefined;
    if (!file) return; // text is pasted as ever
    event.preventDefault();
    void take(file);
  };
  return { isTaken, problem, take, remove, onPaste };
}

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
        className={styles.sized}
        src={dataUrl(picture)}
        alt={promptWords().picture.alt(picture.name)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / (naturalHeight || 1))}
      />
      {children}
    </div>
  );
}

function ratioStyle(ratio: number): CSSProperties & { '--ratio': string } {
  return { '--ratio': ratio.toFixed(4) };
}
