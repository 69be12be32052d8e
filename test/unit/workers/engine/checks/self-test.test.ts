import { describe, expect, it } from 'vitest';
import type { Network, NetworkAnswer, NetworkRun } from '../../../../../workers/engine/network.ts';
import { selfTest } from '../../../../../workers/engine/checks/self-test.ts';
import { SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { referenceNetwork } from '../../../../support/onnx/reference-network.ts';

const SIZES = { ...SMALL_SIZES, layers: 2, width: 16, headSize: 4, innerWidth: 16, vocabulary: 23 };

/** The reference with its runs tampered with, as a faulty backend would. */
function faulty(
  tamper: (run: NetworkRun) => NetworkRun,
  spoil = (answer: NetworkAnswer, _run: NetworkRun) => answer,
): Network {
  const sound = referenceNetwork(SIZES, 3);
  return { ...sound, run: async (run) => spoil(await sound.run(tamper(run)), run) };
}

const withoutPerturbation = ({ perturbation: _, ...run }: NetworkRun): NetworkRun => run;

function shifted(answer: NetworkAnswer, by: number): NetworkAnswer {
  return { ...answer, ...(answer.logits && { logits: answer.logits.map((logit) => logit + by) }) };
}

describe('selfTest', () => {
  it('passes a network that computes right', async () => {
    const { fault, isCausal, largestDifference } = await selfTest(referenceNetwork(SIZES, 3), 'float32');
    expect(fault).toBeUndefined();
    expect(isCausal).toBe(true);
    expect(largestDifference).toBeLessThan(1e-5);
  });

  it('measures the long run', async () => {
    let clock = 0;
    const { longRunMs, longRun } = await selfTest(referenceNetwork(SIZES, 3), 'float32', () => (clock += 10));
    expect(longRunMs).toBe(10);
    expect(longRun).toHaveLength(40 * SIZES.vocabulary);
  });

  it.each<readonly [string, Network, RegExp]>([
    ['a bias that is ignored', faulty(withoutPerturbation), /the perturbation is ignored/],
    [
      'neutral factors that change something',
      faulty(
        (run) => run,
        (answer, run) => (run.perturbation?.mode === 'multiplicative' ? shifted(answer, 0.1) : answer),
      ),
      /neutral multiplicative factors: off by 0.10/,
    ],
    [
      'a batch that takes only its first row of factors',
      faulty((run) =>
        run.batch > 1 && run.perturbation
          ? { ...run, perturbation: { ...run.perturbation, factors: repeatFirst(run.perturbation.factors, run.batch) } }
          : run,
      ),
      /a batch of three against single runs/,
    ],
    [
      'an error beyond 32 rows',
      faulty(
        (run) => run,
        (answer, run) => (run.ids.length > 32 ? shifted(answer, 4) : answer),
      ),
      /a retained past against the whole sequence: off by 4.0/,
    ],
    [
      'an attention out of control',
      faulty((run) =>
        run.perturbation?.factors[0] === 0
          ? { ...run, perturbation: { ...run.perturbation, factors: halfway(run.perturbation.factors) } }
          : run,
      ),
      /not every attention is controlled/,
    ],
    [
      'a batch that forgets its own pasts',
      faulty((run) =>
        run.cached && run.cached.kvCache.batch > 1 && run.perturbation
          ? { ...run, perturbation: { ...run.perturbation, factors: repeatFirst(run.perturbation.factors, run.batch) } }
          : run,
      ),
      /pasts that a batch retained against one that all share/,
    ],
    [
      'numbers that are none',
      faulty(
        (run) => run,
        (answer) => shifted(answer, NaN),
      ),
      /off by Infinity/,
    ],
  ])('finds %s', async (_, network, fault) => {
    expect((await selfTest(network, 'float32')).fault).toMatch(fault);
  });
});

type Factors = NonNullable<NetworkRun['perturbation']>['factors'];

function repeatFirst(factors: Factors, batch: number): Factors {
  const tokens = factors.length / batch;
  return factors.map((_, index) => factors[index % tokens] ?? 1);
}

function halfway(factors: Factors): Factors {
  return factors.map((factor) => (factor === 0 ? 0.5 : factor));
}
