import type { Memory } from '../storage/memory.ts';
import { workOf } from './embedding.ts';

/** How fast this device embeds, as it was measured. */
export interface Pace {
  /** Milliseconds for each character of work; null until something was measured. */
  current(): number | null;
  /** Takes a measured batch into account. */
  take(texts: readonly string[], ms: number): void;
  /** Milliseconds that texts will take; null before anything was measured. */
  estimate(texts: readonly string[]): number | null;
}

const KEY = 'lightwell.meaning.pace';
/** How much a new batch changes the pace. */
const NEW_SHARE = 0.3;
/** Slower than any device: a stored value beyond it is damaged. */
const SLOWEST = 100;

/** The pace that was kept, and followed from there. */
export function createPace(memory: Memory): Pace {
  const kept = Number(memory.getItem(KEY) ?? NaN);
  let msPerCharacter = kept > 0 && kept < SLOWEST ? kept : null;
  return {
    current: () => msPerCharacter,
    take(texts, ms) {
      const measured = ms / Math.max(1, workOf(texts));
      msPerCharacter = msPerCharacter === null ? measured : (1 - NEW_SHARE) * msPerCharacter + NEW_SHARE * measured;
      memory.setItem(KEY, String(msPerCharacter));
    },
    estimate: (texts) => (msPerCharacter === null ? null : msPerCharacter * workOf(texts)),
  };
}
