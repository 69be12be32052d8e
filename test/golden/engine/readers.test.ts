import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../../../workers/engine/network.ts';
import { readerTest } from '../../../workers/engine/checks/reader-test.ts';
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
    const pooling = { weights: new Float32Array(11), pools: 1, perSequence: false };
    const failure = { code: 'MISSING_CAPABILITY', message: expect.stringContaining('5 layers, the graph has 2') };
    await expect(network.run({ batch: 1, ids, outputs, perturbation })).rejects.toMatchObject({ failure });
    await expect(network.run({ batch: 1, ids, pooling })).rejects.toMatchObject({ failure });
    await expect(network.embeddings(ids)).rejects.toMatchObject({ failure });
  });
});
