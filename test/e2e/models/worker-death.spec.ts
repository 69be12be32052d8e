import { expect, type Page } from '@playwright/test';
import { embed, explain, scoresOf } from '../calls.ts';
import { open, test } from '../fixture.ts';
import { watchJobs, workerOf } from '../worker-jobs.ts';

/** Keeps the page's workers within reach: what ends them from outside is a script of the page. */
function keepWorkers(): void {
  const Original = globalThis.Worker;
  const workers: Worker[] = [];
  Reflect.set(globalThis, 'workers', workers);
  globalThis.Worker = class extends Original {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      workers.push(this);
    }
  };
}

/** Longer than a worker may be silent. */
const SILENCE_MS = 61_000;

/** What ends a worker under its job. */
const DEATHS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  // Nobody in the worker catches it: what a bug in WebAssembly looks like.
  'throws an error': (page) =>
    workerOf(page, 'inference').evaluate(() => {
      setTimeout(() => {
        throw new Error('the test broke this worker');
      });
    }),
  'closes itself': (page) => workerOf(page, 'inference').evaluate(() => void setTimeout(() => self.close())),
};

/** Workers that the page has started so far. */
function startsOf(page: Page): Promise<number> {
  return page.evaluate(() => (Reflect.get(globalThis, 'workers') as Worker[]).length);
}

test('a worker that dies is built again, and its request answered as if nothing had happened', async ({
  page,
  backend,
}) => {
  await page.addInitScript(keepWorkers);
  await page.clock.install();
  await open(page, backend);
  const ask = () => explain(page, 'The old lighthouse keeper walked down to the harbour. '.repeat(2), ' and went home');
  const right = scoresOf((await ask()).body).flat();

  const expectRight = async (asking: ReturnType<typeof ask>) => {
    const { status, body } = await asking;
    expect(status, JSON.stringify(body)).toBe(200);
    scoresOf(body)
      .flat()
      .forEach((score, at) => expect(score).toBeCloseTo(right[at] ?? NaN, 5));
  };

  for (const [name, die] of Object.entries(DEATHS))
    await test.step(name, async () => {
      const jobs = await watchJobs(page);
      const starts = await startsOf(page);
      const asking = ask();
      await jobs.begun('explain');
      await Promise.allSettled([die(page)]); // the worker may end before the call has come back
      await expectRight(asking);
      await expect.poll(() => startsOf(page)).toBe(starts + 1); // a fast machine may have answered before the end
      expect((await embed(page, 'hello')).status).toBe(200); // the new worker is there, for the next step
    });

  await test.step('is stuck', async () => {
    const starts = await startsOf(page);
    // Before it is asked: a fast machine may have answered before the loop begins.
    await workerOf(page, 'inference').evaluate(() => {
      setTimeout(() => {
        for (;;);
      });
    });
    const asking = ask();
    // The page's own clock: a real minute would say no more. A new worker is given all the time it needs.
    await expect
      .poll(async () => {
        if ((await startsOf(page)) === starts) await page.clock.fastForward(SILENCE_MS);
        return startsOf(page);
      })
      .toBe(starts + 1);
    await expectRight(asking);
  });

  await test.step('is terminated while nothing runs, and replaced before anything is asked', async () => {
    const starts = await startsOf(page);
    await page.evaluate(() => (Reflect.get(globalThis, 'workers') as Worker[]).at(-1)?.terminate());
    await expect.poll(() => startsOf(page)).toBe(starts + 1);
    expect((await embed(page, 'hello')).status).toBe(200);
  });
});
