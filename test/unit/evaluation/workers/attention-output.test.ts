import { describe, expect, it } from 'vitest';
import { withAttentionOutput } from '../../../../evaluation/workers/attention-output.ts';
import { decodeModel } from '../../../../workers/engine/codec/model-proto.ts';
import { rewriteNetwork } from '../../../../workers/engine/rewrite/plan-network.ts';
import { readNetworkConfig } from '../../../../workers/engine/analysis/network-inputs.ts';
import { randomWeights, SMALL_SIZES } from '../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../support/onnx/decoder.ts';

describe('withAttentionOutput', () => {
  it.each(['input_ids', 'inputs_embeds'] as const)('adds the last softmax to a network of %s', (source) => {
    const original = buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 3), source);
    const { file, output } = withAttentionOutput(original, readNetworkConfig(undefined));
    const [before, after] = [decodeModel(original), decodeModel(file)];
    const softmaxes = after.nodes.filter(({ operator }) => operator === 'Softmax');
    expect(softmaxes).toHaveLength(SMALL_SIZES.layers);
    expect(softmaxes.at(-1)?.outputs).toEqual([output]);
    expect(after.outputs.map(({ name }) => name)).toEqual([...before.outputs.map(({ name }) => name), output]);
    expect(after.nodes).toEqual(before.nodes);
    expect(rewriteNetwork(file, readNetworkConfig(undefined)).outputs).toContain(output);
  });

  it('refuses a file that is no network', () =>
    expect(() => withAttentionOutput(new Uint8Array(4), readNetworkConfig(undefined))).toThrow('not an ONNX file'));
});
