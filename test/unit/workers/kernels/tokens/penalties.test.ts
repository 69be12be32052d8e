import { describe, expect, it } from 'vitest';
import { arePenalties, penalise, type Penalties } from '../../../../../workers/kernels/tokens/penalties.ts';

const none = { strength: 0, isMultiplicative: false };
const NONE: Penalties = { presence: none, frequency: none, sequence: none, sequenceLength: 2 };

function penalised(
  penalties: Partial<Penalties>,
  ids: readonly number[],
  more: { besides?: number[]; exceptions?: number[] } = {},
) {
  const logits = Float32Array.of(2, 2, -2, 2);
  const { besides = [], exceptions = [] } = more;
  penalise(logits, { ...NONE, ...penalties }, { ids, besides, exceptions: new Set(exceptions) });
  return [...logits];
}

describe('penalise', () => {
  it('leaves scores alone without penalties', () => {
    expect(arePenalties(NONE)).toBe(false);
    expect(penalised({}, [0, 1, 2])).toEqual([2, 2, -2, 2]);
  });

  it('subtracts once for presence and each time for frequency', () => {
    const half = { strength: 0.5, isMultiplicative: false };
    expect(penalised({ presence: half }, [0, 0, 2])).toEqual([1.5, 2, -2.5, 2]);
    expect(penalised({ frequency: half }, [0, 0, 2])).toEqual([1, 2, -2.5, 2]);
  });

  it('makes scores less likely on either side of zero when it multiplies', () => {
    const one = { strength: 1, isMultiplicative: true };
    expect(penalised({ presence: one }, [0, 2])).toEqual([1, 2, -4, 2]);
    expect(penalised({ frequency: one }, [0, 0, 0, 2])).toEqual([0.5, 2, -4, 2]);
  });

  it('counts what is said to be there besides, and spares exceptions', () => {
    const one = { strength: 1, isMultiplicative: false };
    expect(penalised({ presence: one }, [0], { besides: [3], exceptions: [0] })).toEqual([2, 2, -2, 1]);
  });

  it('penalises the token that would repeat a sequence', () => {
    const one = { strength: 1, isMultiplicative: false };
    expect(penalised({ sequence: one }, [1, 3, 0, 1])).toEqual([2, 2, -2, 1]);
    expect(penalised({ sequence: one, sequenceLength: 3 }, [1, 3, 0, 1])).toEqual([2, 2, -2, 2]);
    expect(penalised({ sequence: one, sequenceLength: 3 }, [2, 1, 3, 0, 2, 1])).toEqual([2, 2, -2, 1]);
    expect(penalised({ sequence: one }, [])).toEqual([2, 2, -2, 2]);
  });

  it('ignores ids that the network does not score', () =>
    expect(penalised({ presence: { strength: 1, isMultiplicative: false } }, [99])).toEqual([2, 2, -2, 2]));
});
