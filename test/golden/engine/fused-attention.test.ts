import { describe, expect, it } from 'vitest';
import { selfTest } from '../../../workers/engine/checks/self-test.ts';
import { buildFused, type FusedAttention } from '../../support/onnx/fused.ts';
import { openHere, runOriginal } from '../../support/onnx/original.ts';
import { casesHere, place } from '../../support/onnx/place.ts';
import { measured, someIds } from '../measured.ts';

/**
 * One of each operator first. Operators whose WebGPU kernels are known to be wrong, or missing, are compared on WASM
 * only.
 */
const CASES: readonly (FusedAttention & { readonly name: string; readonly wasmOnly?: boolean })[] = [
  { name: 'grouped queries, rotary', operator: 'GroupQueryAttention' },
  { name: 'multi-head with bias and past', operator: 'MultiHeadAttention' },
  { name: "ONNX's own attention", operator: 'OnnxAttention' },
  { name: 'grouped queries, packed', operator: 'GroupQueryAttention', packed: true },
  {
    name: 'grouped queries, window of 3',
    operator: 'GroupQueryAttention',
    attributes: { local_window_size: 3 },
  },
  {
    name: 'grouped queries, interleaved rotary',
    operator: 'GroupQueryAttention',
    attributes: { rotary_interleaved: 1 },
  },
  { name: 'grouped queries, scale 0.2', operator: 'GroupQueryAttention', attributes: { scale: { float: 0.2 } } },
  {
    name: 'grouped queries, soft cap',
    operator: 'GroupQueryAttention',
    attributes: { softcap: { float: 2 } },
    wasmOnly: true,
  },
  {
    name: 'grouped queries, smooth softmax',
    operator: 'GroupQueryAttention',
    attributes: { smooth_softmax: 1 },
    wasmOnly: true,
  },
  { name: 'grouped queries, sink', operator: 'GroupQueryAttention', sink: true, wasmOnly: true },
  { name: 'packed attention', operator: 'PackedAttention', wasmOnly: true },
  { name: 'packed attention, stacked past (GPT-2)', operator: 'PackedAttention', stackedPast: true, wasmOnly: true },
  { name: "ONNX's own attention, grouped heads", operator: 'OnnxAttention', grouped: true, wasmOnly: true },
  {
    name: 'grouped queries, tables behind an If (Phi)',
    operator: 'GroupQueryAttention',
    choosesTables: true,
    wasmOnly: true,
  },
];
const LIMIT = 1e-5;
const TOKENS = 14;

const table = measured('Fused operators taken apart, against themselves');

describe('a fused attention operator', () => {
  it.each(casesHere(CASES, 4))('is replaced by primitives: $name', async ({ name, wasmOnly = false, ...fused }) => {
    const file = buildFused(fused);
    const network = await openHere(file);
    const ids = someIds(TOKENS, 40);
    const { logits } = await network.run({ batch: 1, ids, rows: TOKENS, logits: true });
    if (!wasmOnly || place.backend === 'wasm') table.within(name, logits, await runOriginal(file, [...ids]), LIMIT);
    if (place.backend === 'wasm') expect((await selfTest(network, 'float32')).fault).toBeUndefined(); // minutes on software WebGPU
    await network.release();
  });
});
