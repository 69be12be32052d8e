import { describe, expect, it } from 'vitest';
import { embeddedRows, overrideRows } from '../../../../../workers/engine/session/embedding-table.ts';

/** Rows of two numbers, each the id. */
const table = {
  rowsOf: async (ids: Int32Array) => Float32Array.from([...ids].flatMap((id) => [id, id])),
  release: async () => undefined,
};
const rows = Float32Array.of(-1, -1, -2, -2, -3, -3);
const keep = { batch: 1, tokens: 9, release: () => undefined };
const firsts = (found: Float32Array) => [...found].filter((_, i) => i % 2 === 0);

describe('embeddedRows', () => {
  it('places rows in every sequence of a batch', async () => {
    const run = { batch: 2, ids: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8), embeddingOverrides: [{ position: 1, rows }] };
    expect(firsts(await embeddedRows(table, run))).toEqual([1, -1, -2, -3, 5, -1, -2, -3]);
  });

  it('counts positions from the beginning of the sequence, behind a KV cache too', async () => {
    const embeddingOverrides = [{ position: 2, rows }];
    const behind = (tokens: number) =>
      embeddedRows(table, {
        batch: 3,
        sameIds: true,
        ids: Int32Array.of(1, 2, 3),
        embeddingOverrides,
        cached: { kvCache: keep, tokens },
      });
    expect(firsts(await behind(0))).toEqual([1, 2, -1]);
    expect(firsts(await behind(3))).toEqual([-2, -3, 3]);
    expect(firsts(await behind(5))).toEqual([1, 2, 3]);
  });

  it('looks ids up where nothing is overridden', async () => {
    expect(firsts(await embeddedRows(table, { batch: 1, ids: Int32Array.of(4, 5) }))).toEqual([4, 5]);
  });
});

describe('overrideRows', () => {
  it('refuses rows of another width', () => {
    const place = () =>
      overrideRows(new Float32Array(6), [{ position: 0, rows: new Float32Array(4) }], { first: 0, width: 3 });
    expect(place).toThrow(RangeError);
  });
});
