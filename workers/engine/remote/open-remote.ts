import { checkVocabulary, openCandidate, type OpenTestedOptions } from '../session/open-network.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import { sha256Of } from '../../../src/fetching/hash.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { type SelfTest, TOLERANCE } from '../checks/self-test.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import { releaseOnError } from '../device/guard.ts';
import { type KvCache, type Network, type NetworkRun, type Perturbation, refuse, tokensOf } from '../network.ts';
import { type NetworkPlan, planNetwork } from '../rewrite/plan-network.ts';
import { inOrder } from '../rewrite/served-graph.ts';
import { connectTo } from '../connection.ts';
import { remoteRuntime } from './remote-runtime.ts';

/** A network that runs on a remote engine. */
interface RemoteOptions extends OpenTestedOptions {
  readonly engine: RemoteEngine;
  /** The global `fetch`; tests pass their own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A number in JSON takes about five times the bytes of a float32. */
const JSON_SHARE = 5;

/**
 * Opens a network whose passes an engine elsewhere computes. It is verified: names and datatypes of the engine's metadata
 * against the plan, the digest of every file, the self-test over the wire, and, where the page has the weights itself, the
 * engine's numbers against its own.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the names or numbers that differ; ENGINE_UNAVAILABLE with the address
 */
export async function openRemotely(options: RemoteOptions): Promise<Network> {
  const { runtime, files, config, engine, fetch } = options;
  const plan = planNetwork(files.model, config);
  checkVocabulary(plan, options);
  const connection = connectTo(engine, { ...(fetch && { fetch }) });
  const external = files.external.map(async ({ path, data }) => ({ file: path, sha256: await sha256Of(data) }));
  const dataDigests = [...(await Promise.all(external)), ...(files.dataElsewhere ?? [])];
  const digests = inOrder(await sha256Of(files.model), dataDigests);
  const remote = remoteRuntime(runtime.ort, { engine, connection, digests });
  const onEngine = { ...options, runtime: { ...runtime, ort: remote.ort }, queue: connection.queue };
  const { network, test } = await openCandidate(onEngine, plan, { kind: 'remote' });
  return releaseOnError(
    () => network.release(),
    async () => {
      const agreement = await agreementWithPage(options, plan, test);
      const encoding = remote.encoding() ?? 'json';
      const reason =
        `${engine.address}, model "${engine.model}", ${encoding === 'binary' ? 'raw tensors' : 'JSON'}: ` +
        `self-test within ${test.largestDifference.toPrecision(2)} in ${test.longRunMs.toFixed(1)} ms over the wire; ${agreement}`;
      const bytesPerToken = kvBytesPerToken(plan, encoding);
      const recomputing = bytesPerToken > 0 ? recomputingPrefixes(network, { bytesPerToken }) : network;
      return { ...recomputing, inFlight: connection.limit, backend: { ...network.backend, reason } };
    },
  );
}

/** Compares the engine's numbers with the page's own. A model with large data files is not opened here: its digests must do. */
async function agreementWithPage(options: RemoteOptions, plan: NetworkPlan, test: SelfTest): Promise<string> {
  if (options.files.dataElsewhere)
    return `every file has the expected SHA-256; too large to compare its numbers with the page's own`;
  const local = await openCandidate(options, plan, { kind: 'wasm' });
  await local.network.release();
  const { difference, limit, agrees } = compared(test.longRun, local.test.longRun, TOLERANCE[plan.precision]);
  if (agrees) return `differs from this page by ${difference.toPrecision(2)}`;
  const { address, model } = options.engine;
  return refuse(
    `model "${model}" of the engine ${address} computes other numbers than this page: they differ by ` +
      `${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`,
  );
}

function kvBytesPerToken({ kvCache }: NetworkPlan, encoding: 'json' | 'binary'): number {
  const bytes = kvCache.reduce(
    (sum, { heads, headSize, type }) => sum + heads * headSize * (type === ElementType.float16 ? 2 : 4),
    0,
  );
  return encoding === 'binary' ? bytes : bytes * JSON_SHARE;
}

/** A KV cache of up to this size is sent with every pass after it; the engine computes a larger one again. */
export const SHIPPED_BYTES = 4 * 2 ** 20;

/**
 * A network elsewhere that does not make long KV caches: a pass after one is sent with the tokens before it, which the engine
 * computes again. Numbers do not change: where the pass controls the prefix otherwise than the cache was to be made with, the
 * cache is made and sent after all.
 *
 * @param bytesPerToken  of keys and values, as they are sent
 */
export function recomputingPrefixes(
  network: Network,
  { bytesPerToken, shippedBytes = SHIPPED_BYTES }: { readonly bytesPerToken: number; readonly shippedBytes?: number },
): Network {
  /** The runs of caches that were not made. */
  const unmade = new WeakMap<KvCache, NetworkRun>();
  const run: Network['run'] = async (pass) => {
    const prefix = pass.cached && unmade.get(pass.cached.kvCache);
    if (pass.cached && prefix) {
      const whole = withPrefix(prefix, pass, pass.cached.tokens);
      return whole ? run(whole) : runAfter(prefix, pass);
    }
    const { batch } = pass;
    const tokens = (pass.cached?.tokens ?? 0) + tokensOf(pass);
    const isLong = batch * tokens * bytesPerToken > shippedBytes;
    if (!pass.keepKvCache || pass.cached || !isLong) return network.run(pass);
    const kvCache: KvCache = { batch, tokens, release: () => void unmade.delete(kvCache) };
    unmade.set(kvCache, pass);
    const wantsMore = pass.logits || pass.targets || pass.likeliest || pass.pooling || pass.maxima || pass.outputs;
    return { ...(wantsMore && (await network.run({ ...pass, keepKvCache: false }))), kvCache };
  };
  async function runAfter(prefix: NetworkRun, pass: NetworkRun) {
    const { kvCache } = await network.run({ ...prefix, signal: pass.signal });
    if (!kvCache) throw new TypeError('a KV cache that was asked for is missing');
    try {
      return await network.run({ ...pass, cached: { kvCache, tokens: pass.cached?.tokens ?? 0 } });
    } finally {
      kvCache.release();
    }
  }
  return { ...network, run };
}

/** The pass with the tokens before it; undefined where one run cannot do the same. */
function withPrefix(prefix: NetworkRun, pass: NetworkRun, cachedTokens: number): NetworkRun | undefined {
  if (prefix.segments || pass.segments || prefix.lengths || prefix.tokenWeights || pass.tokenWeights) return undefined;
  if (prefix.perturbation?.layout || pass.perturbation?.layout) return undefined; // a layout has the positions of the pass alone
  if (!hasSameControls(prefix, pass, cachedTokens)) return undefined;
  const { cached: _, ...rest } = pass;
  const overrides = [...(prefix.embeddingOverrides ?? []), ...(pass.embeddingOverrides ?? [])];
  return {
    ...rest,
    ...idsOf(prefix, pass, cachedTokens),
    ...(pass.lengths && { lengths: pass.lengths.map((length) => length + cachedTokens) }),
    ...(overrides.length > 0 && { embeddingOverrides: overrides }),
  };
}

function idsOf(prefix: NetworkRun, pass: NetworkRun, cachedTokens: number): Pick<NetworkRun, 'ids' | 'sameIds'> {
  const rowOf = (run: NetworkRun, index: number, length = tokensOf(run)) => {
    const start = run.sameIds || run.batch === 1 ? 0 : index * length;
    return run.ids.subarray(start, start + length);
  };
  const row = (index: number) => [...rowOf(prefix, index).subarray(0, cachedTokens), ...rowOf(pass, index)];
  if ((prefix.sameIds || prefix.batch === 1) && pass.sameIds) return { ids: Int32Array.from(row(0)), sameIds: true };
  const rows = Array.from({ length: pass.batch }, (_, index) => row(index));
  return { ids: Int32Array.from(rows.flat()), sameIds: false };
}

/** Whether the pass controls the prefix as the cache was to be made with. */
function hasSameControls(prefix: NetworkRun, pass: NetworkRun, cachedTokens: number): boolean {
  const lengths = [tokensOf(prefix), cachedTokens + tokensOf(pass)] as const;
  const [first, second] = [factorsOf(prefix, lengths[0]), factorsOf(pass, lengths[1])];
  const isNeutral = (factors: ArrayLike<number>) => Array.from(factors).every((factor) => factor === 1);
  const controls = [prefix.perturbation, pass.perturbation].filter(
    (each): each is Perturbation => each !== undefined && !isNeutral(each.factors),
  );
  if (new Set(controls.map(({ mode }) => mode)).size > 1) return false;
  return Array.from({ length: pass.batch }, (_, index) => index).every((index) => {
    const row = prefix.batch === 1 ? 0 : index;
    for (let at = 0; at < cachedTokens; at++)
      if (first[row * lengths[0] + at] !== second[index * lengths[1] + at]) return false;
    return true;
  });
}

function factorsOf({ batch, perturbation }: NetworkRun, total: number): Float32Array | Float64Array {
  return perturbation?.factors ?? new Float32Array(batch * total).fill(1);
}
