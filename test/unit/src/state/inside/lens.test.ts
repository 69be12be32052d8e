import { describe, expect, it } from 'vitest';
import type { LensResponse } from '../../../../../src/contract/likelihood/lens.ts';
import { lensFindings, layersOf } from '../../../../../src/state/inside/lens.ts';

/** Likeliest tokens from layer 0 on. */
function response(...top: readonly string[]): LensResponse {
  const layers = top.map((token, layer) => ({ layer, tokens: [{ token, log_probability: -1 }], target: null }));
  return {
    model_version: 'm 1',
    positions: [
      { token: 'x', layers: [] },
      { token: ':', layers },
    ],
  };
}

describe('lensFindings', () => {
  it.each([
    [['a', 'b', 'c', 'c'], 2],
    [['c', 'b', 'c', 'c'], 2],
    [['a', 'b', 'a', 'c'], 3],
    [['c', 'c'], 0],
  ])('of %o: the prediction stands since layer %i', (top, since) => {
    expect(lensFindings(response(...top))).toEqual({ said: 'c', since, lastLayer: top.length - 1 });
  });

  it('is null where no layer says anything', () => expect(lensFindings(response())).toBeNull());
});

describe('layersOf', () => {
  it('begins with the layer that speaks for the model, behind the last token', () => {
    expect(layersOf(response('a', 'b')).map(({ layer }) => layer)).toEqual([1, 0]);
  });
});
