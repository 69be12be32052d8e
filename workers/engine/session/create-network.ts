import { joined } from '../../kernels/float-arrays.ts';
import {
  type Network,
  type KvCache,
  type NetworkRun,
  tokensOf,
  type NetworkAnswer,
  type NetworkShape,
  eachPosition,
} from '../network.ts';
import { refuseIfKept } from '../refusal.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import { WORD_EMBEDDINGS, POOLED } from '../tensor-names.ts';
import { fetchesOf, answerOf } from './answers.ts';
import type { EmbeddingTable } from './embedding-table.ts';
import { type Execute, type Parts, release } from './executor.ts';
import type { KvCacheTensors } from './feeds/feeds.ts';
import { oneByOne } from './passes/one-by-one.ts';
import { runtimeQueue } from './run-queue.ts';
import type { Fetched, Tensor } from './session.ts';
import { valuesOf } from './tensors.ts';

/** A network over its executor: keeps the KV caches of finished runs, and turns tensors into answers. */
export function assemble(
  plan: NetworkPlan,
  execute: Execute,
  { backend, shape }: Pick<Network, 'backend' | 'shape'>,
  parts: Parts,
): Network {
  const kvTensors = new WeakMap<KvCache, KvCacheTensors>();
  const tensorsOf = (run: NetworkRun): KvCacheTensors | undefined => {
    if (run.cached === undefined) return undefined;
    const tensors = kvTensors.get(run.cached.kvCache);
    if (tensors === undefined) throw new RangeError('the KV cache was released or belongs to another network');
    return tensors;
  };
  const keepKvCache = (fetched: Fetched, run: NetworkRun): KvCache => {
    const tensors = new Map(plan.kvCache.map(({ output }) => [output, tensorOf(fetched, output)]));
    const kvCache: KvCache = {
      batch: run.batch,
      tokens: (run.cached?.tokens ?? 0) + tokensOf(run),
      release: () => {
        kvTensors.delete(kvCache);
        for (const tensor of tensors.values()) tensor.dispose();
      },
    };
    kvTensors.set(kvCache, tensors);
    return kvCache;
  };
  const passOf = async (asked: NetworkRun): Promise<NetworkAnswer> => {
    const fetched = await execute(asked, fetchesOf(plan, asked), tensorsOf(asked));
    const answer = await answerOf(fetched, asked);
    return asked.keepKvCache ? { ...answer, kvCache: keepKvCache(fetched, asked) } : answer;
  };
  const run = plan.runsAlone ? oneByOne(passOf) : passOf;
  return {
    shape,
    backend,
    run,
    embeddings: (ids) => embeddingsOf(plan, execute, ids, { shape, table: parts.table }),
    release: () => runtimeQueue(() => release(parts)),
  };
}

function tensorOf(fetched: Fetched, name: string): Tensor {
  const tensor = fetched[name];
  if (tensor === undefined) throw new TypeError(`output ${name} is missing`);
  return tensor;
}

/**
 * Looked-up rows, in pieces no longer than the context. Where the table lies inside the network, the layers behind the
 * look-up are computed too: a second session for the table alone would hold the table twice.
 */
async function embeddingsOf(
  plan: NetworkPlan,
  execute: Execute,
  ids: Int32Array,
  { shape: { contextTokens }, table }: { readonly shape: NetworkShape; readonly table: EmbeddingTable | undefined },
): Promise<Float32Array> {
  if (table) return runtimeQueue(() => table.rowsOf(ids));
  refuseIfKept(plan, 'contextual control');
  const pieces: Float32Array[] = [];
  for (let start = 0; start < ids.length; start += contextTokens)
    pieces.push(await rowsOf(plan, execute, ids.subarray(start, start + contextTokens)));
  return joined(pieces);
}

async function rowsOf(plan: NetworkPlan, execute: Execute, ids: Int32Array): Promise<Float32Array> {
  if (plan.hasWordEmbeddings) return valuesOf(await execute({ batch: 1, ids }, [WORD_EMBEDDINGS]), WORD_EMBEDDINGS);
  const pooled = await valuesOf(await execute({ batch: 1, ids, pooling: eachPosition(ids.length) }, [POOLED]), POOLED);
  return pooled.subarray(0, pooled.length / (plan.layers + 1));
}
