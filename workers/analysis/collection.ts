import { createKeywordIndex, type KeywordIndex } from './keyword-index.ts';
import type { Neighbours } from './neighbours.ts';
import type { Rows } from './rows.ts';

/** See `Collection.computed`. */
export interface Computed {
  /** The nearest of each text. */
  neighbours?: Neighbours;
}

/** The texts that tasks are about, and what was computed of them and holds until others come. */
export interface Collection {
  readonly texts: readonly string[];
  /** Of length 1. */
  readonly vectors: Rows;
  readonly index: KeywordIndex;
  /** What was computed of the texts that are there; other texts get another one. */
  readonly computed: Computed;
  /** @throws {RangeError} where texts and vectors do not fit each other */
  add(texts: readonly string[], vectors: Float32Array): void;
  clear(): void;
}

/** An empty collection. */
export function createCollection(): Collection {
  let texts: string[] = [];
  let rows = createGrowingRows();
  let index = createKeywordIndex();
  let computed: Computed = {};
  return {
    get texts() {
      return texts;
    },
    get vectors() {
      return rows.rows();
    },
    get index() {
      return index;
    },
    get computed() {
      return computed;
    },
    add(more, vectors) {
      rows.add(vectors, more.length);
      index.add(more);
      texts.push(...more);
      computed = {};
    },
    clear() {
      texts = [];
      rows = createGrowingRows();
      index = createKeywordIndex();
      computed = {};
    },
  };
}

/** Rows that grow by doubling, so that adding them one batch at a time stays cheap. */
function createGrowingRows() {
  let values = new Float32Array(0);
  let [count, width] = [0, 0];
  return {
    rows: (): Rows => ({ values: values.subarray(0, count * width), count, width }),
    add(more: Float32Array, rows: number) {
      if (rows === 0) return;
      const size = more.length / rows;
      if (!Number.isInteger(size) || (count > 0 && size !== width))
        throw new RangeError(
          `expected ${rows} vectors of ${count > 0 ? width : 'one width'}, got ${more.length} numbers`,
        );
      width = size;
      const needed = (count + rows) * width;
      if (needed > values.length) {
        const grown = new Float32Array(Math.max(needed, 2 * values.length));
        grown.set(values);
        values = grown;
      }
      values.set(more, count * width);
      count += rows;
    },
  };
}
