import { differenceOf, eachPosition, joined, magnitudeOf, repeated } from '../session/blocks.ts';
import { hidesPadding } from './padding-test.ts';
import { tokensOf, type Network, type NetworkRun, type Perturbation, type Prefix } from '../network.ts';

/** What a backend was seen to compute. */
export interface SelfTest {
  /** A sentence about the first wrong number; undefined when all relations hold. */
  readonly fault: string | undefined;
  /** Whether positions see earlier ones only. */
  readonly isCausal: boolean;
  /** Whether sequences of different lengths may share a batch. */
  readonly takesPadding: boolean;
  /** Time of a run of `LONG_TOKENS` tokens, the better of two. */
  readonly longRunMs: number;
  /** Results of that run, to compare backends by. */
  readonly longRun: Float32Array;
  /** Largest difference between two ways to the same numbers. */
  readonly largestDifference: number;
}

/** Length of the long run: long enough for kernels that treat 32 rows and more in another way. */
export const LONG_TOKENS = 40;

const SHORT_TOKENS = 6;
/** As many as a short target has. */
const LAST_ROWS = 3;
/** The column that is perturbed. */
const COLUMN = 2;
/** Differences up to this share of the largest result are rounding. Errors seen so far were a thousand times larger. */
export const TOLERANCE = { float32: 1e-3, float16: 3e-2 } as const;

/** Rows of results, one per position: logits, or the last layer's states. */
type Observe = (run: Omit<NetworkRun, 'rows' | 'logits' | 'pooling'>) => Promise<Observation>;

interface Observation {
  readonly values: Float32Array;
  readonly present: Prefix | undefined;
}

/**
 * Checks, before a network is used, that its backend computes what the explanation relies on. Backends have been seen to
 * ignore biases, to drop a soft cap and to be wrong from 32 rows on, always silently.
 *
 * 1. Neutral factors change nothing.
 * 2. A suppressed column changes rows from its own on, and in a causal network none before.
 * 3. What stands in suppressed columns does not matter to the rows behind: every attention is under control.
 * 4. A batch computes what single runs do.
 * 5. Behind a retained past, longer than needed, the rest of the sequence computes what the whole does; also for 40 tokens,
 *    and also when a batch retains pasts of its own in between.
 * 6. The last rows, asked for alone, are those of the whole.
 *
 * Whether padding is hidden is only reported: a network that does not hide it is used with equal lengths.
 *
 * @source engine.md §6.3 and graphs.md §3, from measurements of 2026-11
 */
export async function selfTest(
  network: Network,
  precision: keyof typeof TOLERANCE,
  now = () => performance.now(),
): Promise<SelfTest> {
  const faults: string[] = [];
  let largestDifference = 0;
  const compare = (what: string, found: Float32Array, expected: Float32Array): void => {
    const difference = differenceOf(found, expected);
    largestDifference = Math.max(largestDifference, difference);
    const limit = TOLERANCE[precision] * (1 + magnitudeOf(expected));
    if (!(difference <= limit))
      faults.push(`${what}: off by ${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`);
  };
  const observe = observer(network);
  const isCausal = await checkShort(network, observe, compare, faults);
  const { longRun, longRunMs } = await checkLong(network, observe, compare, now);
  const longest = testIds(network, Math.min(LONG_TOKENS, network.shape.contextTokens), 0);
  const takesPadding = await hidesPadding(network, longest, TOLERANCE[precision]);
  return { fault: faults[0], isCausal, takesPadding, longRunMs, longRun, largestDifference };
}

type Compare = (what: string, found: Float32Array, expected: Float32Array) => void;

async function checkShort(network: Network, observe: Observe, compare: Compare, faults: string[]): Promise<boolean> {
  const ids = testIds(network, SHORT_TOKENS, 0);
  const rowLength = (await observe({ batch: 1, ids })).values.length / SHORT_TOKENS;
  const { values: plain } = await observe({ batch: 1, ids });
  const neutral = factorsOf(SHORT_TOKENS, {});
  const suppressed = factorsOf(SHORT_TOKENS, { [COLUMN]: 0 });
  const weakened = factorsOf(SHORT_TOKENS, { [COLUMN]: 0.3 });
  for (const mode of ['additive', 'multiplicative'] as const)
    compare(
      `neutral ${mode} factors`,
      (await observe({ batch: 1, ids, perturbation: { mode, factors: neutral } })).values,
      plain,
    );
  const single = await Promise.all(
    [neutral, suppressed, weakened].map((factors) =>
      observe({ batch: 1, ids, perturbation: { mode: 'additive', factors } }),
    ),
  );
  const [, effect] = single;
  const before = COLUMN * rowLength;
  const changeBefore = differenceOf(effect?.values.subarray(0, before), plain.subarray(0, before));
  const changeBehind = differenceOf(effect?.values.subarray(before), plain.subarray(before));
  if (!(changeBehind > 0)) faults.push('suppressing a column changes nothing: the perturbation is ignored');
  const isCausal = changeBefore <= 1e-3 * changeBehind;
  if (network.shape.sharesPrefix && !isCausal)
    faults.push(`suppressing column ${COLUMN} changes rows before it by ${changeBefore.toPrecision(2)}`);
  await checkBlindness(network, observe, compare, { ids, rowLength });
  const batch = await observe({
    batch: 3,
    ids: repeated(ids, 3),
    perturbation: { mode: 'additive', factors: joined([neutral, suppressed, weakened]) },
  });
  compare('a batch of three against single runs', batch.values, joined(single.map(({ values }) => values)));
  return isCausal;
}

