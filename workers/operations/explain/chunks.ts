import { activationBytes } from '../../kernels/batches/batch-plan.ts';
import { joined } from '../../kernels/float-arrays.ts';
import { type KvCache, type Network, type NetworkAnswer, type NetworkRun, tokensOf } from '../../engine/network.ts';

/**
 * Activations that a pass may take by estimate, however long the prompt is: keys and values alone grow with it. The heap grows by
 * up to three times as much. Larger passes are no faster (`npm run bench -- --only lengths,lengths-memory`).
 */
export const PASS_BYTES = 64 * 2 ** 20;

/** A pass that may be cut: its sequences share ids and predict. */
export type ChunkedRun = NetworkRun & Required<Pick<NetworkRun, 'rows' | 'perturbation'>>;

/**
 * Runs a pass, and where its activations would take more than they may, in chunks, each behind keys and values of those before
 * it. The numbers are the same: a position depends on none behind it.
 *
 * @param mostBytes  for activations; a chunk has as many positions as predict at least
 * @throws what the network throws; keys and values of chunks are released then too
 */
export async function inChunks(
  network: Pick<Network, 'run' | 'shape'>,
  run: ChunkedRun,
  mostBytes = PASS_BYTES,
): Promise<NetworkAnswer> {
  const ends = chunkEnds(network, run, mostBytes);
  let cached = run.cached;
  let own: KvCache | undefined; // keys and values of chunks so far
  try {
    let from = 0;
    for (const end of ends) {
      const { kvCache } = await network.run(chunkOf(run, { from, end, cached }));
      own?.release();
      own = kvCache;
      if (!own) throw new RangeError('the network did not keep keys and values');
      cached = { kvCache: own, tokens: own.tokens };
      from = end;
    }
    return await network.run({ ...run, ...placeIn(run, { from, end: tokensOf(run), cached }) });
  } finally {
    own?.release();
  }
}

/** Where chunks end, the last one left out, which predicts; none where the pass fits or cannot be cut. */
function chunkEnds({ shape }: Pick<Network, 'shape'>, run: ChunkedRun, mostBytes: number): number[] {
  const tokens = tokensOf(run);
  const total = tokens + (run.cached?.tokens ?? 0);
  const bytesOf = (count: number) => run.batch * activationBytes(shape, count, total, run.rows);
  if (bytesOf(tokens) <= mostBytes || !shape.sharesKvCache || run.layout || run.attention) return [];
  const each = (bytesOf(tokens) - bytesOf(0)) / tokens;
  const size = Math.max(run.rows, Math.floor((mostBytes - bytesOf(0)) / each));
  const ends: number[] = [];
  for (let end = size; end < tokens; end += size) ends.push(Math.min(end, tokens - run.rows));
  return ends.filter((end, at) => end > (ends[at - 1] ?? 0));
}

interface Place {
  /** Positions of the run. */
  readonly from: number;
  readonly end: number;
  readonly cached: NetworkRun['cached'];
}

/** A chunk that leaves keys and values. */
function chunkOf(run: ChunkedRun, place: Place): NetworkRun {
  const { batch, embeddingOverrides, signal } = run;
  return {
    ...{ batch, signal, keepKvCache: true },
    ...(embeddingOverrides && { embeddingOverrides }),
    ...placeIn(run, place),
  };
}

/** Ids and factors of a stretch of the run, and what is in front of it. */
function placeIn(
  run: ChunkedRun,
  { from, end, cached }: Place,
): Pick<NetworkRun, 'ids' | 'sameIds' | 'cached' | 'perturbation'> {
  const { batch, ids, sameIds = false, perturbation } = run;
  const tokens = tokensOf(run);
  const total = tokens + (run.cached?.tokens ?? 0);
  const known = total - tokens;
  const rows = Array.from({ length: batch }, (_, of) => of);
  return {
    ...{ sameIds, ...(cached && { cached }) },
    ids: sameIds
      ? ids.subarray(from, end)
      : Int32Array.from(rows.flatMap((of) => [...ids.subarray(of * tokens + from, of * tokens + end)])),
    perturbation: {
      mode: perturbation.mode,
      factors: joined(rows.map((of) => perturbation.factors.subarray(of * total, of * total + known + end))),
    },
  };
}
