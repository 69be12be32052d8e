import { describe, expect, it } from 'vitest';
import { planNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-config.ts';
import { buildEncoder } from '../../../../support/onnx/encoder.ts';

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

  it.each(['states', 'sentence'] as const)('refuses any other network that cannot be rewritten (%s)', (head) => {
    expect(() => planNetwork(buildEncoder({ head, norms: 'after' }), REFUSED)).toThrow(/5 layers, the graph has 2/);
  });
});
