import MiniSearch from 'minisearch';

/** What the index says of a text that shares words with a query. */
export interface WordMatch {
  readonly index: number;
  /** BM25+, above 0. */
  readonly score: number;
  /** Words of the query that the text has. */
  readonly terms: readonly string[];
}

/** Texts by their words. */
export interface KeywordIndex {
  add(texts: readonly string[]): void;
  /** Texts that share words with the query, in no particular order. */
  search(query: string): WordMatch[];
}

/** An empty index. Words are as minisearch parts them, in lower case. */
export function createKeywordIndex(): KeywordIndex {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
  let count = 0;
  return {
    add: (texts) => index.addAll(texts.map((text) => ({ id: count++, text }))),
    search: (query) =>
      index.search(query).map(({ id, score, queryTerms }) => ({
        index: Number(id),
        // minisearch multiplies BM25+ by the number of words that match; BM25+ has counted each already.
        score: score / (queryTerms.length || 1),
        terms: queryTerms,
      })),
  };
}
