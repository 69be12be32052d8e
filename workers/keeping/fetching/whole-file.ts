import { isWhole, type Segment } from './segments.ts';

/** Takes a piece of a file, and the place where it begins. */
export type OnPiece = (bytes: Uint8Array<ArrayBuffer>, at: number) => void;

/** A file that comes whole, because its host sends no parts. */
export interface WholeBody {
  /** Reads it from its first byte to its last. */
  read(onPiece: OnPiece): Promise<void>;
  /** It is not wanted. */
  cancel(): Promise<void>;
}

/** Files that come whole: one answer brings all stretches of a file, so that it is not asked for again for each of them. */
export interface WholeFiles {
  /** Whether a host has sent a file whole: a download from there that is broken off begins that file again. */
  readonly any: boolean;
  /** Waits for the answer that brings this file, if one does. */
  arrival(file: number): Promise<void>;
  take(file: number, body: WholeBody): Promise<void>;
}

/**
 * @param segments  of all files
 * @param onBytes   takes bytes that a stretch lacks, the next ones in turn
 */
export function wholeFiles(
  segments: readonly Segment[],
  onBytes: (index: number, bytes: Uint8Array<ArrayBuffer>) => void,
): WholeFiles {
  const coming = new Map<number, Promise<void>>();
  let any = false;
  const spread = (file: number): OnPiece => {
    return (bytes, at) =>
      segments.forEach((segment, index) => {
        if (segment.file !== file || isWhole(segment)) return;
        const next = segment.start + segment.done - at;
        if (next < 0 || next >= bytes.length) return;
        onBytes(index, bytes.subarray(next, Math.min(bytes.length, segment.end - at)));
      });
  };
  return {
    get any() {
      return any;
    },
    arrival: (file) => coming.get(file)?.catch(() => undefined) ?? Promise.resolve(), // whoever takes it says why it failed
    async take(file, body) {
      any = true;
      const other = coming.get(file);
      if (other) {
        await body.cancel();
        return other;
      }
      const own = body.read(spread(file)).finally(() => coming.delete(file));
      coming.set(file, own);
      return own;
    },
  };
}
