import { describe, expect, it } from 'vitest';
import { halvedOnOutOfMemory } from '../../../../workers/engine/device/guard.ts';
import { explainingOutOfMemory } from '../../../../workers/operations/operations.ts';
import { FailureError } from '../../../../src/contract/failure.ts';
import type { NetworkRun } from '../../../../workers/engine/network.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';

const lack = () => new FailureError('OUT_OF_MEMORY', 'std::bad_alloc');

/** Doubles its members, as many at once as fit. */
function doubling(most: number, sizes: number[]) {
  return async (part: readonly number[]) => {
    sizes.push(part.length);
    if (part.length > most) throw lack();
    return part.map((member) => 2 * member);
  };
}

describe('halvedOnOutOfMemory', () => {
  it('computes all members together where they fit', async () => {
    const sizes: number[] = [];
    expect(await halvedOnOutOfMemory([1, 2, 3], doubling(3, sizes))).toEqual([2, 4, 6]);
    expect(sizes).toEqual([3]);
  });

  it('halves the batch, and the halves, and keeps the order', async () => {
    const sizes: number[] = [];
    expect(await halvedOnOutOfMemory([1, 2, 3, 4, 5, 6, 7], doubling(2, sizes))).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(sizes).toEqual([7, 4, 2, 2, 3, 2, 1]);
  });

  it('fails when a member alone is too large', async () => {
    await expect(halvedOnOutOfMemory([1, 2], doubling(0, []))).rejects.toThrow('bad_alloc');
  });

  it('tries nothing again after another failure', async () => {
    const sizes: number[] = [];
    const broken = async (part: readonly number[]): Promise<number[]> => {
      sizes.push(part.length);
      throw new TypeError('a defect');
    };
    await expect(halvedOnOutOfMemory([1, 2], broken)).rejects.toThrow(TypeError);
    expect(sizes).toEqual([2]);
  });
});

describe('explainingOutOfMemory', () => {
  /** A model whose device has memory for so many tokens. */
  function modelFor(most: number) {
    const model = createFakeModel();
    const run = (asked: NetworkRun) => (asked.ids.length > most ? Promise.reject(lack()) : model.network.run(asked));
    return { ...model, network: { ...model.network, run, shape: { ...model.network.shape, contextTokens: 256 } } };
  }

  it('says how long a prompt may be', async () => {
    const refused = explainingOutOfMemory(modelFor(40), () => Promise.reject(lack()));
    await expect(refused).rejects.toMatchObject({
      failure: { code: 'OUT_OF_MEMORY', message: expect.stringContaining('at most about 32 tokens') as string },
    });
  });

  it('says so when nothing fits', async () => {
    const refused = explainingOutOfMemory(modelFor(0), () => Promise.reject(lack()));
    await expect(refused).rejects.toMatchObject({
      failure: { message: expect.stringContaining('close other') as string },
    });
  });

  it('hands on a result, and any other failure', async () => {
    expect(await explainingOutOfMemory(modelFor(0), async () => 7)).toBe(7);
    const failing = explainingOutOfMemory(modelFor(0), () =>
      Promise.reject(new FailureError('PROMPT_TOO_LONG', 'long')),
    );
    await expect(failing).rejects.toMatchObject({ failure: { code: 'PROMPT_TOO_LONG' } });
  });
});
