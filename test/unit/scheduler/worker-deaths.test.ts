import { problemFrom } from '../../../workers/downloads/hub.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnalysisClient } from '../../../src/pages/meaning/analysis-client.ts';
import { readWord } from '../../../src/files/read-word.ts';
import { createDownloadsClient } from '../../../src/downloads/downloads.ts';
import { createScheduler } from '../../../src/scheduler/scheduler.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { createAnalysisTasks } from '../../../workers/analysis/tasks.ts';
import { nextTask } from '../../../src/contract/pause.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import { extractText } from '../../../workers/operations/extract-text.ts';
import type { ServeOptions, TaskContext, TaskFunctions } from '../../../workers/serving/serve.ts';
import { docxFiles, paragraph } from '../../support/files/docx.ts';
import { zipOf } from '../../support/files/write-zip.ts';
import { embedJob } from '../../support/fakes/jobs.ts';
import { servedPort } from '../../support/workers/served-port.ts';

const DEATHS = 50;
/** Of a task. */
const STEPS = 2;
/** Within which a worker dies after it got its tasks. */
const MOST_STEPS = 16;
const random = seededRandom(7);

/** Workers with the code that they really have, which are killed. */
function mortal(functions: () => TaskFunctions, options?: ServeOptions) {
  let newest: WorkerPort | undefined;
  const spawn = () => (newest = servedPort(functions(), options));
  const kill = () => {
    newest?.terminate();
    newest?.onlost?.('killed');
  };
  return { spawn, kill };
}

/** A task of some steps. */
async function work(_: unknown, { checkpoint, progress }: TaskContext<object>) {
  for (let done = 0; done < STEPS; done++) {
    progress({ phase: 'run', done, total: STEPS });
    await checkpoint();
  }
  return 'right';
}

/**
 * Kills a worker at a random moment of two calls, many times.
 *
 * @param call  one that still waits after a death fails by the test's time limit
 * @returns     how often calls were answered and how often they were lost; the call after each death is answered right
 */
async function killOften(call: () => Promise<unknown>, kill: () => void) {
  const counts = { answered: 0, lost: 0 };
  for (let death = 0; death < DEATHS; death++) {
    const calls = [call(), call()];
    for (let step = Math.floor(random() * MOST_STEPS); step > 0; step--) await nextTask();
    kill();
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'fulfilled') counts.answered++;
      else if (String(result.reason).includes('killed')) counts.lost++;
      else throw result.reason;
    }
    await call();
  }
  return counts;
}

describe('a worker that is killed under its tasks', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());

  it('loses no job of the scheduler: each runs again', async () => {
    const { spawn, kill } = mortal(() => ({ embed: work }));
    const scheduler = createScheduler({ spawn });
    const call = async () =>
      expect(await scheduler.submit('embed', embedJob('hello'))).toEqual({ ok: true, value: 'right' });
    expect(await killOften(call, kill)).toEqual({ answered: 2 * DEATHS, lost: 0 });
    scheduler.dispose();
  });

  it('settles every task of an analysis, and the next worker has the texts', async () => {
    const { spawn, kill } = mortal(createAnalysisTasks);
    const analysis = createAnalysisClient(spawn);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const vectors = () => Float32Array.from({ length: 2 * texts.length }, (_, at) => Math.sin(at + 1));
    analysis.remember(() => ({ texts, vectors: vectors() }));
    await analysis.run('add', { isNew: true, texts, vectors: vectors() });
    const call = async () =>
      expect((await analysis.run('project', { method: 'pca' })).points).toHaveLength(2 * texts.length);
    const { answered, lost } = await killOften(call, kill);
    expect(answered + lost).toBe(2 * DEATHS);
    expect(Math.min(answered, lost), `${answered} answered, ${lost} lost`).toBeGreaterThan(5);
    analysis.end();
  });

  it('settles every download', async () => {
    const { spawn, kill } = mortal(() => ({ fetch: work }), { failureOf: problemFrom });
    const keeping = createDownloadsClient(spawn);
    const plan = { name: 'owner/model', from: null, files: [] };
    const call = async () => expect(await keeping.run('fetch', { plan: plan as never, token: null })).toBe('right');
    const { answered, lost } = await killOften(call, kill);
    expect(answered + lost).toBe(2 * DEATHS);
    expect(Math.min(answered, lost), `${answered} answered, ${lost} lost`).toBeGreaterThan(5);
    kill();
  });

  it('settles every reading of a Word file', async () => {
    const ports = new Set<WorkerPort>();
    const spawn = () => {
      const port = servedPort({ extractText });
      ports.add(port);
      return port;
    };
    const kill = () => {
      for (const port of ports) {
        port.terminate();
        port.onlost?.('killed');
      }
      ports.clear();
    };
    const call = async () =>
      expect(await readWord(zipOf(docxFiles(paragraph('Rent'))), {}, spawn)).toMatchObject({ text: 'Rent' });
    const { answered, lost } = await killOften(call, kill);
    expect(answered + lost).toBe(2 * DEATHS);
    expect(lost, `${answered} answered, ${lost} lost`).toBeGreaterThan(5);
  });
});
