import { describe, expect, it } from 'vitest';
import type { Network, NetworkAnswer, NetworkRun } from '../../../../../workers/engine/network.ts';
import { readerTest } from '../../../../../workers/engine/checks/reader-test.ts';
import { createFakeReader } from '../../../../support/fakes/fake-reader.ts';

/** A reader whose numbers are tampered with, as by a faulty backend. */
function faulty(spoil: (start: Float32Array, run: NetworkRun) => void): Network {
  const { network } = createFakeReader();
  const run = async (asked: NetworkRun): Promise<NetworkAnswer> => {
    const answer = await network.run(asked);
    const start = answer.outputs?.['start_logits']?.values;
    if (start) spoil(start, asked);
    return answer;
  };
  return { ...network, run };
}

describe('readerTest', () => {
  it('passes a network that computes the same in a batch', async () => {
    let clock = 0;
    const test = await readerTest(createFakeReader().network, 'float32', () => (clock += 10));
    expect(test).toMatchObject({ fault: undefined, isCausal: false, takesPadding: true, longRunMs: 10 });
    expect(test.longRun.length).toBeGreaterThan(40);
  });

  it('finds a batch that computes something else', async () => {
    const network = faulty((start, { batch }) => void (batch > 1 && start.fill(7)));
    expect((await readerTest(network, 'float32')).fault).toMatch(/^a batch of two against a single run: off by \d/);
  });

  it('finds numbers that are none', async () => {
    expect(
      (
        await readerTest(
          faulty((start) => void start.fill(NaN)),
          'float32',
        )
      ).fault,
    ).toBeDefined();
  });

  it('reports padding that shines through, which is no fault', async () => {
    const network = faulty((start, { lengths }) => void (lengths && start.fill(7)));
    expect(await readerTest(network, 'float32')).toMatchObject({ fault: undefined, takesPadding: false });
  });

  it('asks for no padding where there is no mask', async () => {
    const { network, runs } = createFakeReader({ takesPadding: false });
    expect(await readerTest(network, 'float32')).toMatchObject({ fault: undefined, takesPadding: false });
    expect(runs.some(({ lengths }) => lengths)).toBe(false);
  });
});
