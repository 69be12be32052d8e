import { describe, expect, it } from 'vitest';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import { checkPadding } from '../../../../../workers/engine/session/feeds.ts';

const run: NetworkRun = { batch: 2, ids: new Int32Array(8) };

describe('checkPadding', () => {
  it('has nothing against sequences without padding, with a mask or without', () => {
    expect(() => checkPadding(run, 4, false)).not.toThrow();
    expect(() => checkPadding({ ...run, lengths: Int32Array.of(4, 4), keepKvCache: true }, 4, false)).not.toThrow();
  });

  it.each<readonly [string, Partial<NetworkRun>, boolean, RegExp]>([
    ['lengths for another batch', { lengths: Int32Array.of(4) }, true, /1 lengths for 2 sequences/],
    ['a sequence without tokens', { lengths: Int32Array.of(4, 0) }, true, /a length of 0 in sequences of 4/],
    ['a sequence that is longer than the run', { lengths: Int32Array.of(5, 4) }, true, /a length of 5/],
    ['a graph that cannot be told', { lengths: Int32Array.of(4, 2) }, false, /without an attention mask/],
    ['maxima, which would see padding', { lengths: Int32Array.of(4, 2), maxima: { skip: 0 } }, true, /maxima/],
    ['a past with holes', { lengths: Int32Array.of(4, 2), keepKvCache: true }, true, /keepKvCache/],
    ['one row for all', { lengths: Int32Array.of(4, 2), sameIds: true }, true, /sameIds/],
  ])('refuses %s', (_, more, hasMask, reason) => {
    expect(() => checkPadding({ ...run, ...more }, 4, hasMask)).toThrow(reason);
  });
});
