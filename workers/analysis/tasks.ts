import type { AnalysisKind, AnalysisProgress, AnalysisTasks } from '../../src/protocol/analysis-tasks.ts';
import type { TaskContext } from '../serving/serve.ts';
import { clustersOf } from './clusters.ts';
import { type Collection, createCollection, search } from './collection.ts';
import { duplicateGroups, nearestOf } from './neighbours.ts';
import { principalComponents, umapOf } from './projection.ts';
import { dot, rowAt, type Rows } from './rows.ts';
import { sortByExamples } from './sort-by-examples.ts';

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
    classify: (input, { checkpoint }) => sortByExamples(collection.vectors, input, createPause(checkpoint)),
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
