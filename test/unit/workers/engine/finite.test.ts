import { describe, expect, it } from 'vitest';
import { finiteOnly, type NetworkAnswer } from '../../../../workers/engine/network.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';

const ids = Int32Array.of(1, 2);

/** A network that answers so, whatever it is asked. */
function answering(answer: NetworkAnswer) {
  return finiteOnly({ ...createFakeModel().network, run: async () => answer });
}

describe('finiteOnly', () => {
  it('passes finite answers on as they are', async () => {
    const answer = { logProbabilities: Float32Array.of(-1, 0) };
    expect(await answering(answer).run({ batch: 1, ids })).toBe(answer);
  });

  it.each([
    ['pooled', { pooled: Float32Array.of(1, NaN) }],
    ['logits', { logits: Float32Array.of(1, Infinity) }],
    [
      'sentence_embedding',
      { outputs: { sentence_embedding: { dimensions: [1], values: Float32Array.of(-Infinity) } } },
    ],
  ])('names %s where a number is not finite, and whose fault it is', async (name, answer) => {
    const controlled = { mode: 'additive', factors: Float32Array.of(1, 9) } as const;
    const untouched = { mode: 'additive', factors: Float32Array.of(1, 1) } as const;
    const run = (perturbation?: typeof controlled) =>
      answering(answer).run({ batch: 1, ids, ...(perturbation && { perturbation }) });
    const failure = (code: string) => ({ failure: { code, message: expect.stringContaining(`(${name})`) } });
    await expect(run(controlled)).rejects.toMatchObject(failure('INVALID_REQUEST'));
    await expect(run(untouched)).rejects.toMatchObject(failure('INTERNAL'));
    await expect(run()).rejects.toMatchObject(failure('INTERNAL'));
  });

  it('releases keys and values that nobody will get', async () => {
    let released = 0;
    const kvCache = { batch: 1, tokens: 2, release: () => void released++ };
    await expect(answering({ logits: Float32Array.of(NaN), kvCache }).run({ batch: 1, ids })).rejects.toThrow();
    expect(released).toBe(1);
  });
});
