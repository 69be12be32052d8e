import { expect, type Page, type Worker } from '@playwright/test';
import type { JobKind } from '../../src/protocol/jobs.ts';
import type { FromWorker, ToWorker } from '../../src/protocol/messages.ts';

/** What became of the jobs that a page gave one of its workers. */
export interface Jobs {
  /** Waits until a job of this kind has reached the worker. */
  begun(kind: JobKind): Promise<void>;
  /** `done`, `failed` or `cancelled`, for each job of this kind that is over. */
  ends(kind: JobKind): Promise<string[]>;
}

/** The workers that are given jobs, by the names of their scripts. */
type Serving = 'inference' | 'documents';

/**
 * The newest: one that has just ended may still be listed.
 *
 * @throws {Error} when the page has no such worker
 */
export function workerOf(page: Page, name: Serving): Worker {
  const worker = page.workers().findLast((each) => each.url().includes(name));
  if (worker) return worker;
  const others = page.workers().map((each) => each.url());
  throw new Error(`no ${name} worker among ${others.join(', ')}`);
}

/** Listens, from now on, to what page and worker say to each other. */
export async function watchJobs(page: Page, name: Serving = 'inference'): Promise<Jobs> {
  const worker = workerOf(page, name);
  const log = await worker.evaluateHandle(() => {
    const heard: { kind: string; end: string }[] = [];
    const kinds = new Map<number, string>();
    const post = globalThis.postMessage.bind(globalThis);
    addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
      if (data.type !== 'run') return;
      kinds.set(data.id, data.kind);
      heard.push({ kind: data.kind, end: '' });
    });
    Reflect.set(globalThis, 'postMessage', (message: FromWorker, transfer: Transferable[]) => {
      if ('id' in message && message.type !== 'progress')
        heard.push({ kind: kinds.get(message.id) ?? '', end: message.type });
      Reflect.apply(post, globalThis, [message, transfer]);
    });
    return heard;
  });
  const heardOf = async (kind: JobKind) => (await log.jsonValue()).filter((each) => each.kind === kind);
  return {
    begun: (kind) => expect.poll(async () => (await heardOf(kind)).length).toBeGreaterThan(0),
    ends: async (kind) => (await heardOf(kind)).flatMap(({ end }) => (end === '' ? [] : [end])),
  };
}
