import { describe, expect, it } from 'vitest';
import { selfTest } from '../../../workers/engine/checks/self-test.ts';
import { randomWeights, SMALL_SIZES } from '../../support/onnx/decoder-weights.ts';
import { buildEmbedTokens } from '../../support/onnx/decoder.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { withTableWrittenOut } from '../../support/onnx/changed/packed-table.ts';
import { fileBytes, place } from '../../support/onnx/place.ts';
import { NARROW_FILE, widened } from '../../support/onnx/changed/widened.ts';
import { torchReference } from '../../support/files/torch-reference.ts';
import { factorsWith, measured, someIds } from '../measured.ts';

const TOKENS = 24;
const LIMIT = 1e-5;
const table = measured('Files of others that need something beside them');
const bytesOf = (name: string) => fileBytes(`${place.data}/graphs/${name}/model.onnx`);

if (place.data === null) console.log('Skipped, files of others: no folder ../shared/data (or LIGHTWELL_DATA)');

// The reason is printed above.
describe.skipIf(place.data === null)('gb-llama-web-int4 in 32-bit arithmetic', () => {
  it('computes what its file does', async () => {
    const narrow = await bytesOf('gb-llama-web-int4');
    const wide = widened(narrow);
    const network = await openHere(wide, {}, [{ path: NARROW_FILE, data: narrow }]);
    const ids = someIds(TOKENS, 50);
    const factors = factorsWith(TOKENS, {});
    const { logits } = await network.run({
      batch: 1,
      ids,
      rows: TOKENS,
      logits: true,
      perturbation: { mode: 'additive', factors },
    });
    const { model, external } = withTableWrittenOut(wide, { path: NARROW_FILE, data: narrow });
    const original = await runOriginal(model, [...ids], 'logits', { external });
    table.within('gb-llama-web-int4 in 32 bits: neutral against original', logits, original, LIMIT);
    await network.release();
  });
});

// The reason is printed above.
describe.skipIf(place.data === null)('a network that is fed embeddings', () => {
  it('computes the logits of PyTorch and of its own file', async () => {
    const file = await bytesOf('gb-llama-cpu-noemb');
    const { logits: expected, hs } = await torchReference('llama');
    const rows = Float32Array.from(hs[0] ?? []);
    const sizes = { ...SMALL_SIZES, width: 64, vocabulary: 160 };
    const network = await openHere(file, {}, [], buildEmbedTokens(sizes, randomWeights(sizes, 3)));
    const ids = new Int32Array(rows.length / sizes.width);
    const run = { batch: 1, ids, embeddingOverrides: [{ position: 0, rows }], rows: ids.length, logits: true };
    const { logits } = await network.run(run);
    table.within('gb-llama-cpu-noemb: logits against PyTorch', logits, expected, 1e-4);
    const original = await runOriginal(file, [...ids], 'logits', { embeddings: rows });
    table.within('gb-llama-cpu-noemb: neutral against original', logits, original, LIMIT);
    // Most of what this test takes on software WebGPU, where the networks beside it pass theirs.
    if (place.backend === 'wasm') expect((await selfTest(network, 'float32')).fault).toBeUndefined();
    await network.release();
  });
});
