import type { OpenFile } from '../device/model-folder.ts';
import type { Segment } from './segments.ts';

/** Bytes of an entry: how much of a stretch is there, as an unsigned integer, the least byte first. */
const ENTRY_BYTES = 4;

/**
 * What has come of each stretch, written behind the bytes themselves: a tab that is closed at any moment leaves a journal that
 * promises nothing that is not there.
 */
export interface Journal {
  /** Notes how much of a stretch is there. */
  note(index: number): void;
  close(): void;
}

/** Takes over what an earlier attempt has noted. A journal of another length is of another plan: it starts empty. */
export function openJournal(file: OpenFile, segments: readonly Segment[]): Journal {
  const bytes = new Uint8Array(segments.length * ENTRY_BYTES);
  if (file.getSize() === bytes.length) file.read(bytes, { at: 0 });
  else {
    file.truncate(0);
    file.write(bytes, { at: 0 });
  }
  const view = new DataView(bytes.buffer);
  segments.forEach((segment, index) => {
    const done = view.getUint32(index * ENTRY_BYTES, true);
    segment.done = done <= segment.end - segment.start ? done : 0;
  });
  return {
    note(index) {
      const entry = new Uint8Array(ENTRY_BYTES);
      new DataView(entry.buffer).setUint32(0, segments[index]?.done ?? 0, true);
      file.write(entry, { at: index * ENTRY_BYTES });
    },
    close() {
      file.flush();
      file.close();
    },
  };
}
