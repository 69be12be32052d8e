import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../../../workers/engine/network.ts';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';
import { inChunks } from '../../../workers/operations/explain/passes.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { keptPast } from '../../support/onnx/kept-past.ts';
import { openHere } from '../../support/onnx/original.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

/** Two ways to the same float32 numbers. */
const LIMIT = 1e-5;

const table = measured('What estimates of explanations rest on');

describe('a rewritten network of which some rows are computed again', () => {
  const tokens = 20;
  const ids = someIds(tokens, SMALL_SIZES.vocabulary);
  let network: Network;
  beforeAll(async () => (network = await openHere(buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 11)))));
  afterAll(() => network.release());

  it('shows what each position attends to, and less of what is suppressed', async () => {
    const targets = Int32Array.of(3, 5);
    const factors = factorsWith(tokens, { 2: 0.01 });
    const asked = { batch: 1, ids, rows: 2, targets, attention: true };
    const { attention } = await network.run(asked);
    const { attention: dimmed } = await network.run({ ...asked, perturbation: { mode: 'additive', factors } });
    const layers = network.shape.layers - 1;
    expect(attention?.earlier).toHaveLength(layers * tokens ** 2);
    expect(attention?.last).toHaveLength(2 * tokens);
    for (let row = 3; row < tokens; row++) {
      const weights = attention?.earlier.subarray(row * tokens, (row + 1) * tokens) ?? new Float32Array(0);
      expect(weights.slice(row + 1).every((weight) => weight < 1e-6)).toBe(true); // what comes later
      expect(weights.slice(0, row + 1).reduce((sum, weight) => sum + weight, 0)).toBeGreaterThan(0.999); // greatest of heads
      expect(dimmed?.earlier[row * tokens + 2]).toBeLessThan(weights[2] ?? 0);
    }
  });

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'computes a batch in chunks, each behind keys and values of those before it, with %s factors',
    async (mode) => {
      const kvCache = await keptPast(network, { ids });
      const first = 4;
      const factors = concatenated([factorsWith(tokens, { 5: 0.1 }), factorsWith(tokens, { 6: 0, 12: 2 })]);
      const run = {
        batch: 2,
        ids: ids.subarray(first),
        sameIds: true as const,
        cached: { kvCache, tokens: first },
        perturbation: { mode, factors },
        rows: 3,
        targets: Int32Array.of(3, 5, 7),
      };
      const { logProbabilities: whole } = await network.run(run);
      const { logProbabilities } = await inChunks(network, run, 0); // as many positions as predict
      table.within(`${mode}, chunks of 3 of ${tokens - first} positions`, logProbabilities, whole ?? [], LIMIT);
      kvCache.release();
    },
  );

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'tells two suppressions in one sequence apart, with %s factors of their own',
    async (mode) => {
      const kvCache = await keptPast(network, { ids });
      const first = 5; // all rows behind the changes: then the results are exact
      const rows = Array.from({ length: tokens - first }, (_, i) => first + i);
      const changes = [factorsWith(tokens, { 5: 0.1 }), factorsWith(tokens, { 6: 0, 9: 2 })];
      const fed = [rows.slice(0, -1), rows.slice(0, -1), rows.slice(-1), rows.slice(-1)];
      const placed = fed.flatMap((part, at) => part.map((position) => ({ position, of: at % 2 })));
      const width = tokens + placed.length;
      const hidden = new Uint8Array(placed.length * width);
      const factors = new Float32Array(placed.length * width).fill(1);
      placed.forEach(({ position, of }, row) => {
        factors.set(changes[of] ?? [], row * width);
        hidden.fill(1, row * width + first, row * width + width);
        placed.slice(0, row + 1).forEach((other, at) => {
          if (other.of !== of) return;
          hidden[row * width + tokens + at] = 0;
          factors[row * width + tokens + at] = changes[of]?.[other.position] ?? 1;
        });
        expect(position).toBeGreaterThanOrEqual(first);
      });
      const { logits } = await network.run({
        batch: 1,
        ids: Int32Array.from(placed, ({ position }) => ids[position] ?? 0),
        cached: { kvCache, tokens },
        perturbation: {
          mode,
          factors,
          layout: { positions: Int32Array.from(placed, ({ position }) => position), hidden },
        },
        rows: 2,
        logits: true,
      });
      const { vocabulary } = SMALL_SIZES;
      for (const [of, own] of changes.entries()) {
        const { logits: whole } = await network.run({
          batch: 1,
          ids,
          perturbation: { mode, factors: own },
          logits: true,
        });
        const found = logits?.subarray(of * vocabulary, (of + 1) * vocabulary);
        table.within(`${mode}, suppression ${of}`, found, whole ?? [], LIMIT);
      }
      kvCache.release();
    },
  );
});
