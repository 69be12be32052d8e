import MiniSearch from 'minisearch';
import type { AnalysisTasks, Hit } from '../../src/protocol/analysis-tasks.ts';
import type { Neighbours } from './neighbours.ts';
import { dot, rowAt, type Rows } from './rows.ts';

/** The texts that tasks are about, their vectors, a keyword index, and results that hold until texts are added. */
export type Collection = ReturnType<typeof createCollection>;

/** An empty collection. */
export function createCollection() {
  const texts: string[] = [];
  const rows = createGrowingRows();
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
  let computed: { neighbours?: Neighbours } = {};
  return {
    get texts(): readonly string[] {
      return texts;
    },
    /** Of length 1. */
    get vectors() {
      return rows.rows();
    },
    /** A new object whenever texts are added, so that results of tasks under way do not end up in it. */
    get computed() {
      return computed;
    },
    /** @throws {RangeError} if the number or the width of the vectors is wrong */
    add(more: readonly string[], vectors: Float32Array): void {
      rows.add(vectors, more.length);
      index.addAll(more.map((text, place) => ({ id: texts.length + place, text })));
      texts.push(...more);
      computed = {};
    },
    /** The texts that share words with a query, by index: their BM25+ score, above 0, and the shared words in lower case. */
    matches(query: string) {
      return new Map(
        // minisearch multiplies BM25+ by the number of matching words, although BM25+ counts each word already.
        index
          .search(query)
          .map(({ id, score, queryTerms }) => [
            Number(id),
            { score: score / (queryTerms.length || 1), terms: queryTerms },
          ]),
      );
    },
  };
}

/** Rows that grow by doubling, so that adding small batches stays cheap. */
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

/**
 * The texts that match a query best, by meaning and by words: the sum of the cosine, if positive, and of BM25+ divided by the
 * highest BM25+ of the query, each times its weight. Texts with a score of 0 are left out.
 *
 * @source convex combination of normalised scores: Bruch, Gai and Ingber 2023 (arXiv:2210.11934); compared with others in
 *   docs/decisions.md
 */
export function search(
  collection: Collection,
  { query, vector, share, most }: AnalysisTasks['search']['input'],
): Hit[] {
  const { vectors } = collection;
  const matches = collection.matches(query);
  const best = [...matches.values()].reduce((highest, { score }) => Math.max(highest, score), 0);
  const cosines = Float32Array.from({ length: vectors.count }, (_, index) =>
    vector ? dot(rowAt(vectors, index), vector) : 0,
  );
  const weight = vector ? share : 0;
  const hits: Hit[] = [];
  for (const [index, cosine] of cosines.entries()) {
    const match = matches.get(index);
    const meaning = weight * Math.max(0, cosine);
    const words = match ? ((1 - weight) * match.score) / best : 0;
    if (meaning + words > 0)
      hits.push({ index, score: meaning + words, meaning, words, cosine, terms: match?.terms ?? [] });
  }
  return hits.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, most);
}
