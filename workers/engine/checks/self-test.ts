import { concatenated, differenceOf, repeated, compared } from '../../kernels/float-arrays.ts';
import {
  eachPosition,
  type KvCache,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  type Perturbation,
  requested,
  tokensOf,
} from '../network.ts';

/** Tokens of the long run: enough for kernels that treat 32 rows and more in another way. */
export const LONG_TOKENS = 40;

/**
 * Differences up to this share of the largest result are rounding. Errors seen so far were a thousand times larger. Dynamic
 * int8 rounds all of a pass by its largest number, which a control may change: a sixth of the largest result was seen.
 */
export const TOLERANCE = { float32: 1e-3, float16: 3e-2, int8: 0.25 } as const;

/** Result of the self-test of a backend. */
export interface SelfTest {
  /** A sentence about the first wrong number; undefined where there is none. */
  readonly fault: string | undefined;
  /** Whether positions see earlier ones only. */
  readonly isCausal: boolean;
  /** Whether sequences of different lengths may share a batch. */
  readonly takesPadding: boolean;
  /** Time of a run of `LONG_TOKENS` tokens, the better of two. */
  readonly longRunMs: number;
  /** Results of that run, to compare backends by. */
  readonly longRun: Float32Array;
  /** Largest difference between two computations of the same numbers. */
  readonly largestDifference: number;
}

/**
 * Checks, before a network is used, that its backend computes the numbers that an explanation relies on. Backends have been
 * seen to ignore biases, to drop a soft cap and to be wrong from 32 rows on, always silently.
 *
 * 1. Neutral factors change nothing.
 * 2. A suppressed column changes rows from its own on, and in a causal network none before.
 * 3. The ids of suppressed columns do not change the rows after them: every attention is controlled.
 * 4. A batch computes the same as single runs.
 * 5. After a KV cache, longer than needed, the rest of a sequence computes the same as the whole; also for 40 tokens, and also
 *    when each sequence of a batch keeps its own KV cache in between.
 * 6. The last rows alone are those of the whole.
 *
 * Whether padding is hidden is only reported: a network that does not hide it is used with equal lengths.
 *
 * @source decided here, 2026-11, from measurements on 88 exported graphs
 */
export async function selfTest(
  network: Network,
  precision: keyof typeof TOLERANCE,
  now = () => performance.now(),
): Promise<SelfTest> {
  const faults: string[] = [];
  let largestDifference = 0;
  const compare: Checks['compare'] = (name, found, expected) => {
    const { difference, limit, agrees } = compared(found, expected, TOLERANCE[precision]);
    largestDifference = Math.max(largestDifference, difference);
    if (!agrees) faults.push(`${name}: off by ${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`);
  };
  const checks: Checks = { network, compare, observe: (run) => computeRows(network, run) };
  const isCausal = await checkShort(checks, faults);
  const { longRun, longRunMs } = await checkLong(checks, now);
  const longest = testIds(network, Math.min(LONG_TOKENS, network.shape.contextTokens), 0);
  const takesPadding = await hidesPadding(network, longest, TOLERANCE[precision]);
  return { fault: faults[0], isCausal, takesPadding, longRunMs, longRun, largestDifference };
}

type Run = Omit<NetworkRun, 'rows' | 'logits' | 'pooling'>;

interface Checks {
  readonly network: Network;
  /** `computeRows` of the network. */
  observe(run: Run): Promise<Float32Array>;
  /** Adds a fault where results differ by more than rounding. */
  compare(name: string, found: Float32Array, expected: Float32Array): void;
}

/** Computes a row of results for each position, `[batch, tokens, …]`: logits, or the last layer's states where there is no head. */
export async function computeRows(network: Network, run: Run): Promise<Float32Array> {
  const { vocabulary, layers, width } = network.shape;
  const tokens = tokensOf(run);
  if (vocabulary > 0) return requested((await network.run({ ...run, rows: tokens, logits: true })).logits);
  const { pooled = new Float32Array(0) } = await network.run({ ...run, pooling: eachPosition(tokens) });
  const block = tokens * width;
  const last = Array.from({ length: run.batch }, (_, each) => ((each + 1) * (layers + 1) - 1) * block);
  return concatenated(last.map((start) => pooled.subarray(start, start + block)));
}

/** Ids spread over the vocabulary, without padding, which some networks count by; with another `salt` all differ. */
export function testIds({ shape }: Network, tokens: number, salt: number): Int32Array {
  const choice = Math.max(3, Math.min(shape.vocabulary || 64, 1000));
  const idAt = (index: number) => (index * 37 + 11 + salt * 17) % choice;
  return Int32Array.from({ length: tokens }, (_, index) =>
    idAt(index) === shape.paddingId ? (idAt(index) + 1) % choice : idAt(index),
  );
}

