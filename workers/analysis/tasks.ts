import type { AnalysisKind, AnalysisProgress, AnalysisTasks, Hit } from '../../src/protocol/analysis-tasks.ts';
import type { TaskContext } from '../serving/serve.ts';
import { clustersOf } from './clusters.ts';
import { duplicateGroups, nearestOf, type Neighbours } from './neighbours.ts';
import { principalComponents, umapOf } from './projection.ts';
import { dot, rowAt, type Rows } from './rows.ts';
import { sortByExamples } from './sort-by-examples.ts';
import MiniSearch from 'minisearch';

type Task<K extends AnalysisKind> = (
  input: AnalysisTasks[K]['input'],
  context: TaskContext<AnalysisProgress<K>>,
) => AnalysisTasks[K]['output'] | Promise<AnalysisTasks[K]['output']>;

/** The default of umap-learn, without the text itself. */
const NEIGHBOURS = 14;
/** Fewer texts than this have no meaningful neighbourhoods. */
const MIN_TEXTS = 5;
/** Most intermediate maps of a projection: each is sent and drawn. */
const MAX_PARTS = 60;
/** Below both a match is weak: a cosine, and a share of the query's words. @source docs/decisions/search.md */
const [WEAK_COSINE, WEAK_COVERAGE] = [0.4, 0.5];
/** How long a task computes before it lets messages in. */
const SLICE_MS = 40;

/** Every task, by its kind, over one collection. */
export function createAnalysisTasks(): { readonly [K in AnalysisKind]: Task<K> } {
  let collection = createCollection();
  return {
    add({ isNew, texts, vectors }) {
      if (isNew) collection = createCollection();
      collection.add(texts, vectors);
      return { count: collection.texts.length };
    },
    search: (input) => ({ hits: search(collection, input) }),
    project: ({ method }, context) => project(collection, method, context),
    cluster: ({ count }, { checkpoint }) =>
      clustersOf(collection.texts, collection.vectors, count, createPause(checkpoint)),
    neighbours: ({ index, most }) => ({ neighbours: nearestTo(collection.vectors, index, most) }),
    similarities({ indices }) {
      const rows = indices.map((index) => rowAt(collection.vectors, index));
      return { cosines: Float32Array.from(rows.flatMap((one) => rows.map((other) => dot(one, other)))) };
    },
    async duplicates({ least }, { checkpoint, progress }) {
      const onProgress = (done: number, total: number) => progress({ done, total });
      const neighbours = await neighboursOf(collection, createPause(checkpoint), onProgress);
      return { groups: duplicateGroups(neighbours, least) };
    },
    classify: (input, { checkpoint }) =>
      sortByExamples(collection.vectors, collection.wordings, input, createPause(checkpoint)),
  };
}

/** Runs the checkpoint whenever a slice of time has passed. */
function createPause(checkpoint: () => Promise<void>): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await checkpoint();
    began = performance.now();
  };
}

function nearestTo(vectors: Rows, index: number, most: number) {
  const vector = rowAt(vectors, index);
  return Array.from({ length: vectors.count }, (_, row) => ({ index: row, cosine: dot(rowAt(vectors, row), vector) }))
    .filter((other) => other.index !== index)
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, most);
}

async function project(
  collection: Collection,
  method: 'pca' | 'umap',
  { checkpoint, progress }: Parameters<Task<'project'>>[1],
): Promise<AnalysisTasks['project']['output']> {
  const pause = createPause(checkpoint);
  const { points, explained } = await principalComponents(collection.vectors, pause);
  if (method === 'pca' || collection.texts.length < MIN_TEXTS) return { points: inUnits(points), explained };
  const half = 100; // finding neighbours and moving points take about as long
  const neighbours = await neighboursOf(collection, pause, (done, total) =>
    progress({ done: (half * done) / total, total: 2 * half }),
  );
  const placed = await umapOf({ neighbours, begin: points }, pause, (done, total, current) => {
    const isShown = done % Math.max(1, Math.floor(total / MAX_PARTS)) === 0 && done < total;
    if (isShown) progress({ done: half + (half * done) / total, total: 2 * half, part: inUnits(current()) });
  });
  return { points: inUnits(placed), explained: null };
}

