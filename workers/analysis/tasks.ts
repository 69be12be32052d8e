import type { AnalysisKind, AnalysisProgress, AnalysisTasks } from '../../src/protocol/analysis-tasks.ts';
import type { Collection } from './collection.ts';
import { dot, rowAt } from './rows.ts';
import { duplicateGroups } from './duplicates.ts';
import { groupsOf } from './map/clusters.ts';
import { wordsOfGroups } from './map/cluster-words.ts';
import { principalComponents } from './map/principal-components.ts';
import { LEAST_ROWS, umapOf } from './map/umap.ts';
import { nearestOf, type Neighbours } from './neighbours.ts';
import type { Turns } from './pause.ts';
import { search } from './search.ts';
import { sortByExamples } from './sorting/sort-by-examples.ts';

/** What a task is given besides its input. */
export interface TaskContext {
  readonly collection: Collection;
  readonly turns: Turns;
  readonly progress: (progress: AnalysisProgress) => void;
}

type Task<K extends AnalysisKind> = (
  input: AnalysisTasks[K]['input'],
  context: TaskContext,
) => AnalysisTasks[K]['output'] | Promise<AnalysisTasks[K]['output']>;

/** What umap-learn takes by default, a text itself left out. */
const NEIGHBOURS = 14;
const WORDS_OF_CLUSTER = 4;
/** Pictures of a map on its way, in all: each is sent and drawn. */
const PICTURES = 60;

/** Every task, by its kind. */
export const TASKS: { readonly [K in AnalysisKind]: Task<K> } = {
  add({ isNew, texts, vectors }, { collection }) {
    if (isNew) collection.clear();
    collection.add(texts, vectors);
    return { count: collection.texts.length };
  },
  search({ query, vector, share, most }, { collection }) {
    return { hits: search(collection, { text: query, vector, share }, most) };
  },
  project: ({ method }, context) => project(method, context),
  async cluster({ count }, { collection: { vectors, texts }, turns }) {
    const grouping = await groupsOf(vectors, count, turns);
    const words = wordsOfGroups(texts, grouping, WORDS_OF_CLUSTER);
    const sizes = new Int32Array(grouping.count);
    for (const label of grouping.labels) sizes[label] = (sizes[label] ?? 0) + 1;
    return { labels: grouping.labels, clusters: words.map((own, label) => ({ words: own, size: sizes[label] ?? 0 })) };
  },
  neighbours({ index, most }, { collection: { vectors } }) {
    const asked = rowAt(vectors, index);
    const all = Array.from({ length: vectors.count }, (_, each) => ({
      index: each,
      cosine: dot(rowAt(vectors, each), asked),
    }));
    const others = all.filter((each) => each.index !== index).sort((a, b) => b.cosine - a.cosine);
    return { neighbours: others.slice(0, most) };
  },
  similarities({ indices }, { collection: { vectors } }) {
    const chosen = indices.map((index) => rowAt(vectors, index));
    return { cosines: Float32Array.from(chosen.flatMap((one) => chosen.map((other) => dot(one, other)))) };
  },
  async duplicates({ least }, context) {
    return {
      groups: duplicateGroups(
        await knownNeighbours(context, (done, total) => context.progress({ done, total })),
        least,
      ),
    };
  },
  classify: (input, { collection, turns }) => sortByExamples(collection.vectors, input, turns),
};

async function project(method: 'pca' | 'umap', context: TaskContext): Promise<AnalysisTasks['project']['output']> {
  const { collection, turns, progress } = context;
  const { points, explained } = await principalComponents(collection.vectors, turns);
  if (method === 'pca') return { points: inUnits(points), explained };
  if (collection.texts.length < LEAST_ROWS) return { points: inUnits(points), explained };
  const half = 100; // finding neighbours and moving points take about as long
  const neighbours = await knownNeighbours(context, (done, total) =>
    progress({ done: (half * done) / total, total: 2 * half }),
  );
  const onStep = (done: number, total: number, places: () => Float32Array) => {
    const isShown = done % Math.max(1, Math.floor(total / PICTURES)) === 0 && done < total;
    if (isShown) progress({ done: half + (half * done) / total, total: 2 * half, part: inUnits(places()) });
  };
  return { points: inUnits(await umapOf({ neighbours, begin: points }, { turns, onStep })), explained: null };
}

async function knownNeighbours(
  { collection, turns }: TaskContext,
  progress: (done: number, total: number) => void,
): Promise<Neighbours> {
  const { computed, vectors } = collection; // others replace them when texts are added meanwhile
  return (computed.neighbours ??= await nearestOf(vectors, NEIGHBOURS, turns, progress));
}

/** The same places around 0, of which the farthest on either axis is at 1. */
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