async function checkBlindness(
  network: Network,
  observe: Observe,
  compare: Compare,
  { ids, rowLength }: { readonly ids: Int32Array; readonly rowLength: number },
): Promise<void> {
  const factors = factorsOf(SHORT_TOKENS, { 0: 0, 1: 0 });
  const others = Int32Array.from(ids, (id, index) =>
    index < COLUMN ? (testIds(network, SHORT_TOKENS, 1)[index] ?? id) : id,
  );
  const [one, other] = await Promise.all(
    [ids, others].map((each) => observe({ batch: 1, ids: each, perturbation: { mode: 'additive', factors } })),
  );
  const behind = (seen: Observation | undefined) => (seen?.values ?? new Float32Array(0)).subarray(COLUMN * rowLength);
  compare(
    'what stands in suppressed columns still matters, so that not every attention is controlled',
    behind(one),
    behind(other),
  );
}

async function checkLong(
  network: Network,
  observe: Observe,
  compare: Compare,
  now: () => number,
): Promise<{ readonly longRun: Float32Array; readonly longRunMs: number }> {
  const ids = testIds(network, Math.min(LONG_TOKENS, network.shape.contextTokens), 0);
  const factors = factorsOf(ids.length, { [ids.length - 5]: 0.3 });
  const perturbation = { mode: 'additive', factors } as const;
  const begin = now();
  await observe({ batch: 1, ids, perturbation });
  const middle = now();
  const whole = await observe({ batch: 1, ids, perturbation });
  const longRunMs = Math.min(middle - begin, now() - middle);
  await checkLastRows(network, compare, { ids, perturbation, whole: whole.values });
  if (network.shape.sharesPrefix) {
    await checkPasts(network, observe, compare, { ids, perturbation, whole: whole.values });
  } else {
    const twice = await observe({
      batch: 2,
      ids: repeated(ids, 2),
      perturbation: { mode: 'additive', factors: repeated(factors, 2) },
    });
    compare('a long batch against a single run', twice.values, joined([whole.values, whole.values]));
  }
  return { longRun: whole.values, longRunMs };
}

/** What an explanation runs on: the probed sequence, its factors and its results. */
interface LongRun {
  readonly ids: Int32Array;
  readonly perturbation: Perturbation;
  readonly whole: Float32Array;
}

async function checkLastRows({ run, shape }: Network, compare: Compare, { whole, ...long }: LongRun): Promise<void> {
  if (shape.vocabulary === 0) return;
  const { logits = new Float32Array(0) } = await run({ batch: 1, ...long, rows: LAST_ROWS, logits: true });
  compare('the last rows alone against the whole', logits, whole.subarray(-LAST_ROWS * shape.vocabulary));
}

/** The ways of an explanation: one past for a batch, and a batch that first retains pasts of its own, without results. */
async function checkPasts(network: Network, observe: Observe, compare: Compare, long: LongRun): Promise<void> {
  const { ids, whole } = long;
  const [shared, ahead] = [ids.length - 8, ids.length - 3];
  const rows = [long.perturbation.factors, factorsOf(ids.length, { [ids.length - 6]: 0 })];
  const perturbationTo = (end: number): Perturbation => {
    return { mode: 'additive', factors: joined(rows.map((row) => row.subarray(0, end))) };
  };
  const { present } = await observe({ batch: 1, ids, retain: true });
  if (present === undefined) throw new TypeError('a run that was to be retained was not');
  const prefix = { keep: present, tokens: shared };
  const pair = { batch: 2, sameIds: true };
  const rest = await observe({ ...pair, ids: ids.slice(shared), prefix, perturbation: perturbationTo(ids.length) });
  const rowLength = whole.length / ids.length;
  const half = rest.values.length / 2;
  compare(
    'a retained past against the whole sequence',
    rest.values.subarray(0, half),
    whole.subarray(shared * rowLength),
  );
  const between = { ...pair, ids: ids.slice(shared, ahead), prefix, perturbation: perturbationTo(ahead) };
  const { present: own } = await network.run({ ...between, retain: true });
  present.release();
  if (own === undefined) throw new TypeError('a batch that was to be retained was not');
  const after = { ...pair, ids: ids.slice(ahead), prefix: { keep: own, tokens: ahead } };
  const last = await observe({ ...after, perturbation: perturbationTo(ids.length) });
  own.release();
  const behind = [half, 2 * half].map((end) => rest.values.subarray(end - (ids.length - ahead) * rowLength, end));
  compare('pasts that a batch retained against one that all share', last.values, joined(behind));
}

function observer(network: Network): Observe {
  const { vocabulary, layers, width } = network.shape;
  return async (run) => {
    const tokens = tokensOf(run);
    if (vocabulary > 0) {
      const answer = await network.run({ ...run, rows: tokens, logits: true });
      return { values: answer.logits ?? new Float32Array(0), present: answer.present };
    }
    const { pooled = new Float32Array(0) } = await network.run({ ...run, pooling: eachPosition(tokens) });
    const block = tokens * width;
    const last = Array.from({ length: run.batch }, (_, each) => ((each + 1) * (layers + 1) - 1) * block);
    return { values: joined(last.map((start) => pooled.subarray(start, start + block))), present: undefined };
  };
}

/** Ids spread over the vocabulary; another `salt` gives others at every position. */
function testIds({ shape }: Network, tokens: number, salt: number): Int32Array {
  const choice = Math.max(2, Math.min(shape.vocabulary || 64, 1000));
  return Int32Array.from({ length: tokens }, (_, index) => (index * 37 + 11 + salt * 17) % choice);
}

function factorsOf(tokens: number, changed: Readonly<Record<number, number>>): Float32Array {
  return Float32Array.from({ length: tokens }, (_, index) => changed[index] ?? 1);
}
