import { VERSION } from '../contract/description/version.ts';
import { z } from '../contract/wire/zod.ts';
import type { Model } from '../models/model.ts';
import type { ChosenThreads, ThreadFigures } from '../protocol/model-job.ts';

const KEY = 'lightwell.threads';

/** Trials of a model, each on another visit: one alone may have met a busy machine. */
const TRIALS = 2;

/** A number of threads other than the usual one must be so many times as fast in every trial: less is within the noise. */
const GAIN = 1.15;

/** Models whose trials are kept, those that were tried last. */
const MOST_MODELS = 50;

const count = z.number().int().min(1).max(64);
const Trial = z.object({
  threads: count,
  others: z.array(z.object({ threads: count, speed: z.number().positive() })).max(8),
});
type Trial = z.infer<typeof Trial>;

/** Figures of another version, or of another processor, say nothing. */
const Kept = z.object({
  version: z.literal(VERSION),
  cores: z.number(),
  models: z.record(z.string(), z.array(Trial).min(1).max(TRIALS)),
});
type Kept = z.infer<typeof Kept>;

/** Trials of numbers of threads, kept for later visits. */
export interface KeptTrials {
  /** The choice of earlier visits, with their figures; undefined: too few trials. It does not change during a visit. */
  chosen(model: Model): ChosenThreads | undefined;
  /** Whether another trial is worth it. */
  wants(model: Model): boolean;
  add(model: Model, figures: ThreadFigures): void;
}

/** @param cores  of the processor, for the words and to tell another machine */
export function createKeptTrials(storage: Pick<Storage, 'getItem' | 'setItem'>, cores: number): KeptTrials {
  const before = read(storage, cores).models;
  return {
    chosen: (model) => choiceOf(before[keyOf(model)] ?? [], cores),
    wants: (model) => (before[keyOf(model)] ?? []).length < TRIALS,
    add(model, { threads, others }) {
      const { models } = read(storage, cores); // another tab may have added to it
      const { [keyOf(model)]: own = [], ...rest } = models;
      const trials = [...own, { threads, others: [...others] }].slice(-TRIALS);
      const newest = Object.entries(rest).slice(1 - MOST_MODELS);
      write(storage, { version: VERSION, cores, models: Object.fromEntries([...newest, [keyOf(model), trials]]) });
    },
  };
}

/** Tells a model's network from another one of its name. */
export function keyOf({ name, version, dtype, files, held, folder }: Model): string {
  const contents = held
    ? Object.values(held).map(({ size }) => size)
    : Object.values(files ?? {}).map(({ sha256, bytes }) => sha256?.slice(0, 8) ?? bytes);
  return [name, version, dtype, ...(contents.length > 0 ? contents : [folder])].join(' ');
}

/** The number that was fastest in its slowest trial, where that is a gain; else the usual one, with the figures that speak for it. */
function choiceOf(trials: readonly Trial[], cores: number): ChosenThreads | undefined {
  const usual = trials[0]?.threads;
  if (trials.length < TRIALS || usual === undefined || trials.some(({ threads }) => threads !== usual))
    return undefined;
  const counts = new Set(trials.flatMap(({ others }) => others.map(({ threads }) => threads)));
  const others = [...counts].flatMap((threads) => {
    const speeds = trials.flatMap((trial) => trial.others.find((other) => other.threads === threads)?.speed ?? []);
    return speeds.length === trials.length ? [{ threads, speeds }] : [];
  });
  const [best] = others.toSorted((a, b) => Math.min(...b.speeds) - Math.min(...a.speeds));
  if (!best) return undefined;
  const figures = `${best.speeds.map((speed) => speed.toFixed(2)).join(' and ')} times as fast`;
  return Math.min(...best.speeds) >= GAIN
    ? { count: best.threads, why: `${best.threads} of ${cores} cores: ${figures} as ${usual} when tried` }
    : { count: usual, why: `${usual} of ${cores} cores; ${best.threads} when tried: ${figures}` };
}

function read(storage: Pick<Storage, 'getItem'>, cores: number): Kept {
  const none: Kept = { version: VERSION, cores, models: {} };
  try {
    const { success, data } = Kept.safeParse(JSON.parse(storage.getItem(KEY) ?? 'null'));
    return success && data.cores === cores ? data : none;
  } catch {
    return none; // damaged, or forbidden: they are tried again
  }
}

function write(storage: Pick<Storage, 'setItem'>, kept: Kept): void {
  try {
    storage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage: the usual number stays.
  }
}
