/** A stretch `[start, end)` of a file that one request brings; its first `done` bytes are there. */
export interface Segment {
  /** Place of its file in the plan. */
  readonly file: number;
  readonly start: number;
  readonly end: number;
  done: number;
}

/** What one request brings: few requests, and little to fetch again where a server sends no ranges. */
export const SEGMENT_BYTES = 4 * 2 ** 20;

/** Cuts files into stretches, in the order of the files. An empty file has one stretch. @param sizes in bytes */
export function segmentsOf(sizes: readonly number[], segmentBytes = SEGMENT_BYTES): Segment[] {
  return sizes.flatMap((bytes, file) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes / segmentBytes)) }, (_, index) => ({
      file,
      start: index * segmentBytes,
      end: Math.min(bytes, (index + 1) * segmentBytes),
      done: 0,
    })),
  );
}

/** Whether all of a stretch is there. */
export function isWhole({ start, end, done }: Segment): boolean {
  return done === end - start;
}

/** Bytes that are there of each file. */
export function doneOfFiles(segments: readonly Segment[], fileCount: number): number[] {
  const done = Array.from({ length: fileCount }, () => 0);
  for (const segment of segments) done[segment.file] = (done[segment.file] ?? 0) + segment.done;
  return done;
}