/** Computed once for the texts of a collection. */
async function neighboursOf(
  { computed, vectors }: Collection, // both are replaced when texts are added meanwhile
  pause: () => Promise<void>,
  progress: (done: number, total: number) => void,
) {
  return (computed.neighbours ??= await nearestOf(vectors, NEIGHBOURS, pause, progress));
}

/** Points centred on 0 and scaled so that the largest coordinate is 1. */
function inUnits(points: Float32Array): Float32Array {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const [at, value] of points.entries()) {
    low[at % 2] = Math.min(low[at % 2] ?? 0, value);
    high[at % 2] = Math.max(high[at % 2] ?? 0, value);
  }
  const middle = low.map((value, axis) => (value + (high[axis] ?? 0)) / 2);
  const half = Math.max(...high.map((value, axis) => value - (middle[axis] ?? 0))) || 1;
  return points.map((value, at) => (value - (middle[at % 2] ?? 0)) / half);
}

/** A text without what two writers of the same words may write differently: equal texts are repeats. */
function wordingOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The texts that tasks are about, their vectors, a keyword index, and results that hold until texts are added. */
type Collection = ReturnType<typeof createCollection>;

/** An empty collection. */
export function createCollection() {
  const texts: string[] = [];
  const wordings: string[] = [];
  const rows = createGrowingRows();
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
  let computed: { neighbours?: Neighbours } = {};
  return {
    get texts(): readonly string[] {
      return texts;
    },
    /** Of each text: those with equal ones are repeats. */
    get wordings(): readonly string[] {
      return wordings;
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
      wordings.push(...more.map(wordingOf));
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
 * highest BM25+ of the query, each times its weight. Texts with a score of 0 are left out, repeats are counted at the best.
 *
 * @source convex combination of normalised scores: Bruch, Gai and Ingber 2023 (arXiv:2210.11934); compared with others in
 *   docs/decisions/search.md
 */
export function search(
  collection: Collection,
  { query, vector, share, most }: AnalysisTasks['search']['input'],
): Hit[] {
  const { vectors, wordings } = collection;
  const matches = collection.matches(query);
  const best = [...matches.values()].reduce((highest, { score }) => Math.max(highest, score), 0);
  const weight = vector ? share : 0;
  const found: Omit<Hit, 'isWeak' | 'repeats'>[] = [];
  for (let index = 0; index < vectors.count; index++) {
    const cosine = vector ? dot(rowAt(vectors, index), vector) : 0;
    const match = matches.get(index);
    const meaning = weight * Math.max(0, cosine);
    const words = match ? ((1 - weight) * match.score) / best : 0;
    const score = meaning + words;
    if (score > 0) found.push({ index, score, meaning, words, cosine, terms: match?.terms ?? [] });
  }
  found.sort((a, b) => b.score - a.score || a.index - b.index);
  const repeats = new Map<string, number>();
  const distinct = found.filter(({ index }) => {
    const wording = wordings[index] ?? '';
    const earlier = repeats.get(wording);
    repeats.set(wording, earlier === undefined ? 0 : earlier + 1);
    return earlier === undefined;
  });
  const covers = coverageOf(query, matches, vectors.count);
  return distinct.slice(0, most).map((hit) => ({
    ...hit,
    isWeak: covers(hit.terms) < WEAK_COVERAGE && (!vector || hit.cosine < WEAK_COSINE),
    repeats: repeats.get(wordings[hit.index] ?? '') ?? 0,
  }));
}

/** The share of a query's words that some of them are, each weighted by its inverse document frequency. */
function coverageOf(query: string, matches: ReturnType<Collection['matches']>, count: number) {
  const having = new Map<string, number>();
  for (const { terms } of matches.values()) for (const term of terms) having.set(term, (having.get(term) ?? 0) + 1);
  const rarity = (term: string) => Math.log(1 + count / (having.get(term) ?? 0.5)); // in no text: half a text
  const sum = (terms: Iterable<string>) => [...new Set(terms)].reduce((total, term) => total + rarity(term), 0);
  const tokenize: (text: string) => string[] = MiniSearch.getDefault('tokenize');
  const words = tokenize(query).map((word) => word.toLowerCase());
  const whole = sum(words.filter((word) => word !== ''));
  return (terms: readonly string[]) => (whole === 0 ? 0 : sum(terms) / whole);
}
