import { FAULTS, MARK, type Fault, type Lasting } from '../faults.ts';

/** Places on the board. */
const SLOT = { armed: 0, at: 1, lasting: 2, fired: 3, held: 4, memoryPages: 5, worker: 6 } as const;

/** Behind them, for each fault: how often its seam was used. */
const USES = Object.keys(SLOT).length;

/** Behind those, how many uses were noted, and of each the fault's number, the use's number, and its site. */
const NOTED = USES + FAULTS.length;
const NOTE = 3;
const MAX_NOTES = 8192;

/** Frames of a stack that tell sites apart, those before an `await` included. */
const FRAMES = 30;

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
  /** In an inference worker: its number. One that was ended may compute for a moment longer, and counts no more. */
  worker: number;
}

/** Numbers of workers and counts of sessions share a slot, so that they change as one. */
const PER_WORKER = 1024;

export const board: Board = { memory: null, worker: 0 };

export function createMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (NOTED + 1 + NOTE * MAX_NOTES)));
}

/** @returns whether this use of the seam is to fail */
export function isFailing(fault: Fault): boolean {
  const { memory } = board;
  if (memory === null) return false;
  const number = FAULTS.indexOf(fault);
  const use = Atomics.add(memory, USES + number, 1) + 1;
  note(memory, number, use);
  if (get('armed') !== number + 1) return false;
  const isNow = get('lasting') ? use >= get('at') : use === get('at');
  if (isNow) set('fired', 1);
  return isNow;
}

export function arm(fault: Fault | null, at: number, lasting: Lasting): void {
  set('armed', 0);
  board.memory?.fill(0, USES, NOTED + 1);
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

/** What a worker held goes with it; the next one has another number. */
export function forgetWorker(): void {
  set('worker', get('worker') + 1);
  set('held', get('worker') * PER_WORKER);
  set('memoryPages', 0);
}

/** Sessions of the inference worker. */
export function sessions(): number {
  return get('held') % PER_WORKER;
}

export function addSessions(count: number): void {
  const { memory, worker } = board;
  if (memory === null) return;
  for (;;) {
    const before = get('held');
    if (Math.floor(before / PER_WORKER) !== worker) return;
    if (Atomics.compareExchange(memory, SLOT.held, before, before + count) === before) return;
  }
}

/**
 * The site of each use of each seam since `arm`, in the order of `FAULTS`: a number that uses have in common which the
 * same lines of code made, on the same way there.
 */
export function sites(): number[][] {
  const { memory } = board;
  const found: number[][] = FAULTS.map(() => []);
  if (memory === null) return found;
  found.forEach((uses, number) => (uses.length = memory[USES + number] ?? 0));
  for (const uses of found) uses.fill(0);
  for (let index = 0; index < Math.min(memory[NOTED] ?? 0, MAX_NOTES); index++) {
    const [number = 0, use = 0, site = 0] = memory.subarray(NOTED + 1 + index * NOTE);
    (found[number] ?? [])[use - 1] = site;
  }
  return found;
}

function note(memory: Int32Array, number: number, use: number): void {
  const index = Atomics.add(memory, NOTED, 1);
  if (index < MAX_NOTES) memory.set([number, use, siteHere()], NOTED + 1 + index * NOTE);
}

/** @source FNV-1a, 32 bits */
function siteHere(): number {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  let hash = 0x811c9dc5;
  for (let i = 0; i < stack.length; i++) hash = Math.imul(hash ^ stack.charCodeAt(i), 0x01000193);
  return hash;
}
