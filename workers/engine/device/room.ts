import { FailureError } from '../../../src/contract/failure.ts';

/** A network of more than this is large: no two of them are held unless both are in use. */
const LARGE_BYTES = 200e6;

/** The heap of WebAssembly has 32-bit addresses. */
const HEAP_BYTES = 4 * 2 ** 30;

/** Something that is held in memory. */
export interface Held {
  readonly name: string;
  /** About; undefined: not known, and taken for small. */
  readonly bytes: number | undefined;
  /** How many use it now. */
  readonly uses: () => number;
  release(): Promise<void>;
}

/** What networks may take. @param device  `navigator.deviceMemory`, GiB; undefined where the browser does not tell */
export function roomOf(device: number | undefined): number {
  // A file's own bytes lie beside the heap while it is loaded, and the page and the system want theirs.
  return Math.min(HEAP_BYTES, device === undefined ? Infinity : (device / 2) * 2 ** 30);
}

/** Whether it is to be the only one of its kind. */
export function isLarge({ bytes = 0 }: Pick<Held, 'bytes'>): boolean {
  return bytes > LARGE_BYTES;
}

/**
 * Makes room for a network: where it is large, others that are large and idle are released first.
 *
 * @throws {FailureError} OUT_OF_MEMORY with what it needs and what is free
 */
export async function makeRoom(
  wanted: Pick<Held, 'name' | 'bytes'>,
  others: readonly Held[],
  room: number,
): Promise<void> {
  if (!isLarge(wanted)) return;
  const idle = others.filter((other) => isLarge(other) && other.uses() === 0);
  for (const other of idle) await other.release();
  const kept = others.filter((other) => !idle.includes(other));
  const free = Math.max(0, room - kept.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
  const { name, bytes = 0 } = wanted;
  if (bytes <= free) return;
  const inUse = kept.filter(isLarge).map((other) => `"${other.name}"`);
  throw new FailureError(
    'OUT_OF_MEMORY',
    `model "${name}": needs about ${gigabytes(bytes)} of memory, ${gigabytes(free)} free` +
      (inUse.length > 0 ? ` beside ${inUse.join(', ')}, in use now` : '; take a smaller weight type'),
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
