import { describe, expect, it } from 'vitest';
import type { Tensor } from '@huggingface/transformers';
import type { NetworkShape } from '../../../../../workers/engine/network.ts';
import { exportedNetwork, type TakeStep } from '../../../../../workers/engine/exported/exported-network.ts';

const shape: NetworkShape = {
  layers: 0,
  width: 0,
  vocabulary: 4,
  contextTokens: 64,
  showsLayers: false,
  showsAttention: false,
  takesSteering: false,
  sharesKvCache: true,
  outputs: [],
  takesPadding: false,
  takesPositions: false,
  paddingId: 0,
  keptBecause: 'state',
};

/** A network whose state is one tensor of each step and one of the first; what is freed is noted. */
function networkOf() {
  const freed: string[] = [];
  let steps = 0;
  const tensor = (name: string) =>
    ({ location: 'gpu-buffer', dispose: () => void freed.push(name) }) as unknown as Tensor;
  const step: TakeStep = async (ids, before) => {
    const name = `step ${steps++}`;
    const first = before?.tensors['first'] ?? tensor('first');
    const logits = { data: Float32Array.from({ length: ids.length * 4 }, (_, i) => i), dims: [1, ids.length, 4] };
    const tensors = { first, own: tensor(name) };
    return { logits: logits as unknown as Tensor, state: { tensors, tokens: (before?.tokens ?? 0) + ids.length } };
  };
  const backend = { kind: 'webgpu', threads: 1, reason: '' } as const;
  return {
    freed,
    network: exportedNetwork({ step, shape, backend, release: async () => undefined }),
  };
}

const keeps = { batch: 1, logits: true, keepKvCache: true } as const;

describe('a network that runs as it was exported', () => {
  it('gives the logits of the last id alone', async () => {
    const { network } = networkOf();
    const { logits } = await network.run({ ...keeps, ids: Int32Array.of(5, 6) });
    expect([...(logits ?? [])]).toEqual([4, 5, 6, 7]);
  });

  it('frees what lies on a GPU with the last state that holds it', async () => {
    const { network, freed } = networkOf();
    const { kvCache: one } = await network.run({ ...keeps, ids: Int32Array.of(5, 6) });
    if (!one) throw new Error('expected a state');
    const cached = { kvCache: one, tokens: 2 };
    const { kvCache: two } = await network.run({ ...keeps, ids: Int32Array.of(7), cached });
    await network.run({ batch: 1, logits: true, ids: Int32Array.of(8), cached });
    expect(freed).toEqual(['step 2']);
    one.release();
    one.release();
    expect(freed).toEqual(['step 2', 'step 0']);
    two?.release();
    expect(freed.slice(2).toSorted()).toEqual(['first', 'step 1']);
  });

  it('goes on from the end of a state alone, and from none that was released', async () => {
    const { network } = networkOf();
    const { kvCache } = await network.run({ ...keeps, ids: Int32Array.of(5, 6) });
    if (!kvCache) throw new Error('expected a state');
    const ids = Int32Array.of(7);
    await expect(network.run({ ...keeps, ids, cached: { kvCache, tokens: 1 } })).rejects.toThrow('a whole state');
    kvCache.release();
    await expect(network.run({ ...keeps, ids, cached: { kvCache, tokens: 2 } })).rejects.toThrow('a whole state');
    await expect(network.run({ ...keeps, batch: 2, ids: Int32Array.of(1, 2) })).rejects.toThrow('one text at a time');
  });
});
