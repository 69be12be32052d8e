import { type ClipboardEvent, type DragEvent, useState } from 'react';
import type { Picture } from '../../../state/explain/question.ts';
import { Button } from '../../parts/buttons.tsx';
import { useReadsImages, useStores } from '../../use-stores.ts';
import { dataUrl, pictureAmong, readPicture } from './picture-file.ts';
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

/** The ways a picture comes into the prompt: chosen, pasted, dropped. */
export function usePictureEntry() {
  const { explain } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const isTaken = useReadsImages();
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
    explain.getState().edit({ picture: null });
  };
  const drop = {
    onPaste: (event: ClipboardEvent) => {
      const file = pictureAmong(event.clipboardData.files);
      if (!file) return; // text is pasted as ever
      event.preventDefault();
      void take(file);
    },
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      void take(file);
    },
  };
  return { isTaken, problem, take, remove, drop: isTaken ? drop : {} };
}
