/** Rows of numbers of which most may be 0: only the others are kept, row after row. */
export interface Features {
  readonly rows: number;
  readonly columns: number;
  /** Where each row begins in `places` and `values`, `[rows + 1]`. */
  readonly starts: Int32Array;
  /** Columns of the numbers that are not 0. */
  readonly places: Int32Array;
  readonly values: Float32Array;
}

/** A row under construction: columns and their numbers. */
export type SparseRow = readonly (readonly [place: number, value: number])[];

/** Rows put together. */
export function featuresOf(rows: readonly SparseRow[], columns: number): Features {
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, index) => (starts[index + 1] = (starts[index] ?? 0) + row.length));
  const [places, values] = [new Int32Array(starts.at(-1) ?? 0), new Float32Array(starts.at(-1) ?? 0)];
  for (const [index, row] of rows.entries())
    for (const [offset, [place, value]] of row.entries()) {
      places[(starts[index] ?? 0) + offset] = place;
      values[(starts[index] ?? 0) + offset] = value;
    }
  return { rows: rows.length, columns, starts, places, values };
}

/** What of a vector is not 0. */
export function sparseRow(vector: readonly number[]): SparseRow {
  return vector.flatMap((value, place) => (value === 0 ? [] : [[place, value] as const]));
}

/** Some of the rows, in the order asked for. */
export function rowsAt({ starts, places, values, columns }: Features, indices: readonly number[]): Features {
  const kept = new Int32Array(indices.length + 1);
  const spans = indices.map((index) => [starts[index] ?? 0, starts[index + 1] ?? 0] as const);
  spans.forEach(([from, to], row) => (kept[row + 1] = (kept[row] ?? 0) + to - from));
  const total = kept.at(-1) ?? 0;
  const [keptPlaces, keptValues] = [new Int32Array(total), new Float32Array(total)];
  for (const [row, [from, to]] of spans.entries()) {
    keptPlaces.set(places.subarray(from, to), kept[row]);
    keptValues.set(values.subarray(from, to), kept[row]);
  }
  return { rows: indices.length, columns, starts: kept, places: keptPlaces, values: keptValues };
}

/** Columns as rows. */
export function transposed({ rows, columns, starts, places, values }: Features): Features {
  const turned: [number, number][][] = Array.from({ length: columns }, () => []);
  for (let row = 0; row < rows; row++)
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++)
      turned[places[at] ?? 0]?.push([row, values[at] ?? NaN]);
  return featuresOf(turned, rows);
}

/**
 * `sums[rows, width] += features × weights[columns, width]`. Four rows of weights at a time, so that a sum is read and
 * written a quarter as often: this is where a fit spends its time.
 */
export function addProduct(
  { rows, starts, places, values }: Features,
  weights: Float64Array,
  sums: Float64Array,
  width: number,
): void {
  for (let row = 0; row < rows; row++) {
    const [from, to, base] = [starts[row] ?? 0, starts[row + 1] ?? 0, row * width];
    for (let at = from; at < to; at += 4) {
      // Beyond the row's end a value of 0 is taken, with whatever row of weights.
      const [v0, p0] = [values[at] ?? 0, (places[at] ?? 0) * width];
      const [v1, p1] = at + 1 < to ? [values[at + 1] ?? 0, (places[at + 1] ?? 0) * width] : [0, p0];
      const [v2, p2] = at + 2 < to ? [values[at + 2] ?? 0, (places[at + 2] ?? 0) * width] : [0, p0];
      const [v3, p3] = at + 3 < to ? [values[at + 3] ?? 0, (places[at + 3] ?? 0) * width] : [0, p0];
      for (let k = 0; k < width; k++)
        sums[base + k] =
          (sums[base + k] ?? 0) +
          v0 * (weights[p0 + k] ?? 0) +
          v1 * (weights[p1 + k] ?? 0) +
          v2 * (weights[p2 + k] ?? 0) +
          v3 * (weights[p3 + k] ?? 0);
    }
  }
}
