import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import type { PrepareJob } from '../../../../../src/protocol/model-job.ts';
import type { Network } from '../../../../../workers/engine/network.ts';
import type { ModelSource } from '../../../../../workers/operations/context.ts';
import { tryThreads } from '../../../../../workers/operations/model/try-threads.ts';
import { createFakeModel } from '../../../../support/fakes/fake-model.ts';
import { firstModel, QUIET } from '../../../../support/fakes/jobs.ts';

const job: PrepareJob = { model: firstModel(), backend: 'wasm' };

/** Figures of a model whose passes take so many turns of the event loop on each number of threads; 4 are usual. */
function figuresOf(
  turns: Record<number, number>,
  change: (network: Network, threads: number) => Network = (same) => same,
) {
  const lent: number[] = [];
  const lend: ModelSource['lend'] = async (wanted, _context, task) => {
    const threads = wanted.threads?.count ?? 4;
    lent.push(threads);
    const fake = createFakeModel();
    const slow: Network = {
      ...fake.network,
      async run(run) {
        for (let turn = 0; turn < (turns[threads] ?? 1); turn++) await new Promise((resolve) => setTimeout(resolve, 1));
        return fake.network.run(run);
      },
    };
    return task({ ...fake, network: change(slow, threads) });
  };
  return { lent, figures: (wanted = job, usual = 4) => tryThreads(wanted, QUIET, lend, usual) };
}

describe('tryThreads', () => {
  it('measures one thread and two beside the usual number', async () => {
    const { lent, figures } = figuresOf({ 1: 2, 2: 18, 4: 6 });
    const { threads, others, skipped } = await figures();
    expect([threads, skipped, lent]).toEqual([4, null, [4, 1, 2]]);
    expect(others.map((other) => [other.threads, other.speed > 1])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('leaves a number out that computes other results, or on which the model cannot be opened', async () => {
    const { figures } = figuresOf({}, (network, threads) => {
      if (threads === 2) throw new FailureError('MODEL_UNAVAILABLE', 'wasm computes wrong numbers');
      if (threads === 4) return network;
      const run: Network['run'] = async (wanted) => {
        const answer = await network.run(wanted);
        return { ...answer, ...(answer.logits && { logits: answer.logits.map((logit) => 2 * logit + 1) }) };
      };
      return { ...network, run };
    });
    expect(await figures()).toEqual({ threads: 4, others: [], skipped: null });
  });

  it('does not hide an error that is no fault of a number', async () => {
    const { figures } = figuresOf({}, (network, threads) => {
      if (threads === 1) throw new RangeError('a defect');
      return network;
    });
    await expect(figures()).rejects.toThrow('a defect');
  });

  it.each<[string, Partial<PrepareJob>, number, string]>([
    ['a page with one thread', {}, 1, 'the page has one thread'],
    ['a GPU', { backend: 'webgpu' }, 4, 'it does not run on WebAssembly'],
    [
      'a model that transformers.js runs',
      { model: { ...firstModel(), tier: 'as_exported', capabilities: ['complete'] } },
      ...([4, 'transformers.js runs it'] as const),
    ],
    [
      'a large model',
      { model: { ...firstModel(), files: { 'onnx/model.onnx': { bytes: 5e8 } } } },
      ...([4, 'it is large, and would be opened twice'] as const),
    ],
  ])('opens nothing for %s, and says why', async (_, change, usual, skipped) => {
    const { lent, figures } = figuresOf({});
    expect(await figures({ ...job, ...change }, usual)).toEqual({ threads: usual, others: [], skipped });
    expect(lent).toEqual([]);
  });
});
