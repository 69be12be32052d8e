import { describe, expect, it } from 'vitest';
import { planNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import { buildEncoder } from '../../../../support/onnx/encoder.ts';
import { statefulDecoder } from '../../../../support/onnx/encoders/stateful-decoder.ts';

const FITS = readNetworkConfig(undefined);
/** The graphs have 2 layers: with this their rewrite is refused. */
const REFUSED = readNetworkConfig({ num_hidden_layers: 5 });

describe('planNetwork', () => {
  it('rewrites a reader where it can', () => {
    const plan = planNetwork(buildEncoder({ head: 'answer', norms: 'after' }), FITS);
    expect(plan.keptBecause).toBeUndefined();
    expect(plan.layers).toBe(2);
  });

  it('leaves a reader as it is where it cannot, and says why', () => {
    const plan = planNetwork(buildEncoder({ head: 'answer', norms: 'after' }), REFUSED);
    expect(plan.keptBecause).toMatch(/5 layers, the graph has 2/);
    expect(plan).toMatchObject({ layers: 0, outputs: ['start_logits', 'end_logits'], hasHead: false, kvCache: [] });
    expect(plan.inputs.map(({ role }) => role).toSorted()).toEqual(['ids', 'mask', 'segments']);
  });

  it.each([
    ['states', ['last_hidden_state', 'sentence_embedding']],
    ['sentence', ['sentence_embedding']],
  ] as const)('leaves an encoder as it is where it cannot, with its last states alone (%s)', (head, outputs) => {
    const plan = planNetwork(buildEncoder({ head, norms: 'after' }), REFUSED);
    expect(plan.keptBecause).toMatch(/5 layers, the graph has 2/);
    expect(plan).toMatchObject({ layers: 5, outputs, hasHead: false, kvCache: [], runsAlone: false });
  });

  it('refuses a decoder that cannot be rewritten', () => {
    expect(() => planNetwork(statefulDecoder('past_conv.0'), FITS)).toThrow(/convolution or recurrent state/);
  });
});
