import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../../../workers/engine/network.ts';
import { readerTest } from '../../../workers/engine/checks/reader-test.ts';
import { lastLayer } from '../../../workers/operations/operations.ts';
import { buildEncoder } from '../../support/onnx/encoder.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

const LIMIT = 1e-5;
const table = measured('Readers: as they are, in batches');

describe('a reader that cannot be rewritten', () => {
  const file = buildEncoder({ head: 'answer', norms: 'after' });
  const ids = someIds(11, 50);
  const outputs = ['start_logits', 'end_logits'];
  let network: Network;
  beforeAll(async () => (network = await openHere(file, { num_hidden_layers: 5 }))); // it has 2: the rewrite is refused
  afterAll(() => network.release());

  it('runs as it is, passes its test and takes padding', async () => {
    expect(network.shape).toMatchObject({ layers: 0, vocabulary: 0, sharesKvCache: false, outputs });
    expect(await readerTest(network, 'float32')).toMatchObject({ fault: undefined, takesPadding: true });
    const answer = await network.run({ batch: 1, ids, outputs });
    for (const name of outputs)
      table.within(
        'kept as it is, against its file',
        answer.outputs?.[name]?.values,
        await runOriginal(file, [...ids], name),
        LIMIT,
      );
  });

  it('refuses what only a rewritten network can do, with the reason', async () => {
    const perturbation = { mode: 'additive', factors: factorsWith(11, { 2: 0 }) } as const;
    const pooling = { weights: new Float32Array(11), pools: 1 };
    const failure = { code: 'MISSING_CAPABILITY', message: expect.stringContaining('5 layers, the graph has 2') };
    await expect(network.run({ batch: 1, ids, outputs, perturbation })).rejects.toMatchObject({ failure });
    await expect(network.run({ batch: 1, ids, pooling })).rejects.toMatchObject({ failure });
    await expect(network.embeddings(ids)).rejects.toMatchObject({ failure });
  });
});

describe('an encoder that cannot be rewritten', () => {
  const file = buildEncoder({ head: 'states', norms: 'after' });
  const ids = someIds(11, 50);
  let network: Network;
  beforeAll(async () => (network = await openHere(file, { num_hidden_layers: 5 }))); // it has 2: the rewrite is refused
  afterAll(() => network.release());

  it('gives the last states of its file, alone and in a batch with padding', async () => {
    expect(network.shape).toMatchObject({ layers: 5, outputs: ['last_hidden_state', 'sentence_embedding'] });
    expect(await readerTest(network, 'float32')).toMatchObject({ fault: undefined, takesPadding: true });
    for (const name of ['last_hidden_state', 'sentence_embedding']) {
      const { outputs } = await network.run({ batch: 1, ids, outputs: [name] });
      table.within(
        'kept as it is, against its file',
        outputs?.[name]?.values,
        await runOriginal(file, [...ids], name),
        LIMIT,
      );
    }
  });

  it('pools the last layer as /embed asks for it, and refuses any other with the reason', async () => {
    const states = await runOriginal(file, [...ids], 'last_hidden_state');
    const width = states.length / ids.length;
    const column = (k: number) => [...ids.keys()].map((position) => states[position * width + k] ?? NaN);
    const run = { batch: 1, ids };
    const read = await lastLayer(network, run, { layers: [5], skip: 1 });
    const [mean, last, max, absMax] = (['mean', 'last_token', 'max', 'abs_max'] as const).map((each) => read(5, each));
    const expected = (fold: (values: number[]) => number) =>
      Float32Array.from({ length: width }, (_, k) => fold(column(k).slice(1)));
    const averages = expected((values) => values.reduce((a, b) => a + b) / values.length);
    table.within('pooled here, against the states of its file', mean, averages, LIMIT);
    table.within(
      'pooled here, against the states of its file',
      last,
      expected((values) => values.at(-1) ?? NaN),
      LIMIT,
    );
    table.within(
      'pooled here, against the states of its file',
      max,
      expected((values) => Math.max(...values)),
      LIMIT,
    );
    const largest = expected((values) => Math.max(...values.map(Math.abs)));
    table.within('pooled here, against the states of its file', absMax, largest, LIMIT);
    await expect(lastLayer(network, run, { layers: [2], skip: 0 })).rejects.toMatchObject({
      failure: {
        code: 'MISSING_CAPABILITY',
        message: expect.stringContaining('layers[0]: expected the last layer, -1'),
      },
    });
  });
});
