import { repeated, joined } from '../../kernels/float-arrays.ts';
import type { KvCache, Network, Perturbation } from '../network.ts';
import { type Observe, type Compare, testIds, LONG_TOKENS, factorsOf } from './test-runs.ts';

/** As many rows as a short target has. */
const LAST_ROWS = 3;

/** Runs a sequence of `LONG_TOKENS` tokens twice and times it, then as an explanation runs it. */
export async function checkLong(
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
  const long = { ids, perturbation, whole: whole.values };
  const kvCache = await checkLastRows(network, compare, long);
  if (kvCache) {
    await checkPasts(network, observe, compare, { ...long, kvCache });
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

/** @returns keys and values of the run, where the network can go on from them */
async function checkLastRows(
  { run, shape: { vocabulary, sharesKvCache } }: Network,
  compare: Compare,
  { whole, ids, perturbation }: LongRun,
): Promise<KvCache | undefined> {
  if (vocabulary === 0 && !sharesKvCache) return undefined;
  const wanted = vocabulary > 0 && { rows: LAST_ROWS, logits: true };
  const { logits, kvCache } = await run({ batch: 1, ids, perturbation, ...wanted, keepKvCache: sharesKvCache });
  if (wanted)
    compare(
      'the last rows alone against the whole',
      logits ?? new Float32Array(0),
      whole.subarray(-LAST_ROWS * vocabulary),
    );
  if (sharesKvCache && kvCache === undefined) throw new TypeError('a run that was to be retained was not');
  return kvCache;
}

/** The ways of an explanation: one KV cache for a batch, and a batch that first keeps KV caches of its own, without results. */
async function checkPasts(
  network: Network,
  observe: Observe,
  compare: Compare,
  { ids, whole, perturbation, kvCache }: LongRun & { readonly kvCache: KvCache },
): Promise<void> {
  // The perturbed columns come behind what is shared.
  const [shared, ahead] = [ids.length - 8, ids.length - 3];
  const rows = [perturbation.factors, factorsOf(ids.length, { [ids.length - 6]: 0 })];
  const perturbationTo = (end: number): Perturbation => {
    return { mode: 'additive', factors: joined(rows.map((row) => row.subarray(0, end))) };
  };
  const cached = { kvCache, tokens: shared };
  const pair = { batch: 2, sameIds: true };
  const rest = await observe({ ...pair, ids: ids.slice(shared), cached, perturbation: perturbationTo(ids.length) });
  const rowLength = whole.length / ids.length;
  const half = rest.values.length / 2;
  compare(
    'a retained past against the whole sequence',
    rest.values.subarray(0, half),
    whole.subarray(shared * rowLength),
  );
  const between = { ...pair, ids: ids.slice(shared, ahead), cached, perturbation: perturbationTo(ahead) };
  const { kvCache: own } = await network.run({ ...between, keepKvCache: true });
  kvCache.release();
  if (own === undefined) throw new TypeError('a batch that was to be retained was not');
  const after = { ...pair, ids: ids.slice(ahead), cached: { kvCache: own, tokens: ahead } };
  const last = await observe({ ...after, perturbation: perturbationTo(ids.length) });
  own.release();
  const behind = [half, 2 * half].map((end) => rest.values.subarray(end - (ids.length - ahead) * rowLength, end));
  compare('pasts that a batch retained against one that all share', last.values, joined(behind));
}
