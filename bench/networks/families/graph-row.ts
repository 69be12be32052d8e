import { FailureError } from '../../../src/contract/failure.ts';
import type { Tier } from '../../../src/models/model.ts';
import {
  eachPosition,
  type Network,
  type NetworkRun,
  type Perturbation,
  tokensOf,
} from '../../../workers/engine/network.ts';
import { type NetworkPlan, planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import { openCandidate } from '../../../workers/engine/session/open-network.ts';
import type { Ort } from '../../../workers/engine/session/session.ts';
import { differenceOf, concatenated, magnitudeOf, repeated } from '../../../workers/kernels/float-arrays.ts';
import { openOriginal, type Original } from './original.ts';

/** What became of a graph. Differences are shares of 1 + the largest result; absent where there is nothing to compare with. */
export interface GraphRow {
  readonly name: string;
  readonly tier: Tier;
  /** Attentions that were found. */
  readonly sites: number;
  /** Largest difference of the rewritten graph under neutral controls from the file as it was exported. */
  readonly neutral?: number | undefined;
  /** Largest difference of three sequences in a batch, each under controls of its own, from each alone. */
  readonly batch?: number;
  /** Whether a suppressed position changes no row before it. */
  readonly isCausal?: boolean;
  /** Time of a rewritten pass for the last row divided by one of the original, which gives every row. */
  readonly time?: number | undefined;
  /** Why it is not rewritten. */
  readonly reason: string;
}

const TOKENS = 24;
/** The column that is suppressed. */
const COLUMN = 9;
const CONFIG = { layers: undefined, headSize: 16, contextTokens: 64, paddingId: undefined };

/** Opens a graph as the app does, self-test included, and compares it with its file. */
export async function graphRow(ort: Ort, name: string, file: Uint8Array): Promise<GraphRow> {
  try {
    const plan = planNetwork(file, CONFIG);
    if (plan.keptBecause !== undefined) return { name, tier: 'as_exported', sites: 0, reason: plan.keptBecause };
    const runtime = { ort, threads: 1, threadReason: 'one thread' };
    const files = { model: file, external: [] };
    const { network } = await openCandidate({ runtime, files, config: CONFIG }, plan, { kind: 'wasm' });
    try {
      return { name, tier: 'steered', sites: plan.layers, reason: '', ...(await compared(ort, file, plan, network)) };
    } finally {
      await network.release();
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { name, tier: 'refused', sites: 0, reason: error.message };
  }
}

async function compared(ort: Ort, file: Uint8Array, plan: NetworkPlan, network: Network): Promise<Partial<GraphRow>> {
  const ids = Int32Array.from({ length: TOKENS }, (_, index) => 3 + ((index * 37 + 11) % 47));
  const rows = (run: Partial<NetworkRun>) => rowsOf(network, plan, { batch: 1, ids, ...run });
  const plain = await rows({});
  const each = [{ 5: 0.1 }, { [COLUMN]: 0 }, { 7: 2 }].map(additive);
  const singles = [];
  for (const perturbation of each) singles.push(await rows({ perturbation }));
  const factors = concatenated(each.map((perturbation) => perturbation.factors));
  const batch = await rows({ batch: 3, ids: repeated(ids, 3), perturbation: { mode: 'additive', factors } });
  const first = (COLUMN * plain.length) / TOKENS;
  const suppressed = singles[1] ?? plain;
  const before = differenceOf(suppressed.subarray(0, first), plain.subarray(0, first));
  const behind = differenceOf(suppressed.subarray(first), plain.subarray(first));
  const original = await openOriginal(ort, file, ids);
  try {
    return {
      batch: shareOf(batch, concatenated(singles)),
      // Dynamic int8 rounds all positions together, so that none is left quite unchanged.
      isCausal: before <= 1e-3 * behind || (plan.runsAlone && plan.kvCache.length > 0),
      neutral: original && (await neutral(original, plain, network, ids)),
      time: original && (await timeOver(original, network, plan, ids)),
    };
  } finally {
    await original?.release();
  }
}

function additive(changed: Readonly<Record<number, number>>): Perturbation {
  return { mode: 'additive', factors: Float64Array.from({ length: TOKENS }, (_, index) => changed[index] ?? 1) };
}

/** A pruned head gives its last row only; a result without rows is fetched under its own name. */
async function neutral({ name, values }: Original, plain: Float32Array, network: Network, ids: Int32Array) {
  const named = network.shape.outputs.includes(name)
    ? (await network.run({ batch: 1, ids, outputs: [name] })).outputs?.[name]?.values
    : plain.subarray(plain.length - values.length);
  return shareOf(named ?? new Float32Array(0), values);
}

/** Logits of each position, or states of the last layer where there is no head. */
async function rowsOf(network: Network, plan: NetworkPlan, run: NetworkRun): Promise<Float32Array> {
  const tokens = tokensOf(run);
  const nothing = new Float32Array(0);
  if (plan.hasHead) return (await network.run({ ...run, rows: tokens, logits: true })).logits ?? nothing;
  const { pooled = nothing } = await network.run({ ...run, pooling: eachPosition(tokens) });
  const block = tokens * network.shape.width;
  const ends = Array.from({ length: run.batch }, (_, index) => (index + 1) * (network.shape.layers + 1) * block);
  return concatenated(ends.map((end) => pooled.subarray(end - block, end)));
}

function shareOf(found: Float32Array, expected: Float32Array): number {
  return differenceOf(found, expected) / (1 + magnitudeOf(expected));
}

/** Passes of each, by turns. The shortest counts: these networks take less than a millisecond, and others use the processor. */
const ROUNDS = 60;

async function timeOver(original: Original, network: Network, plan: NetworkPlan, ids: Int32Array): Promise<number> {
  const asked = plan.hasHead ? { logits: true } : { outputs: [original.name] };
  const times: { readonly original: number[]; readonly rewritten: number[] } = { original: [], rewritten: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.original.push(await timeOf(() => original.run()));
    times.rewritten.push(await timeOf(() => network.run({ batch: 1, ids, ...asked })));
  }
  return Math.min(...times.rewritten) / Math.min(...times.original);
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await run();
  return performance.now() - beganMs;
}
