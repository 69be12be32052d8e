import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concatenated } from '../../../workers/kernels/float-arrays.ts';
import { decodeModel, encodeSkeleton } from '../../../workers/engine/codec/model-proto.ts';
import type { Network, NetworkRun } from '../../../workers/engine/network.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { tieTable } from '../../support/onnx/changed/tied-table.ts';
import { buildDecoder } from '../../support/onnx/decoder.ts';
import { keptPast } from '../../support/onnx/kept-past.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { casesHere, place } from '../../support/onnx/place.ts';
import { batchAndSingles } from '../batch-and-singles.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

/** Two ways to the same float32 numbers. */
const LIMIT = 1e-5;

const file = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 11));
const table = measured('Rewritten network against the unmodified one, and against itself');

describe.each(casesHere([12, 44], 1))('a rewritten network over %i tokens', (tokens) => {
  const ids = someIds(tokens, SMALL_SIZES.vocabulary);
  const { vocabulary } = SMALL_SIZES;
  let network: Network;
  beforeAll(async () => (network = await openHere(file)));
  afterAll(() => network.release());

  const logitsOf = async (more: Partial<NetworkRun> & Pick<NetworkRun, 'ids'>): Promise<Float32Array> => {
    const batch = more.batch ?? 1;
    const { logits } = await network.run({ batch, rows: more.ids.length / batch, logits: true, ...more });
    return logits ?? new Float32Array(0);
  };
  const additive = (changed: Record<number, number>) =>
    ({ mode: 'additive', factors: factorsWith(tokens, changed) }) as const;

  it('computes what the unmodified file does', async () => {
    const original = await runOriginal(file, [...ids]);
    table.within(`${tokens} tokens: no perturbation`, await logitsOf({ ids }), original, LIMIT);
    table.within(
      `${tokens} tokens: neutral additive factors`,
      await logitsOf({ ids, perturbation: additive({}) }),
      original,
      LIMIT,
    );
    const neutral = { mode: 'multiplicative', factors: factorsWith(tokens, {}) } as const;
    table.within(
      `${tokens} tokens: neutral multiplicative factors`,
      await logitsOf({ ids, perturbation: neutral }),
      original,
      LIMIT,
    );
  });

  it('leaves rows before the perturbed column as they are', async () => {
    const plain = await logitsOf({ ids });
    const changed = await logitsOf({ ids, perturbation: additive({ 7: 0.1 }) });
    table.within(
      `${tokens} tokens: rows before the column`,
      changed.subarray(0, 7 * vocabulary),
      plain.subarray(0, 7 * vocabulary),
      LIMIT,
    );
    expect(changed.subarray(7 * vocabulary)).not.toEqual(plain.subarray(7 * vocabulary));
  });

  it('computes batches as single runs', async () => {
    const { batch, singles } = await batchAndSingles(logitsOf, ids, [{ 3: 0.1 }, { 5: 0 }, {}].map(additive));
    table.within(`${tokens} tokens: batch of three`, batch, concatenated(singles), LIMIT);
  });

  it('shares one retained past, longer than needed, among a batch', async () => {
    const kvCache = await keptPast(network, { ids });
    expect(kvCache.tokens).toBe(tokens);
    for (const shared of [5, tokens - 3]) {
      const each = [{ [shared]: 0.1 }, { [shared + 1]: 0, [shared + 2]: 2 }].map(additive);
      const whole = [];
      for (const perturbation of each)
        whole.push((await logitsOf({ ids, perturbation })).subarray(shared * vocabulary));
      const rest = ids.slice(shared);
      const found = await logitsOf({
        batch: 2,
        ids: Int32Array.from([...rest, ...rest]),
        cached: { kvCache, tokens: shared },
        perturbation: { mode: 'additive', factors: concatenated(each.map(({ factors }) => factors)) },
      });
      table.within(`${tokens} tokens: shared past`, found, concatenated(whole), LIMIT);
    }
    kvCache.release();
  });

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'lets a batch with %s factors keepKvCache pasts of its own, from one row of ids',
    async (mode) => {
      const kvCache = await keptPast(network, { ids });
      const rows = [{ 4: 0.1 }, { 5: 0 }, { 6: 2 }].map((changed) => factorsWith(tokens, changed));
      const to = (end: number) => ({ mode, factors: concatenated(rows.map((row) => row.subarray(0, end))) });
      const [start, ahead] = [4, tokens - 3];
      const shared = { batch: 3, sameIds: true };
      const between = { ...shared, ids: ids.slice(start, ahead), cached: { kvCache, tokens: start } };
      const own = await keptPast(network, { ...between, perturbation: to(ahead) });
      expect(own).toMatchObject({ batch: 3, tokens: ahead });
      const cached = { kvCache: own, tokens: ahead };
      const rest = { ...shared, ids: ids.slice(ahead), cached, perturbation: to(tokens), rows: 3, logits: true };
      const { logits } = await network.run(rest);
      const whole = [];
      for (const factors of rows)
        whole.push((await logitsOf({ ids, perturbation: { mode, factors } })).subarray(ahead * vocabulary));
      table.within(`${tokens} tokens: ${mode}, pasts of a batch`, logits, concatenated(whole), LIMIT);
      kvCache.release();
      own.release();
    },
  );

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'predicts at the last positions alone, a batch with %s factors behind one past',
    async (mode) => {
      const kvCache = await keptPast(network, { ids });
      const rows = [{ 4: 0.1 }, { 7: 0 }, { [tokens - 1]: 2 }].map((changed) => factorsWith(tokens, changed));
      const perturbation = { mode, factors: concatenated(rows) };
      const behind = { batch: 3, sameIds: true, ids: ids.slice(4), cached: { kvCache, tokens: 4 }, perturbation };
      const { logits } = await network.run({ ...behind, rows: 3, logits: true });
      const whole = [];
      for (const factors of rows)
        whole.push((await logitsOf({ ids, perturbation: { mode, factors } })).subarray((tokens - 3) * vocabulary));
      table.within(`${tokens} tokens: ${mode}, last rows of a batch`, logits, concatenated(whole), LIMIT);
      kvCache.release();
    },
  );

  it.each<'additive' | 'multiplicative'>(['additive', 'multiplicative'])(
    'tells two continuations of one prompt apart, with %s factors',
    async (mode) => {
      const end = tokens - 5; // the prompt; three tokens of one text, and two of the other behind it
      const [one, other] = [ids.subarray(end, end + 3), ids.subarray(end + 3)];
      const prompt = ids.subarray(0, end);
      const changes = [{ 4: 0.1 }, { 5: 0, [end - 1]: 2 }];
      const factors = (length: number) => changes.map((changed) => factorsWith(length, changed));
      const alone = async (text: Int32Array) => {
        const own = Int32Array.from([...prompt, ...text]);
        const perturbation = { mode, factors: concatenated(factors(own.length)) };
        const rows = text.length + 1;
        return (await network.run({ batch: 2, sameIds: true, ids: own, perturbation, rows, logits: true })).logits;
      };
      const kvCache = await keptPast(network, { ids });
      const hidden = new Uint8Array((tokens - 4) * tokens);
      for (const row of [tokens - 2, tokens - 1])
        hidden.fill(1, (row - 4) * tokens + end, (row - 4) * tokens + end + 3);
      const positions = Int32Array.from(ids, (_, at) => (at < end + 3 ? at : at - 3)).subarray(4);
      const perturbation = { mode, factors: concatenated(factors(tokens)), layout: { positions, hidden } };
      const behind = { batch: 2, sameIds: true, ids: ids.slice(4), cached: { kvCache, tokens: 4 }, perturbation };
      const { logits: both } = await network.run({ ...behind, rows: 6, logits: true });
      const [first, second] = [await alone(one), await alone(other)];
      for (let sequence = 0; sequence < 2; sequence++) {
        const rowsIn = (from: Float32Array | undefined, rows: number, at: number, count: number) =>
          from?.subarray((sequence * rows + at) * vocabulary, (sequence * rows + at + count) * vocabulary);
        const check = `${tokens} tokens: ${mode}, two continuations`;
        table.within(check, rowsIn(both, 6, 0, 4), rowsIn(first, 4, 0, 4) ?? [], LIMIT);
        table.within(check, rowsIn(both, 6, 4, 2), rowsIn(second, 3, 1, 2) ?? [], LIMIT);
      }
      kvCache.release();
    },
  );

  it('computes chosen rows behind the keys and values of all positions', async () => {
    const kvCache = await keptPast(network, { ids });
    const first = 5; // all rows behind the change: then the result is exact
    const rows = Array.from({ length: tokens - first }, (_, i) => first + i);
    const width = tokens + rows.length;
    const hidden = new Uint8Array(rows.length * width);
    rows.forEach((position, row) => {
      hidden.fill(1, row * width + position + 1, row * width + tokens);
      for (const replaced of rows) hidden[row * width + replaced] = 1;
    });
    const layout = { positions: Int32Array.from(rows), hidden };
    for (const mode of ['additive', 'multiplicative'] as const) {
      const own = factorsWith(tokens, { 5: 0.1, 7: 0 });
      const perturbation = { mode, factors: Float32Array.from([...own, ...own.subarray(first)]), layout };
      const cached = { kvCache, tokens };
      const asked = { batch: 1, ids: ids.slice(first), cached, perturbation, rows: 3, logits: true };
      const { logits } = await network.run(asked);
      const whole = (await logitsOf({ ids, perturbation: { mode, factors: own } })).subarray((tokens - 3) * vocabulary);
      table.within(`${tokens} tokens: ${mode}, rows computed again`, logits, whole, LIMIT);
    }
    kvCache.release();
  });

  it('rates several choices at a row', async () => {
    const targets = Int32Array.of(3, 5, 8, 13);
    const { logProbabilities: both } = await network.run({ batch: 1, ids, rows: 2, targets });
    const rated = async (...own: number[]) =>
      (await network.run({ batch: 1, ids, rows: 2, targets: Int32Array.from(own) })).logProbabilities ?? [];
    const [first, second] = [await rated(3, 8), await rated(5, 13)];
    const expected = [first[0] ?? 0, second[0] ?? 0, first[1] ?? 0, second[1] ?? 0];
    table.within(`${tokens} tokens: two choices at a row`, both, expected, LIMIT);
  });

  it('goes on from a retained past', async () => {
    const begin = await keptPast(network, { ids: ids.slice(0, 6) });
    const next = await keptPast(network, { ids: ids.slice(6, 9), cached: { kvCache: begin, tokens: 6 } });
    expect(next.tokens).toBe(9);
    const found = await logitsOf({ ids: ids.slice(9), cached: { kvCache: next, tokens: 9 } });
    table.within(`${tokens} tokens: in three pieces`, found, (await logitsOf({ ids })).subarray(9 * vocabulary), LIMIT);
    for (const kvCache of [begin, next]) kvCache.release();
  });

  it('refuses a released past', async () => {
    const kvCache = await keptPast(network, { ids });
    kvCache.release();
    await expect(logitsOf({ ids: ids.slice(4), cached: { kvCache, tokens: 4 } })).rejects.toThrow(RangeError);
  });
});

