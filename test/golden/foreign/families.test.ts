import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/contract/failure.ts';
import type { Tier } from '../../../src/models/model.ts';
import { runOriginal } from '../../support/onnx/original.ts';
import { fileBytes, place, testRuntime } from '../../support/onnx/place.ts';
import { eachPosition, type Network, type NetworkRun, tokensOf } from '../../../workers/engine/network.ts';
import type { NetworkPlan } from '../../../workers/engine/rewrite/network-plan.ts';
import { planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import { openCandidate } from '../../../workers/engine/session/open-tested.ts';
import { differenceOf, joined, magnitudeOf } from '../../../workers/kernels/float-arrays.ts';
import { batchAndSingles } from '../batch-and-singles.ts';
import { factorsWith, someIds } from '../measured.ts';
import { timesFaster } from './speed.ts';

/** A row of the table: what became of a graph. */
interface Row {
  readonly name: string;
  readonly tier: Tier;
  readonly sites: number;
  /** Largest differences, as shares of 1 + the largest result; undefined where there is nothing to compare with. */
  readonly neutral?: number | undefined;
  readonly batch?: number;
  readonly isCausal?: boolean;
  /** Time of a rewritten pass divided by one of the original. */
  readonly time?: number | undefined;
  readonly reason: string;
}

const TOKENS = 24;
const NO_CONFIG = { layers: undefined, headSize: 16, contextTokens: 64, paddingId: undefined };
/** Neutral controls may differ from the original by so much: in 16 bits the rewrite changes what is fused. */
const NEUTRAL = { float32: 1e-4, float16: 3e-2, int8: 1e-6 } as const;
/** Of 60 graphs, and how many of them must be usable. */
const LEAST = { graphs: 40, usable: 36 } as const;

const RESULTS = ['logits', 'last_hidden_state', 'start_logits'];

async function rowOf(name: string, folder: string): Promise<Row> {
  const file = await fileBytes(`${folder}/${name}/model.onnx`);
  try {
    const plan = planNetwork(file, NO_CONFIG);
    if (plan.keptBecause !== undefined)
      return { name, tier: 'as_exported', sites: 0, reason: plan.keptBecause, ...(await kept(file)) };
    const { ort, threads, threadReason } = await testRuntime();
    const options = {
      runtime: { ort, threads, threadReason },
      files: { model: file, external: [] },
      config: NO_CONFIG,
    };
    const { network } = await openCandidate(options, plan, { kind: 'wasm' });
    try {
      return { name, tier: 'steered', sites: plan.layers, reason: '', ...(await measure(file, plan, network)) };
    } finally {
      await network.release();
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { name, tier: 'refused', sites: 0, reason: error.message };
  }
}

async function kept(file: Uint8Array): Promise<Partial<Row>> {
  await runOriginal(file, [...someIds(TOKENS, 50)], 'start_logits');
  return {};
}

async function measure(file: Uint8Array, plan: NetworkPlan, network: Network): Promise<Partial<Row>> {
  const ids = someIds(TOKENS, Math.min(50, network.shape.vocabulary || 50));
  const observe = (run: Pick<NetworkRun, 'ids'> & Partial<NetworkRun>) => rowsOf(network, plan, run);
  const plain = await observe({ ids });
  const rowLength = plain.length / TOKENS;
  const mode = 'additive' as const;
  const suppressed = await observe({ ids, perturbation: { mode, factors: factorsWith(TOKENS, { 9: 0 }) } });
  const changes = [0, 9, TOKENS].map((row) => row * rowLength);
  const changeOf = (from = 0, to = 0) => differenceOf(suppressed.subarray(from, to), plain.subarray(from, to));
  const before = changeOf(changes[0], changes[1]);
  const behind = changeOf(changes[1], changes[2]);
  const { batch, singles } = await batchAndSingles(observe, ids, [
    { mode, factors: factorsWith(TOKENS, { 5: 0.1 }) },
    { mode, factors: factorsWith(TOKENS, { 9: 0 }) },
    { mode, factors: factorsWith(TOKENS, { 7: 2 }) },
  ]);
  const original = await originalOf(file, ids);
  const isCausal = before <= 1e-3 * behind || (plan.runsAlone && plan.kvCache.length > 0);
  const time = original && (await timesFaster(file, original.name, network, plan));
  return {
    batch: shareOf(batch, joined(singles), plain),
    ...{ isCausal, time },
    neutral:
      original && shareOf(plain.subarray(plain.length - original.values.length), original.values, original.values),
  };
}

/** The original's result, where it runs here and gives rows to compare with. */
async function originalOf(file: Uint8Array, ids: Int32Array) {
  for (const name of RESULTS)
    try {
      const values = await runOriginal(file, [...ids], name);
      return values.length % TOKENS === 0 || name === 'logits' ? { name, values } : undefined;
    } catch {
      continue; // no such output, or ONNX Runtime cannot run the original at all
    }
  return undefined;
}

async function rowsOf(network: Network, plan: NetworkPlan, run: Pick<NetworkRun, 'ids'> & Partial<NetworkRun>) {
  const batch = run.batch ?? 1;
  const tokens = tokensOf({ batch, ...run });
  if (plan.hasHead)
    return (await network.run({ batch, rows: tokens, logits: true, ...run })).logits ?? new Float32Array(0);
  const name = RESULTS.find((each) => network.shape.outputs.includes(each));
  if (name)
    return (await network.run({ batch, outputs: [name], ...run })).outputs?.[name]?.values ?? new Float32Array(0);
  const { pooled = new Float32Array(0) } = await network.run({ batch, pooling: eachPosition(tokens), ...run });
  const block = tokens * network.shape.width;
  const ends = Array.from({ length: batch }, (_, index) => (index + 1) * (network.shape.layers + 1) * block);
  return joined(ends.map((end) => pooled.subarray(end - block, end)));
}

function shareOf(found: Float32Array, expected: Float32Array, whole: Float32Array): number {
  return differenceOf(found, expected) / (1 + magnitudeOf(whole));
}

function lineOf({ name, tier, sites, neutral, isCausal, batch, time, reason }: Row): string {
  const share = (value: number | undefined) => (value === undefined ? '' : value === 0 ? '0' : value.toExponential(0));
  const causal = isCausal === undefined ? '' : isCausal ? 'yes' : 'no';
  const cells = [name, tier, sites || '', share(neutral), causal, share(batch), time?.toFixed(2) ?? '', reason];
  return `| ${cells.join(' | ')} |`;
}

async function namesIn(path: string): Promise<string[]> {
  const list: unknown = JSON.parse(new TextDecoder().decode(await fileBytes(path)));
  if (!Array.isArray(list)) throw new TypeError('expected a list of graphs');
  return list.map(({ name }: { readonly name: string }) => name);
}

const { data, families } = place;
if (data === null) console.log('Skipped, families: no folder ../shared/data (or LIGHTWELL_DATA)');
if (families === null) console.log('Skipped, families: no folder ../shared/families (or LIGHTWELL_FAMILIES)');

// The reason is printed above.
describe.skipIf(data === null || families === null)('graphs of exporters and of families', () => {
  it('are steered or run as exported, with the numbers of their files', async () => {
    const rows: Row[] = [];
    for (const name of await namesIn(`${data}/graphs/fixtures.json`)) rows.push(await rowOf(name, `${data}/graphs`));
    for (const name of await namesIn(`${families}/families.json`)) rows.push(await rowOf(name, families ?? ''));
    const head = '| graph | tier | attentions | neutral − original | causal | batch − single | time | reason |';
    console.log([head, '|---|---|---|---|---|---|---|---|', ...rows.map(lineOf)].join('\n'));
    expect(rows.length).toBeGreaterThanOrEqual(LEAST.graphs);
    expect(rows.filter(({ tier }) => tier !== 'refused').length).toBeGreaterThanOrEqual(LEAST.usable);
    for (const { name, neutral = 0, batch = 0 } of rows) {
      expect(neutral, `${name}: neutral against original`).toBeLessThanOrEqual(NEUTRAL.float16);
      expect(batch, `${name}: batch against singles`).toBeLessThanOrEqual(NEUTRAL.float16);
    }
  });
});
