import type { LensResponse } from '../../../../src/contract/likelihood.ts';
import { describe, expect, it } from 'vitest';
import { lensFindings, layersOf } from '../../../../src/pages/inside/lens-section.tsx';

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
    expect(lensFindings(response(...top))).toEqual({ predicted: 'c', since, lastLayer: top.length - 1 });
  });

  it('is null where no layer says anything', () => expect(lensFindings(response())).toBeNull());
});

describe('layersOf', () => {
  it('begins with the layer that gives the prediction of the model, after the last token', () => {
    expect(layersOf(response('a', 'b')).map(({ layer }) => layer)).toEqual([1, 0]);
  });
});