/** Factors of all positions; 1 by default. */
function factorsOf(tokens: number, changed: Readonly<Record<number, number>>): Float32Array {
  return Float32Array.from({ length: tokens }, (_, index) => changed[index] ?? 1);
}

/** As many rows as a short target has. */
const LAST_ROWS = 3;

/** Runs a sequence of `LONG_TOKENS` tokens twice and times it, then as an explanation runs it. */
async function checkLong(checks: Checks, now: () => number): Promise<Pick<SelfTest, 'longRun' | 'longRunMs'>> {
  const { network, observe, compare } = checks;
  const ids = testIds(network, Math.min(LONG_TOKENS, network.shape.contextTokens), 0);
  const factors = factorsOf(ids.length, { [ids.length - 5]: 0.3 });
  const perturbation = { mode: 'additive', factors } as const;
  const begin = now();
  await observe({ batch: 1, ids, perturbation });
  const middle = now();
  const whole = await observe({ batch: 1, ids, perturbation });
  const longRunMs = Math.min(middle - begin, now() - middle);
  const long = { ids, perturbation, whole };
  const kvCache = await checkLastRows(checks, long);
  if (kvCache) await checkPasts(checks, long, kvCache);
  else {
    const twice = await observe({
      batch: 2,
      ids: repeated(ids, 2),
      perturbation: { mode: 'additive', factors: repeated(factors, 2) },
    });
    compare('a long batch against a single run', twice, concatenated([whole, whole]));
  }
  return { longRun: whole, longRunMs };
}

interface LongRun {
  readonly ids: Int32Array;
  readonly perturbation: Perturbation;
  readonly whole: Float32Array;
}

/** @returns keys and values of the run, where the network can continue from them */
async function checkLastRows(
  { network: { run, shape }, compare }: Checks,
  { whole, ids, perturbation }: LongRun,
): Promise<KvCache | undefined> {
  const { vocabulary, sharesKvCache } = shape;
  if (vocabulary === 0 && !sharesKvCache) return undefined;
  const wanted = vocabulary > 0 && { rows: LAST_ROWS, logits: true };
  const { logits, kvCache } = await run({ batch: 1, ids, perturbation, ...wanted, keepKvCache: sharesKvCache });
  if (wanted)
    compare(
      'the last rows alone against the whole',
      logits ?? new Float32Array(0),
      whole.subarray(-LAST_ROWS * vocabulary),
    );
  return sharesKvCache ? requested(kvCache) : undefined;
}

/** As an explanation runs: one KV cache for a batch, and a batch that first keeps its own KV caches, without results. */
async function checkPasts(
  { network, observe, compare }: Checks,
  { ids, whole, perturbation }: LongRun,
  kvCache: KvCache,
): Promise<void> {
  // The perturbed columns come after the shared ones.
  const [shared, ahead] = [ids.length - 8, ids.length - 3];
  const rows = [perturbation.factors, factorsOf(ids.length, { [ids.length - 6]: 0 })];
  const perturbationTo = (end: number): Perturbation => {
    return { mode: 'additive', factors: concatenated(rows.map((row) => row.subarray(0, end))) };
  };
  const cached = { kvCache, tokens: shared };
  const pair = { batch: 2, sameIds: true };
  const rest = await observe({ ...pair, ids: ids.slice(shared), cached, perturbation: perturbationTo(ids.length) });
  const rowLength = whole.length / ids.length;
  const half = rest.length / 2;
  compare('a retained past against the whole sequence', rest.subarray(0, half), whole.subarray(shared * rowLength));
  const between = { ...pair, ids: ids.slice(shared, ahead), cached, perturbation: perturbationTo(ahead) };
  const own = requested((await network.run({ ...between, keepKvCache: true })).kvCache);
  kvCache.release();
  const rerun = { ...pair, ids: ids.slice(ahead), cached: { kvCache: own, tokens: ahead } };
  const last = await observe({ ...rerun, perturbation: perturbationTo(ids.length) });
  own.release();
  const after = [half, 2 * half].map((end) => rest.subarray(end - (ids.length - ahead) * rowLength, end));
  compare('pasts that a batch retained against one that all share', last, concatenated(after));
}

const SHORT_TOKENS = 6;
const COLUMN = 2;

