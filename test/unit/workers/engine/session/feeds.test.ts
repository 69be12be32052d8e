import * as ort from 'onnxruntime-web/webgpu';
import { describe, expect, it } from 'vitest';
import { ADDITIVE_FLOOR, feedsOf } from '../../../../../workers/engine/session/feeds.ts';
import { rewriteNetwork } from '../../../../../workers/engine/rewrite/plan-network.ts';
import { readNetworkConfig } from '../../../../../workers/engine/analysis/network-inputs.ts';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import { randomWeights, SMALL_SIZES } from '../../../../support/onnx/decoder-weights.ts';
import { buildDecoder } from '../../../../support/onnx/decoder.ts';

const plan = rewriteNetwork(buildDecoder(SMALL_SIZES, randomWeights(SMALL_SIZES, 5)), readNetworkConfig(undefined));
const keep = { batch: 1, tokens: 5, release: () => undefined };
const run: NetworkRun = { batch: 2, ids: Int32Array.of(1, 2, 3, 4, 5, 6) };
const feeds = (more: Partial<NetworkRun> = {}) =>
  feedsOf(ort, plan, { ...run, ...more }, { kvTensors: undefined, needsStates: true, needsLogits: true });
const values = (more: Partial<NetworkRun>, name: string) => [...(feeds(more)[name]?.data ?? [])].map(Number);

describe('feedsOf', () => {
  it('feeds every input of the graph', () => {
    expect(Object.keys(feeds()).toSorted()).toEqual(
      expect.arrayContaining([
        'attention_mask',
        'input_ids',
        'past_key_values.3.value',
        'lightwell/rows',
        'position_ids',
      ]),
    );
  });

  it('counts positions on from the KV cache', () => {
    expect(values({ cached: { kvCache: keep, tokens: 4 } }, 'position_ids')).toEqual([4, 5, 6, 4, 5, 6]);
    expect(feeds({ cached: { kvCache: keep, tokens: 4 } })['attention_mask']?.dims).toEqual([2, 7]);
    expect(values({ cached: { kvCache: keep, tokens: 4 } }, 'lightwell/past_tokens')).toEqual([4]);
  });

  it('adds logarithms of factors, and a finite floor for 0', () => {
    const perturbation = { mode: 'additive', factors: Float32Array.of(1, 0, 2, 1, 1, 1) } as const;
    expect(values({ perturbation }, 'lightwell/bias')).toEqual([0, ADDITIVE_FLOOR, Math.fround(Math.log(2)), 0, 0, 0]);
    expect(values({ perturbation }, 'lightwell/factor')).toEqual([1]);
    expect(values({ perturbation }, 'lightwell/multiplicative')).toEqual([0]);
  });

  it('hands factors over as they are in multiplicative mode', () => {
    const perturbation = { mode: 'multiplicative', factors: Float32Array.of(1, 0, 2, 1, 1, 1) } as const;
    expect(values({ perturbation }, 'lightwell/factor')).toEqual([1, 0, 2, 1, 1, 1]);
    expect(values({ perturbation }, 'lightwell/bias')).toEqual([0]);
    expect(values({ perturbation }, 'lightwell/multiplicative')).toEqual([1]);
  });

  it.each<readonly [string, Partial<NetworkRun>, RegExp]>([
    ['ids that make no sequences', { batch: 4 }, /6 ids do not make 4 sequences/],
    [
      'more of a KV cache than there is',
      { cached: { kvCache: keep, tokens: 6 } },
      /6 positions of a KV cache asked for, 5 cached/,
    ],
    [
      'too few factors',
      { perturbation: { mode: 'additive', factors: new Float32Array(3) } },
      /3 factors for 2 sequences/,
    ],
    [
      'a KV cache of another batch',
      { cached: { kvCache: { ...keep, batch: 3 }, tokens: 1 } },
      /3 sequences for a run of 2/,
    ],
    ['more rows than positions', { rows: 4 }, /4 last rows of a run of 3/],
    ['a row without its targets', { rows: 2, targets: Int32Array.of(1, 2, 3) }, /3 targets for 2 rows/],
    [
      'pooling behind a KV cache',
      { cached: { kvCache: keep, tokens: 1 }, maxima: { skip: 0 } },
      /not after a KV cache/,
    ],
    ['maxima over nothing', { maxima: { skip: 3 } }, /without the first 3/],
    ['weights of another length', { pooling: { weights: new Float32Array(4), pools: 1 } }, /4 weights/],
  ])('refuses %s', (_, more, reason) => {
    expect(() => feeds(more)).toThrow(reason);
  });
});