// WebAssembly shows it: where weights lie does not change what is computed.
describe.skipIf(place.samples)('a network whose weights lie in a file of their own', () => {
  it('computes the same', async () => {
    const ids = someIds(9, SMALL_SIZES.vocabulary);
    const outline = encodeSkeleton(decodeModel(file), 'model.onnx_data');
    const network = await openHere(outline, {}, [{ path: 'model.onnx_data', data: file }]);
    const { logits } = await network.run({ batch: 1, ids, rows: 9, logits: true });
    table.within('weights in a data file', logits, await runOriginal(file, [...ids]), LIMIT);
    await network.release();
  });
});

describe('a network with as many tokens as those of Gemma', () => {
  it('rates them as its logits do', async () => {
    const sizes = { ...SMALL_SIZES, layers: 1, vocabulary: 2 ** 18 };
    const network = await openHere(buildDecoder(sizes, randomWeights(sizes, 5)));
    const ids = someIds(5, sizes.vocabulary);
    const targets = ids.subarray(0, 2);
    const asked = { batch: 1, ids, rows: 2, logits: true, targets };
    const { logits = new Float32Array(0), logProbabilities } = await network.run(asked);
    const expected = Array.from(targets, (target, row) => {
      const own = logits.subarray(row * sizes.vocabulary, (row + 1) * sizes.vocabulary);
      return (own[target] ?? NaN) - Math.log(own.reduce((sum, each) => sum + Math.exp(each), 0));
    });
    table.within('log-probabilities of a large vocabulary', logProbabilities, expected, LIMIT);
    await network.release();
  });
});

