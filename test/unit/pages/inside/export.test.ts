import { describe, expect, it } from 'vitest';
import { lensCsv } from '../../../../src/pages/inside/lens-section.tsx';
import { tokensCsv } from '../../../../src/pages/inside/token-compare.tsx';

describe('tokens as CSV', () => {
  it('have a row for each pair', () => {
    const grid = { a: { texts: [' a'], isCut: false }, b: { texts: ['b', 'c'], isCut: false }, cosines: [[1, 0.5]] };
    expect(tokensCsv(grid, 3).split('\r\n')).toEqual([
      'token_a,place_a,token_b,place_b,layer,cosine',
      '" a",1,b,1,3,1',
      '" a",1,c,2,3,0.5',
    ]);
  });
});

describe('predictions as CSV', () => {
  it('have a row for each token at each layer, with the rank of the target', () => {
    const tokens = [
      { token: ' sky', log_probability: -1 },
      { token: '"', log_probability: -2 },
    ];
    const target = { token: ' sky', log_probability: -1, rank: 1 };
    const positions = [{ token: ' the', layers: [{ layer: 0, tokens, target }] }];
    expect(lensCsv({ model_version: 'm 1', positions }).split('\r\n')).toEqual([
      'after,layer,rank,token,log_probability,target,target_rank,model_version',
      '" the",0,1," sky",-1," sky",1,m 1',
      '" the",0,2,"""",-2," sky",1,m 1',
    ]);
  });
});
