import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { openHere } from '../../support/onnx/original.ts';
import { factorsWith, measured, someIds } from '../measured.ts';
import { logitsOf, logProbability, referencePass, type ReferencePerturbation } from '../reference-decoder.ts';
import { type Network, type NetworkRun, eachPosition } from '../../../workers/engine/network.ts';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';

/** float32 against float64 over four layers. */
const LIMIT = 1e-4;
const TOKENS = 12;

const weights = randomWeights(SMALL_SIZES, 7);
const ids = someIds(TOKENS, SMALL_SIZES.vocabulary);
const rows = TOKENS;
const targets = Int32Array.from(ids, (id) => (id + 5) % SMALL_SIZES.vocabulary);
const table = measured('Engine against the float64 reference');

const pass = (perturbation?: ReferencePerturbation) => referencePass(SMALL_SIZES, weights, ids, perturbation);
const flat = (blocks: readonly Float64Array[]) => blocks.flatMap((block) => [...block]);

const CASES: readonly {
  readonly name: string;
  readonly mode: 'additive' | 'multiplicative';
  readonly changed: Record<number, number>;
}[] = [
  { name: 'additive, factor 0.1', mode: 'additive', changed: { 4: 0.1 } },
  { name: 'additive, factor 0', mode: 'additive', changed: { 4: 0 } },
  { name: 'additive, factor 0 on the first column', mode: 'additive', changed: { 0: 0 } },
  { name: 'additive, factor 0 on all of the beginning', mode: 'additive', changed: { 0: 0, 1: 0, 2: 0 } },
  { name: 'additive, factor 2', mode: 'additive', changed: { 4: 2 } },
  { name: 'additive, several columns', mode: 'additive', changed: { 1: 0.1, 2: 0.5, 7: 2, 10: 0 } },
  { name: 'multiplicative, factor 0.1', mode: 'multiplicative', changed: { 4: 0.1 } },
  { name: 'multiplicative, factor 0', mode: 'multiplicative', changed: { 4: 0 } },
  { name: 'multiplicative, factor 2', mode: 'multiplicative', changed: { 4: 2 } },
  { name: 'additive, factors of all sizes', mode: 'additive', changed: { 0: 1e-50, 1: 1e-60, 2: 1e-300, 7: 1000 } },
  { name: 'additive, factor 1000', mode: 'additive', changed: { 4: 1000 } },
  { name: 'multiplicative, factor 1e-300', mode: 'multiplicative', changed: { 4: 1e-300 } },
  { name: 'multiplicative, factor 1000', mode: 'multiplicative', changed: { 4: 1000 } },
  { name: 'multiplicative, factors of all sizes', mode: 'multiplicative', changed: { 0: 1e-50, 2: 100, 7: 1000 } },
  { name: 'multiplicative, several columns', mode: 'multiplicative', changed: { 0: 0.1, 3: 2, 8: 0.5, 11: 0.1 } },
];

