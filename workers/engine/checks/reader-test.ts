import { concatenated, compared } from '../../kernels/float-arrays.ts';
import type { NamedOutput, Network } from '../network.ts';
import { LONG_TOKENS, PADDING, type SelfTest, TOLERANCE } from './self-test.ts';

/** Positions of a sequence that count as the question. */
const QUESTION_TOKENS = 9;

/** A question and a passage, of ids that every vocabulary has and that are not special in the usual ones. */
interface Pair {
  readonly ids: Int32Array;
  readonly segments: Int32Array;
}

/**
 * Checks a network that runs as it was exported, and points at answers or returns its last states: a pair of texts gives the same
 * numbers alone and in a batch. Whether padding is hidden is only reported, as in `selfTest`.
 */
export async function readerTest(
  network: Network,
  precision: keyof typeof TOLERANCE,
  now = () => performance.now(),
): Promise<SelfTest> {
  const tokens = Math.min(LONG_TOKENS, network.shape.contextTokens);
  const [long, short] = [pairOf(tokens, 0), pairOf(tokens - PADDING, 1)];
  await logitsOf(network, [long]);
  const begin = now();
  const [longRun = none] = await logitsOf(network, [long]);
  const longRunMs = now() - begin;
  const [twice = none] = await logitsOf(network, [long, long]);
  const tolerance = TOLERANCE[precision];
  const { difference: largestDifference, agrees } = compared(twice, longRun, tolerance);
  const fault = agrees ? undefined : `a batch of two against a single run: off by ${largestDifference.toPrecision(2)}`;
  const takesPadding = network.shape.takesPadding && (await hidesPadding(network, long, short, tolerance));
  return { fault, isCausal: false, takesPadding, longRunMs, longRun, largestDifference };
}

const none = new Float32Array();

async function hidesPadding(network: Network, long: Pair, short: Pair, tolerance: number): Promise<boolean> {
  const alone = [await logitsOf(network, [long]), await logitsOf(network, [short])].flat();
  const batch = await logitsOf(network, [long, short]);
  return alone.every((expected, i) => compared(batch[i] ?? none, expected, tolerance).agrees);
}

function pairOf(tokens: number, salt: number): Pair {
  const ids = Int32Array.from({ length: tokens }, (_, i) => 5 + ((i * 37 + 11 + salt * 17) % 59));
  return { ids, segments: Int32Array.from(ids, (_, i) => Number(i >= QUESTION_TOKENS)) };
}

/** The outputs at the passage's positions, for each pair; those at other positions need not be numbers. */
async function logitsOf(network: Network, pairs: readonly Pair[]): Promise<Float32Array[]> {
  const tokens = pairs.reduce((most, { ids }) => Math.max(most, ids.length), 0);
  const padded = (values: (pair: Pair) => Int32Array) => {
    const all = new Int32Array(pairs.length * tokens);
    pairs.forEach((pair, i) => all.set(values(pair), i * tokens));
    return all;
  };
  const isPadded = pairs.some(({ ids }) => ids.length < tokens);
  const { outputs = {} } = await network.run({
    batch: pairs.length,
    ids: padded(({ ids }) => ids),
    segments: padded(({ segments }) => segments),
    ...(isPadded && { lengths: Int32Array.from(pairs, ({ ids }) => ids.length) }),
    outputs: network.shape.outputs,
  });
  return pairs.map(({ ids }, i) =>
    concatenated(Object.values(outputs).map((output) => rowOf(output, { row: i, tokens, end: ids.length }))),
  );
}

/** An output of one pair: at the passage's positions, or all of it where it has no row for each. */
function rowOf(
  { dimensions, values }: NamedOutput,
  { row, tokens, end }: Readonly<Record<'row' | 'tokens' | 'end', number>>,
) {
  const [batch = 1, length, width = 1] = dimensions;
  const whole = values.length / batch;
  const begin = row * whole;
  if (length !== tokens) return values.subarray(begin, begin + whole);
  return values.subarray(begin + QUESTION_TOKENS * width, begin + end * width);
}
