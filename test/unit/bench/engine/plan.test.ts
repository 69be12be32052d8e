import { describe, expect, it } from 'vitest';
import { EMBEDDED, type PlanInput, planInput, plannedWays } from '../../../../bench/engine/plan.ts';
import { type KvCache, type Network, type NetworkRun, tokensOf } from '../../../../workers/engine/network.ts';
import { recomputingPrefixes } from '../../../../workers/engine/remote/open-remote.ts';
import { createPasses, type PassInput } from '../../../../workers/operations/explain/passes.ts';

/** The command that docs/remote.md shows. */
const LARGE = planInput(
  (
    '--parameters 70e9 --layers 80 --width 8192 --kv-heads 8 --head-size 128 --kv-bytes 2 --is-fed-embeddings 0 ' +
    '--sections 1000 --tokens-per-section 4'
  ).split(' '),
);

/** What an engine is really sent for an explanation: the passes behind the rule for prefixes, in their order. */
async function sent(input: PlanInput, shippedBytes?: number): Promise<readonly NetworkRun[]> {
  const { layers, width, vocabulary, sections, tokensPerSection, targetTokens, kvHeads, headSize, kvBytes } = input;
  const runs: NetworkRun[] = [];
  const network: Network = {
    shape: {
      layers,
      width,
      vocabulary,
      contextTokens: 2 ** 20,
      sharesKvCache: true,
      showsLayers: true,
      takesPositions: true,
      outputs: [],
      takesPadding: false,
      showsAttention: false,
      takesSteering: false,
      paddingId: 0,
    },
    backend: { kind: 'remote', threads: 1, reason: 'a stand-in for tests' },
    inFlight: () => input.inFlight,
    async run(run) {
      runs.push(run);
      const kvCache: KvCache = { batch: run.batch, tokens: tokensOf(run), release: () => undefined };
      const logProbabilities = new Float32Array(run.batch * targetTokens);
      return { logProbabilities, ...(run.keepKvCache && { kvCache }) };
    },
    embeddings: async () => new Float32Array(),
    release: async () => undefined,
  };
  const promptTokens = sections * tokensPerSection;
  const ids = new Int32Array(promptTokens + targetTokens - 1);
  const targets = new Int32Array(targetTokens);
  const base = new Float64Array(ids.length).fill(1);
  const fed: PassInput = {
    ids,
    embeddingOverrides: [],
    mode: 'additive',
    base,
    latestStart: promptTokens - 1,
    rows: targetTokens,
    targets,
    choices: 1,
    factorsOf: ({ factors }) => factors,
    layout: () => undefined,
    inOrder: (logProbabilities) => logProbabilities,
  };
  const suppressions = Array.from({ length: sections }, (_, section) => {
    const start = section * tokensPerSection;
    return { section, start, factors: base.slice().fill(0.1, start, start + tokensPerSection) };
  });
  const passes = createPasses(
    fed,
    recomputingPrefixes(network, {
      bytesPerToken: 2 * layers * kvHeads * headSize * kvBytes,
      ...(shippedBytes !== undefined && { shippedBytes }),
    }),
  );
  const { kvCache } = await passes.original();
  for (const batch of passes.plan(suppressions)) await passes.suppressed(batch, kvCache);
  return runs;
}

const INPUTS: readonly [string, PlanInput][] = [
  ['a model of 70 billion parameters, 1,000 sections', LARGE],
  ['the same with 16 requests under way', { ...LARGE, inFlight: 16 }],
  ['the embedded model, 1,000 sections', EMBEDDED],
  ['the embedded model, 22 sections', { ...EMBEDDED, sections: 22 }],
  ['one section', { ...EMBEDDED, sections: 1, tokensPerSection: 7, targetTokens: 1 }],
];

describe('plannedWays', () => {
  it.each(INPUTS)('plans the requests and positions that are sent for %s', async (_, input) => {
    const [, shipped, recomputed] = plannedWays(input);
    for (const [row, most] of [
      [shipped, Infinity],
      [recomputed, 0],
    ] as const) {
      const runs = await sent(input, most);
      const positions = runs.reduce((sum, run) => sum + run.batch * tokensOf(run), 0);
      expect(row?.requests).toBe(runs.length);
      expect(row?.['positions a section']).toBeCloseTo(positions / input.sections, 9);
      expect(runs.some(({ cached }) => cached)).toBe(most > 0 && input.sections > 1);
    }
  });

  it.each(INPUTS)('marks the way that the rule for prefixes takes for %s', async (_, input) => {
    const [, shipped, recomputed] = plannedWays(input);
    const runs = await sent(input);
    const sends = runs.find(({ ids }, index) => index > 0 && ids.length < (runs[0]?.ids.length ?? 0));
    const isShipped = input.sections === 1 || sends !== undefined;
    expect(shipped?.way.endsWith('(chosen)')).toBe(isShipped);
    expect(recomputed?.way.endsWith('(chosen)')).toBe(!isShipped);
  });

  it('gives a large model bytes that can be checked by hand', () => {
    const [, shipped, recomputed] = plannedWays(LARGE);
    // 80 layers × keys and values × 8 heads × 128 numbers × 2 bytes × 4,007 tokens
    expect(shipped?.['kB of KV cache']).toBeCloseTo((80 * 2 * 8 * 128 * 2 * 4007) / 1000, 6);
    // 31 passes of 32 sections, one of 8, and the unmodified one: ids, mask and positions once each, factors for each section
    const once = 3 * 8 * 4007;
    const each = 4 * 4007 + 4 * 8;
    expect(recomputed?.requests).toBe(33);
    expect(recomputed?.['MB in all']).toBeCloseTo((33 * once + 1001 * each) / 1e6, 6);
    expect(recomputed?.['positions a section']).toBeCloseTo((1001 * 4007) / 1000, 6);
  });
});

describe('planInput', () => {
  it.each([
    [['--layers', '0']],
    [['--layers']],
    [['--levels', '3']],
    [['--is-fed-embeddings', '2']],
    [['--is-fed-embeddings', 'no']],
  ])('refuses %j', (args) => {
    expect(() => planInput(args)).toThrow(/^expected one of parameters, layers, /);
  });

  it('reads whether embeddings are fed', () => {
    expect(planInput(['--is-fed-embeddings', '0']).isFedEmbeddings).toBe(false);
    expect(planInput(['--is-fed-embeddings', '1']).isFedEmbeddings).toBe(true);
  });
});
