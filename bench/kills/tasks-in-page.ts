import { createDownloadsClient, createModelStorage } from '../../src/downloads/downloads.ts';
import { readPdf } from '../../src/files/pdf/read-pdf.ts';
import { embeddedModels } from '../../src/models/catalogue.ts';
import { createAnalysisClient } from '../../src/pages/meaning/analysis-client.ts';
import type { FetchPlan } from '../../src/protocol/download-tasks.ts';
import { wrappedPdf } from '../../test/support/files/pdf-file.ts';
import { newest, noteWorkers } from './crashing-service.ts';

/** The workers that serve no request, but tasks of the page. */
export const TASK_WORKERS = ['analysis', 'downloads', 'pdf'] as const;
export type TaskWorker = (typeof TASK_WORKERS)[number];

/** A task whose worker was terminated, and the same task after it. */
export interface TaskKill {
  readonly worker: TaskWorker;
  /** What the task rejected with; `HANG` if it did not settle; null: it had its right result. */
  readonly problem: string | null;
  readonly isNextRight: boolean;
  /** From `terminate()` until the task settled. */
  readonly settledMs: number;
}

/** The problem of a task that does not settle. */
export const HANG = 'hang';

/** A task that has not settled by then hangs: a worker may be silent for a minute. */
const HANG_MS = 120_000;

interface PageTask {
  /** Brings about the state before the task. */
  readonly prepare?: () => Promise<void>;
  /** @returns what has to be the same each time */
  readonly run: () => Promise<string>;
}

interface LearntTask extends PageTask {
  readonly expected: string;
  readonly ms: number;
}

const learnt = new Map<TaskWorker, LearntTask>();

/** Runs the task of a worker undisturbed, and stores its result and its time. */
export async function learnTask(worker: TaskWorker): Promise<void> {
  if (learnt.size === 0) noteWorkers();
  const task = await TASKS[worker]();
  await task.prepare?.();
  const startedMs = performance.now();
  const expected = await task.run();
  learnt.set(worker, { ...task, expected, ms: performance.now() - startedMs });
}

/** Terminates a worker during its task. @param when  share of the time that the task took undisturbed */
export async function killDuringTask(worker: TaskWorker, when: number): Promise<TaskKill> {
  const task = learnt.get(worker);
  if (!task) throw new Error(`expected a worker whose task was learnt, got ${worker}`);
  await task.prepare?.();
  let isSettled = false;
  const settled = task
    .run()
    .then(
      (got) => (got === task.expected ? null : `another result: ${got.slice(0, 200)}`),
      (error: unknown) => String(error),
    )
    .finally(() => (isSettled = true));
  await delay(when * task.ms);
  if (isSettled) return killDuringTask(worker, when / 2); // it took less time than before
  newest.get(worker)?.worker.terminate();
  const killedMs = performance.now();
  const problem = await Promise.race([settled, delay(HANG_MS).then(() => HANG)]);
  const settledMs = performance.now() - killedMs;
  const next = await Promise.race([task.run().catch(String), delay(HANG_MS).then(() => HANG)]);
  if (next !== task.expected) console.error(`after the end of ${worker}: ${next.slice(0, 300)}`);
  return { worker, problem, isNextRight: next === task.expected, settledMs };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const TASKS: Readonly<Record<TaskWorker, () => Promise<PageTask>>> = {
  analysis: analysisTask,
  downloads: downloadTask,
  pdf: async () => ({ run: async () => (await readPdf(wrappedPdf(PARAGRAPHS), {})).text }),
};

/** Some 500 pages. */
const PARAGRAPHS = Array.from({ length: 3_000 }, (_, i) =>
  `Paragraph ${i} tells of the lighthouse, of the harbour and of the ships that came in after the storm. `.repeat(5),
);

const TEXTS = 600;
const WIDTH = 64;

/** The map of a collection, and a search that a new worker can answer only if it got the texts again. */
async function analysisTask(): Promise<PageTask> {
  const analysis = createAnalysisClient();
  const texts = Array.from({ length: TEXTS }, (_, i) => `text ${i} of the ${i % 2 ? 'harbour' : 'market'}`);
  const collection = () => ({ texts, vectors: new Float32Array(TEXTS * WIDTH).map((_, i) => Math.sin(i * i) / 6) });
  analysis.remember(collection);
  await analysis.run('add', { isNew: true, ...collection() });
  return {
    async run() {
      const { points } = await analysis.run('project', { method: 'umap' });
      const search = { query: 'text 7 harbour', vector: null, share: 0, most: 3 };
      const { hits } = await analysis.run('search', search);
      return JSON.stringify({ points: points.length, hits });
    },
  };
}

/** A download of an embedded model; the one after it goes on with what is stored. */
async function downloadTask(): Promise<PageTask> {
  const downloads = createDownloadsClient();
  const storage = createModelStorage();
  const plan = planOf();
  return {
    prepare: () => storage.remove(plan.name),
    async run() {
      await downloads.run('fetch', { plan, token: null });
      const { complete } = await storage.list();
      const model = complete.find(({ name }) => name === plan.name);
      if (!model) throw new Error(`expected ${plan.name} among the stored models, got ${complete.length} others`);
      const held = await storage.open(model);
      return JSON.stringify(Object.entries(held).map(([path, { size }]) => [path, size]));
    },
  };
}

function planOf(): FetchPlan {
  const [model] = embeddedModels(new URL('/models/', location.href).href);
  if (!model) throw new Error('expected an embedded model, got none');
  const { name, folder, files = {} } = model;
  const from = { hub: location.origin, id: name, revision: 'main', commit: 'main', subfolder: '', licence: null };
  const listed = Object.entries(files).map(([path, { bytes, sha256 = null }]) => ({
    path,
    url: folder + path,
    bytes,
    sha256,
    gitHash: null,
  }));
  return { name, from, files: listed };
}
