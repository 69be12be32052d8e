import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import { measureCosts } from '../../../../../workers/engine/checks/measure-costs.ts';
import { type Network, type NetworkRun, tokensOf } from '../../../../../workers/engine/network.ts';
import { createFakeModel } from '../../../../support/fakes/fake-model.ts';

/** A network on a device whose passes cost this; the first pass of each size also compiles something. */
function device({ passMs = 0, positionMs = 0, most = Infinity, contextTokens = 1024 }) {
  const { network } = createFakeModel({ contextTokens });
  const sizes: number[] = [];
  let clock = 0;
  const run = async (asked: NetworkRun) => {
    const size = asked.batch * tokensOf(asked);
    if (size > most) throw new FailureError('OUT_OF_MEMORY', 'too large');
    clock += passMs + size * positionMs + (sizes.includes(size) ? 0 : 1000);
    sizes.push(size);
    const { perturbation: _, ...plain } = asked;
    return network.run({ ...plain, batch: 1 });
  };
  const slow: Network = { ...network, run };
  return { measure: () => measureCosts(slow, 2 ** 30, () => clock), sizes };
}

describe('measureCosts', () => {
  it('finds the costs of a card, whose small passes all take the same time', async () => {
    const { measure, sizes } = device({ passMs: 10, positionMs: 0.0015 });
    const costs = await measure();
    expect(costs.passMs).toBeCloseTo(10, 6);
    expect(costs.positionMs).toBeCloseTo(0.0015, 9);
    expect(costs.memoryBytes).toBe(2 ** 30);
    expect(Math.max(...sizes)).toBe(64 * 40);
  });

  it('finds those of a processor from small passes', async () => {
    const { measure, sizes } = device({ passMs: 2, positionMs: 0.3 });
    const costs = await measure();
    expect(costs.passMs).toBeCloseTo(2, 6);
    expect(costs.positionMs).toBeCloseTo(0.3, 6);
    expect(sizes).toEqual([4, 4, 40, 40]);
  });

  it('gives costs above 0 where the clock shows no difference', async () => {
    const costs = await device({ passMs: 0, positionMs: 0 }).measure();
    expect(costs.passMs).toBeGreaterThan(0);
    expect(costs.positionMs).toBeGreaterThan(0);
  });

  it('takes what memory and context allow', async () => {
    const short = await device({ passMs: 10, positionMs: 0.0015, most: 500 }).measure();
    expect(short.passMs).toBeCloseTo(10, 2);
    const { measure, sizes } = device({ passMs: 10, positionMs: 0.0015, contextTokens: 3 });
    expect((await measure()).positionMs).toBeGreaterThan(0);
    expect(sizes[0]).toBe(3);
  });
});
