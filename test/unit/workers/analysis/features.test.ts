import { describe, expect, it } from 'vitest';
import {
  addProduct,
  featuresOf,
  rowsAt,
  sparseRow,
  transposed,
  type Features,
} from '../../../../workers/analysis/sort-by-examples.ts';

/** As a matrix with its zeros. */
function matrixOf({ rows, columns, starts, places, values }: Features): number[][] {
  return Array.from({ length: rows }, (_, row) => {
    const full = Array.from({ length: columns }, () => 0);
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) full[places[at] ?? -1] = values[at] ?? NaN;
    return full;
  });
}

const MATRIX = [
  [1, 0, 2, 0, 3, 4, 5],
  [0, 0, 0, 0, 0, 0, 0],
  [0, 6, 0, 0, 0, 0, 0],
];
const FEATURES = featuresOf(MATRIX.map(sparseRow), 7);

describe('features', () => {
  it('keep what is not 0', () => {
    expect(matrixOf(FEATURES)).toEqual(MATRIX);
    expect([...FEATURES.values]).toEqual([1, 2, 3, 4, 5, 6]);
  });
  it('give some of their rows', () => expect(matrixOf(rowsAt(FEATURES, [2, 0]))).toEqual([MATRIX[2], MATRIX[0]]));
  it('can be turned', () =>
    expect(matrixOf(transposed(FEATURES))).toEqual(MATRIX[0]?.map((_, column) => MATRIX.map((row) => row[column]))));
});

describe('addProduct', () => {
  it('adds the product, for rows of any number of entries', () => {
    const weights = Float64Array.from({ length: 14 }, (_, at) => at); // rows [0 1], [2 3], … [12 13]
    const sums = new Float64Array([100, 100, 100, 100, 100, 100]);
    addProduct(FEATURES, weights, sums, 2);
    // 1·[0 1] + 2·[4 5] + 3·[8 9] + 4·[10 11] + 5·[12 13] = [132 147]; 6·[2 3] = [12 18]
    expect([...sums]).toEqual([232, 247, 100, 100, 112, 118]);
  });
});
