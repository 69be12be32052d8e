import { useEffect, useEffectEvent, useState } from 'react';
import styles from './app.module.css';
import { takeFiles } from './drops.ts';
import { useStores } from '../use-stores.ts';

/**
 * What happens to things that are dropped on the page: files go to the page that is open or are refused in words, text goes into the
 * field below it. Nothing is opened in place of the page, as browsers do with files and links.
 */
export function FileDrop() {
  const stores = useStores();
  const [refusal, setRefusal] = useState<string | null>(null);
  const onFiles = useEffectEvent(async (files: readonly File[], entries: readonly FileSystemEntry[]) => {
    setRefusal(await takeFiles(files, stores, entries));
  });
  useEffect(() => {
    const listening = new AbortController();
    const listen = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, act, listening);
    listen('dragover', keepFromOpening);
    listen('drop', (event) => {
      const files = [...(event.dataTransfer?.files ?? [])]; // gone once this has returned
      const items = [...(event.dataTransfer?.items ?? [])];
      const entries = items.flatMap((item) => item.webkitGetAsEntry() ?? []);
      keepFromOpening(event);
      if (files.length > 0) void onFiles(files, entries);
    });
    listen('pointerdown', () => setRefusal(null));
    listen('keydown', () => setRefusal(null));
    return () => listening.abort();
  }, []);
  return (
    <div className={styles.refusal} role="alert" data-testid="drop-refusal">
      {refusal}
    </div>
  );
}

/** Leaves a field its text; anything else is ours. */
function keepFromOpening(event: DragEvent): void {
  const { target, dataTransfer } = event;
  if (!dataTransfer) return;
  const hasFiles = dataTransfer.types.includes('Files');
  if (!hasFiles && target instanceof Element && target.closest('input, textarea')) return;
  event.preventDefault();
  if (!hasFiles) dataTransfer.dropEffect = 'none';
}
