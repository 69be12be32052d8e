import type { Hit, MeaningShare } from '../../src/protocol/analysis-tasks.ts';
import type { Collection } from './collection.ts';
import { dot, rowAt } from './rows.ts';
import type { WordMatch } from './keyword-index.ts';

/** What is searched for. */
export interface Query {
  readonly text: string;
  /** Null: words alone. */
  readonly vector: Float32Array | null;
  readonly share: MeaningShare;
}

/**
 * The texts that fit a query best, by meaning and by words: a weighted sum of the cosine, from 0 up, and of BM25+ over the
 * best BM25+ that the query reaches. A hit's score is the sum of the two shares that are told of it.
 *
 * @param most  hits at most; a text that is alike in nothing is none
 * @source      convex combination of normalised scores: Bruch, Gai and Ingber 2023 (arXiv:2210.11934); measured against
 *   others in docs/decisions.md
 */
export function search(collection: Collection, { text, vector, share }: Query, most: number): Hit[] {
  const matches = new Map(collection.index.search(text).map((match) => [match.index, match]));
  const cosines = vector ? cosinesWith(collection, vector) : new Float32Array(collection.texts.length);
  const best = [...matches.values()].reduce((highest, { score }) => Math.max(highest, score), 0);
  const weight = vector ? share : 0;
  const hits: Hit[] = [];
  for (const [index, cosine] of cosines.entries()) {
    const match = matches.get(index);
    const meaning = weight * Math.max(0, cosine);
    const words = match ? ((1 - weight) * match.score) / best : 0;
    if (meaning + words > 0) hits.push({ index, score: meaning + words, meaning, words, ...told(cosine, match) });
  }
  return hits.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, most);
}

function told(cosine: number, match: WordMatch | undefined) {
  return { cosine, terms: match?.terms ?? [] };
}

function cosinesWith({ vectors }: Collection, vector: Float32Array): Float32Array {
  return Float32Array.from({ length: vectors.count }, (_, index) => dot(rowAt(vectors, index), vector));
}
