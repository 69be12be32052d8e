import { useState, type ClipboardEvent, type DragEvent } from 'react';
import { useReadsImages, useStores } from '../../use-stores.ts';
import { pictureAmong, readPicture } from './read-picture.ts';

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