/** Checks the effect of factors in a short sequence. @returns whether positions see earlier ones only */
async function checkShort(checks: Checks, faults: string[]): Promise<boolean> {
  const { network, observe, compare } = checks;
  const ids = testIds(network, SHORT_TOKENS, 0);
  const plain = await observe({ batch: 1, ids });
  const rowLength = plain.length / SHORT_TOKENS;
  const neutral = factorsOf(SHORT_TOKENS, {});
  const suppressed = factorsOf(SHORT_TOKENS, { [COLUMN]: 0 });
  const weakened = factorsOf(SHORT_TOKENS, { [COLUMN]: 0.3 });
  for (const mode of ['additive', 'multiplicative'] as const)
    compare(
      `neutral ${mode} factors`,
      await observe({ batch: 1, ids, perturbation: { mode, factors: neutral } }),
      plain,
    );
  const single = await Promise.all(
    [neutral, suppressed, weakened].map((factors) =>
      observe({ batch: 1, ids, perturbation: { mode: 'additive', factors } }),
    ),
  );
  const [, effect] = single;
  const before = COLUMN * rowLength;
  const changeBefore = differenceOf(effect?.subarray(0, before), plain.subarray(0, before));
  const changeAfter = differenceOf(effect?.subarray(before), plain.subarray(before));
  if (!(changeAfter > 0)) faults.push('suppressing a column changes nothing: the perturbation is ignored');
  const isCausal = changeBefore <= 1e-3 * changeAfter;
  if (network.shape.sharesKvCache && !isCausal)
    faults.push(`suppressing column ${COLUMN} changes rows before it by ${changeBefore.toPrecision(2)}`);
  await checkSuppression(checks, ids, rowLength);
  const batch = await observe({
    batch: 3,
    ids: repeated(ids, 3),
    perturbation: { mode: 'additive', factors: concatenated([neutral, suppressed, weakened]) },
  });
  compare('a batch of three against single runs', batch, concatenated(single));
  return isCausal;
}

/** Whether the ids of suppressed columns change nothing. */
async function checkSuppression(
  { network, observe, compare }: Checks,
  ids: Int32Array,
  rowLength: number,
): Promise<void> {
  const factors = factorsOf(SHORT_TOKENS, { 0: 0, 1: 0 });
  const others = Int32Array.from(ids, (id, index) =>
    index < COLUMN ? (testIds(network, SHORT_TOKENS, 1)[index] ?? id) : id,
  );
  const [one, other] = await Promise.all(
    [ids, others].map((each) => observe({ batch: 1, ids: each, perturbation: { mode: 'additive', factors } })),
  );
  const after = (rows: Float32Array = new Float32Array(0)) => rows.subarray(COLUMN * rowLength);
  const fault = 'what stands in suppressed columns still matters, so that not every attention is controlled';
  compare(fault, after(one), after(other));
}

/** How much shorter the padded sequence is than the other one of its batch. */
export const PADDING = 7;

/**
 * Whether a sequence computes the same padded, in a batch with a longer one, as alone: its states at every layer and position,
 * and the graph's own outputs. Some exports compute lengths or positions from the ids of the padding.
 *
 * @param ids  of the longer sequence, at least 2
 */
async function hidesPadding(network: Network, ids: Int32Array, tolerance: number): Promise<boolean> {
  const { takesPadding, layers, width, outputs, paddingId } = network.shape;
  const tokens = ids.length;
  const short = Math.max(1, tokens - PADDING);
  if (!takesPadding || tokens <= short) return false;
  const padded = new Int32Array(tokens).fill(paddingId);
  padded.set(ids.subarray(PADDING, PADDING + short));
  const alone = await network.run({ batch: 1, ids: padded.slice(0, short), pooling: eachPosition(short), outputs });
  const both = await network.run({
    batch: 2,
    ids: Int32Array.from([...ids, ...padded]),
    lengths: Int32Array.of(tokens, short),
    pooling: eachPosition(tokens),
    outputs,
  });
  const block = tokens * width;
  const layerStarts = Array.from({ length: layers + 1 }, (_, layer) => (layers + 1 + layer) * block);
  const pooled = requested(both.pooled);
  const states = concatenated(layerStarts.map((start) => pooled.subarray(start, start + short * width)));
  return (
    compared(states, requested(alone.pooled), tolerance).agrees &&
    outputs.every((name) => {
      const expected = valuesOf(alone, name);
      const values = valuesOf(both, name);
      const half = values.length / 2; // the second sequence's part, as long as it is alone
      return compared(values.subarray(half, half + expected.length), expected, tolerance).agrees;
    })
  );
}

function valuesOf({ outputs }: NetworkAnswer, name: string): Float32Array {
  return outputs?.[name]?.values ?? new Float32Array(0);
}
