import { FAULTS, MARK, type Fault, type Lasting } from '../faults.ts';

/** Places on the board. */
const SLOT = { armed: 0, at: 1, lasting: 2, fired: 3, sessions: 4, memoryPages: 5 } as const;

/** Behind them, for each fault: how often its seam was used. */
const USES = Object.keys(SLOT).length;

/** How the board reaches a worker: the first message that it gets. */
export const BOARD = `${MARK}.board`;
/** In place of a message that cannot be read. */
export const UNREADABLE = `${MARK}.unreadable`;
/** In place of a message that the worker does not live to read. */
export const ENDS = `${MARK}.ends`;

/**
 * The counters that a page and its workers share. Every use of a seam asks the board whether it is the one that fails.
 */
export interface Board {
  /** Null where threads share no memory yet: a worker before its first message. */
  memory: Int32Array | null;
}

export const board: Board = { memory: null };

export function createMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (USES + FAULTS.length)));
}

/** @returns whether this use of the seam is to fail */
export function isFailing(fault: Fault): boolean {
  const { memory } = board;
  if (memory === null) return false;
  const number = FAULTS.indexOf(fault);
  const use = Atomics.add(memory, USES + number, 1) + 1;
  if (get('armed') !== number + 1) return false;
  const isNow = get('lasting') ? use >= get('at') : use === get('at');
  if (isNow) set('fired', 1);
  return isNow;
}

export function arm(fault: Fault | null, at: number, lasting: Lasting): void {
  set('armed', 0);
  board.memory?.fill(0, USES);
  set('at', at);
  set('lasting', Number(lasting === 'from then on'));
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

/** How often each seam was used since `arm`. */
export function uses(): number[] {
  return [...(board.memory?.subarray(USES) ?? [])];
}