// A GPU's graph keeps the table as the file has it.
describe.skipIf(place.backend !== 'wasm')('a network that predicts with its table of word embeddings', () => {
  it('computes the last rows of a batch behind a past as the file does', async () => {
    const model = decodeModel(file);
    tieTable(model);
    const tied = encodeSkeleton(model, 'model.onnx_data');
    const external = [{ path: 'model.onnx_data', data: file }];
    const network = await openHere(tied, {}, external);
    const ids = someIds(9, SMALL_SIZES.vocabulary);
    const original = await runOriginal(tied, [...ids], 'logits', { external });
    const kvCache = await keptPast(network, { ids });
    const behind = { batch: 2, sameIds: true, ids: ids.slice(4), cached: { kvCache, tokens: 4 } };
    const { logits } = await network.run({ ...behind, rows: 3, logits: true });
    const last = original.subarray(6 * SMALL_SIZES.vocabulary);
    table.within('tied embeddings', logits, concatenated([last, last]), LIMIT);
    kvCache.release();
    await network.release();
  });
});

// WebAssembly shows it: the graph is another, its operators are not.
describe.skipIf(place.samples)('a network of one layer', () => {
  it('computes a batch from one row of ids as single runs', async () => {
    const sizes = { ...SMALL_SIZES, layers: 1 };
    const network = await openHere(buildDecoder(sizes, randomWeights(sizes, 5)));
    const ids = someIds(9, sizes.vocabulary);
    const rows = [{ 2: 0.1 }, { 5: 0 }].map((changed) => factorsWith(9, changed));
    const asked = { ids, rows: 3, logits: true };
    const perturbed = (factors: Float32Array) => ({ mode: 'additive' as const, factors });
    const batch = await network.run({ ...asked, batch: 2, sameIds: true, perturbation: perturbed(concatenated(rows)) });
    const singles: Float32Array[] = [];
    for (const factors of rows) {
      const { logits } = await network.run({ ...asked, batch: 1, perturbation: perturbed(factors) });
      singles.push(logits ?? new Float32Array(0));
    }
    table.within('one layer, batch of two', batch.logits, concatenated(singles), LIMIT);
    await network.release();
  });
});
