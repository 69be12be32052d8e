import type { ReadDocument, ReadOptions } from '../../files/document.ts';
import type { Listed, Reading } from './listed.ts';

/** Reads a file; see `files/read-file.ts`. */
export type ReadFile = (file: File, options: ReadOptions) => Promise<ReadDocument>;

/** Reads files one after the other. */
export interface ReadingQueue {
  /** Settles when the file is read, cannot be read, or is dropped. */
  add(entry: Listed): Promise<void>;
  /** Ends the reading of a file, or takes it out before it has begun. */
  drop(id: number): void;
}

/** @param onChange  told how far each file is */
export function createReadingQueue(read: ReadFile, onChange: (id: number, reading: Reading) => void): ReadingQueue {
  const waiting: { readonly entry: Listed; readonly settle: () => void }[] = [];
  let current: { readonly id: number; readonly abort: AbortController } | null = null;
  const next = async () => {
    if (current) return;
    const first = waiting.shift();
    if (!first) return;
    const { id, file } = first.entry;
    const abort = new AbortController();
    current = { id, abort };
    const onProgress = (done: number, total: number) => {
      if (!abort.signal.aborted) onChange(id, { kind: 'reading', share: done / total });
    };
    const reading = await readingOf(read(file, { signal: abort.signal, onProgress }));
    if (!abort.signal.aborted) onChange(id, reading);
    current = null;
    first.settle();
    void next();
  };
  return {
    add: (entry) =>
      new Promise((settle) => {
        waiting.push({ entry, settle });
        void next();
      }),
    drop(id) {
      if (current?.id === id) current.abort.abort();
      const place = waiting.findIndex(({ entry }) => entry.id === id);
      for (const { settle } of place < 0 ? [] : waiting.splice(place, 1)) settle();
    },
  };
}

async function readingOf(reading: Promise<ReadDocument>): Promise<Reading> {
  try {
    return { kind: 'ready', document: await reading };
  } catch (error) {
    // Also where a script of the page is gone from its server: the file itself may be well.
    const { UnreadableFile } = await import('../../files/unreadable-file.ts');
    if (error instanceof UnreadableFile) return { kind: 'unreadable', problem: error.problem };
    console.error(error);
    return { kind: 'unreadable', problem: 'unread' };
  }
}
