import { FAULTS, MARK, type Fault, type Lasting } from '../faults.ts';

/** Places on the board. */
const SLOT = { armed: 0, at: 1, lasting: 2, seen: 3, fired: 4, sessions: 5, memoryPages: 6 } as const;

/** How the board reaches a worker: the first message that it gets. */
export const BOARD = `${MARK}.board`;
/** In place of a message that cannot be read. */
export const UNREADABLE = `${MARK}.unreadable`;
/** In place of a message that the worker does not live to read. */
export const ENDS = `${MARK}.ends`;

/**
 * The counters that a page and its workers share. Every use of a seam asks the board whether it is the one that fails; only
 * uses of the armed seam count, so that the n-th is the same one in every run.
 */
export interface Board {
  /** Null where threads share no memory yet: a worker before its first message. */
  memory: Int32Array | null;
}

export const board: Board = { memory: null };

export function createMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Object.keys(SLOT).length));
}

/** @returns whether this use of the seam is to fail */
export function isFailing(fault: Fault): boolean {
  const { memory } = board;
  if (memory === null || Atomics.load(memory, SLOT.armed) !== FAULTS.indexOf(fault) + 1) return false;
  const seen = Atomics.add(memory, SLOT.seen, 1) + 1;
  const at = Atomics.load(memory, SLOT.at);
  const isNow = Atomics.load(memory, SLOT.lasting) ? seen >= at : seen === at;
  if (isNow) Atomics.store(memory, SLOT.fired, 1);
  return isNow;
}

export function arm(fault: Fault | null, at: number, lasting: Lasting): void {
  set('armed', 0);
  set('at', at);
  set('lasting', Number(lasting === 'from then on'));
  set('seen', 0);
  set('fired', 0);
  set('armed', fault === null ? 0 : FAULTS.indexOf(fault) + 1);
}

export function get(slot: keyof typeof SLOT): number {
  return board.memory ? Atomics.load(board.memory, SLOT[slot]) : 0;
}

export function set(slot: keyof typeof SLOT, value: number): void {
  if (board.memory) Atomics.store(board.memory, SLOT[slot], value);
}

export function add(slot: keyof typeof SLOT, value: number): void {
  if (board.memory) Atomics.add(board.memory, SLOT[slot], value);
}
