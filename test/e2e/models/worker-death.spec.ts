import { expect, type Worker } from '@playwright/test';
import { embed, explain, textOfTokens } from '../calls.ts';
import { test } from '../fixture.ts';
import { inferenceWorker, watchJobs } from '../inference-jobs.ts';

/** An error that nobody in the worker catches: what running out of memory or a bug in WebAssembly looks like. */
async function breakWorker(worker: Worker): Promise<void> {
  const closed = worker.waitForEvent('close');
  const broken = worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('the test broke this worker');
    });
  });
  await Promise.allSettled([broken]); // the page may end the worker before the call has come back
  await closed;
}

test.describe('a worker that dies', () => {
  test('settles its jobs, and is built again', async ({ app }) => {
    const prompt = await textOfTokens(app, 100);
    const jobs = await watchJobs(app);
    const running = explain(app, prompt, ' and went home');
    await jobs.begun('explain');
    const waiting = embed(app, 'hello');
    await breakWorker(inferenceWorker(app));
    for (const { status } of await Promise.all([running, waiting])) expect([200, 503]).toContain(status);
    expect((await embed(app, 'hello again')).status).toBe(200);
  });

  test('is built again when it died idle', async ({ app }) => {
    await breakWorker(inferenceWorker(app));
    expect([200, 503]).toContain((await embed(app, 'hello')).status);
    expect((await embed(app, 'hello again')).status).toBe(200);
  });
});