describe('perturbed attention', () => {
  let network: Network;
  beforeAll(async () => (network = await openHere(buildDecoder(SMALL_SIZES, weights))));
  afterAll(() => network.release());

  const ask = (more: Partial<NetworkRun>) => network.run({ batch: 1, ids, rows, targets, logits: true, ...more });

  it('computes the unperturbed network', async () => {
    const { logits, logProbabilities } = await ask({});
    table.within('unperturbed logits', logits, flat(pass().logits), LIMIT);
    const expected = pass().logits.map((row, index) => logProbability(row, targets[index] ?? 0));
    table.within('unperturbed log-probabilities', logProbabilities, expected, LIMIT);
  });

  it.each(CASES)('computes $name', async ({ name, mode, changed }) => {
    const factors = Float64Array.from({ length: TOKENS }, (_, index) => changed[index] ?? 1);
    const { logits, logProbabilities } = await ask({ perturbation: { mode, factors } });
    const expected = pass({ mode, factors });
    table.within(`${name}: logits`, logits, flat(expected.logits), LIMIT);
    const natural = expected.logits.map((row, index) => logProbability(row, targets[index] ?? 0));
    table.within(`${name}: log-probabilities`, logProbabilities, natural, LIMIT);
    const unperturbed = flat(pass().logits);
    const effect = Math.max(
      ...flat(expected.logits).map((logit, index) => Math.abs(logit - (unperturbed[index] ?? 0))),
    );
    expect(effect, 'a case that changes nothing would prove nothing').toBeGreaterThan(0.1);
  });

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'computes a batch of different %s factors',
    async (mode) => {
      const each = [{ 4: 0.1 }, { 0: 0 }, { 2: 2, 5: 0.3 }].map((changed) => factorsWith(TOKENS, changed));
      const batchIds = Int32Array.from([...ids, ...ids, ...ids]);
      const { logits } = await ask({ batch: 3, ids: batchIds, perturbation: { mode, factors: concatenated(each) } });
      const expected = each.flatMap((factors) => flat(pass({ mode, factors }).logits));
      table.within(`${mode} batch of three: logits`, logits, expected, LIMIT);
    },
  );

  it('turns the states of every layer into logits', async () => {
    expect(network.shape.showsLayers).toBe(true);
    const { pooled = new Float32Array() } = await ask({ pooling: eachPosition(TOKENS) });
    const { hidden, logits: own } = pass();
    const block = TOKENS * SMALL_SIZES.width;
    for (const [layer, states] of hidden.entries()) {
      const given = pooled.slice(layer * block, (layer + 1) * block);
      const { logits } = await ask({ ids: new Int32Array(TOKENS), states: given });
      table.within('logits of given states', logits, flat(logitsOf(SMALL_SIZES, weights, states)), LIMIT);
      if (layer === hidden.length - 1) table.within('those of the last layer', logits, flat(own), LIMIT);
    }
  });

  it('pools the states of every layer', async () => {
    const mean = new Float32Array(TOKENS).fill(1 / TOKENS);
    const last = Float32Array.from({ length: TOKENS }, (_, index) => Number(index === TOKENS - 1));
    const pooling = { weights: concatenated([mean, last]), pools: 2 };
    const perturbation = { mode: 'additive', factors: factorsWith(TOKENS, { 3: 0.1 }) } as const;
    const { pooled, maximum, absoluteMaximum } = await ask({ pooling, maxima: { skip: 1 }, perturbation });
    const { hidden } = pass(perturbation);
    const columns = hidden.map((layer) =>
      Array.from({ length: SMALL_SIZES.width }, (_, at) => layer.map((row) => row[at] ?? 0)),
    );
    const means = columns.map((layer) => layer.map((column) => column.reduce((all, value) => all + value, 0) / TOKENS));
    const lasts = columns.map((layer) => layer.map((column) => column.at(-1) ?? 0));
    table.within(
      'pooled mean and last of every layer',
      pooled,
      means.flatMap((each, layer) => [...each, ...(lasts[layer] ?? [])]),
      LIMIT,
    );
    const maxima = columns.flatMap((layer) => layer.map((column) => Math.max(...column.slice(1))));
    table.within('maximum of every layer, first position left out', maximum, maxima, LIMIT);
    const absolute = columns.flatMap((layer) => layer.map((column) => Math.max(...column.slice(1).map(Math.abs))));
    table.within('absolute maximum, first position left out', absoluteMaximum, absolute, LIMIT);
  });

  it('pools every sequence of a batch by weights of its own', async () => {
    const other = Int32Array.from(ids).reverse();
    const weightsOf = (position: number) =>
      Float32Array.from({ length: TOKENS }, (_, index) => Number(index === position));
    const pooling = { weights: concatenated([weightsOf(2), weightsOf(9)]), pools: 1 };
    const { pooled } = await ask({ batch: 2, ids: Int32Array.from([...ids, ...other]), pooling });
    const expected = [
      pass().hidden.map((layer) => layer[2]),
      referencePass(SMALL_SIZES, weights, other).hidden.map((layer) => layer[9]),
    ];
    table.within(
      'pooling by sequence',
      pooled,
      expected.flat().flatMap((row) => [...(row ?? [])]),
      LIMIT,
    );
  });

  it('reads word embeddings', async () => {
    const { width } = SMALL_SIZES;
    const expected = [...ids].flatMap((id) => [...weights.embedding.subarray(id * width, (id + 1) * width)]);
    table.within('word embeddings', await network.embeddings(ids), expected, 0);
    const { pooled } = await ask({ pooling: eachPosition(TOKENS) });
    table.within('layer 0', pooled?.subarray(0, TOKENS * width), expected, LIMIT);
  });

  it('gives logits of the last rows alone', async () => {
    const { logits } = await ask({ rows: 2, targets: Int32Array.of(1, 2) });
    table.within('logits of the last rows', logits, flat(pass().logits.slice(-2)), LIMIT);
  });
});
