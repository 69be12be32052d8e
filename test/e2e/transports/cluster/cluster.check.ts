import { availableParallelism } from 'node:os';
import { expect, test, type Page } from '@playwright/test';
import { startServer } from '../../../../server/serve.ts';
import { ENGINE_ATTEMPT } from '../../../../src/contract/wire/engine.ts';
import { explainedOn, type Timed } from '../../../../bench/engine/explained-on.ts';
import { startRay, type Ray } from './ray.ts';

const MODEL = 'lightwell-base';
const PYTHON = process.env['CLUSTER_PYTHON'] ?? '';
const FOLDER = process.env['CLUSTER_EXPORT'] ?? '';
/**
 * Two replicas, the page's thread and its worker, the local server, Ray's own processes, and two for a check that runs
 * beside: with fewer cores they share some.
 */
const ENOUGH_CORES = 8;

/** Time with two replicas over that with one, at most. */
const MAX_RATIO = 0.75;

function expectAlike(found: Timed, expected: Timed): void {
  expect(found.ran, found.said).toContain('remote');
  expect(found.scores.length, found.said).toBe(expected.scores.length);
  const worst = Math.max(...found.scores.map((score, i) => Math.abs(score - (expected.scores[i] ?? NaN))));
  expect(worst).toBeLessThanOrEqual(1e-4);
}

/** Page and local server in front of a Ray; `use` gets them with the engine switched on. */
async function through(ray: Ray, page: Page, use: () => Promise<void>): Promise<void> {
  const server = await startServer({ port: 0, engine: { address: ray.url, models: [MODEL], token: undefined } });
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => 'lightwell' in globalThis);
    await page.evaluate(async () => void (await lightwell.ready));
    await page.evaluate(
      ([address, model]) => {
        lightwell.settings.set({ engine: { address, models: { [model]: model }, whenHostingIsNull: true } });
      },
      [ray.url, MODEL] as const,
    );
    await use();
  } finally {
    await server.close();
  }
}

/** The better of two, after one that opens the model. */
async function timed(page: Page, hosting: string | null): Promise<Timed> {
  await explainedOn(page, hosting);
  const [one, other] = [await explainedOn(page, hosting), await explainedOn(page, hosting)];
  return one.ms < other.ms ? one : other;
}

test('a prompt is explained on Ray Serve, also when a replica is killed on the way', async ({ page }) => {
  const cores = availableParallelism();
  let here: Timed | undefined;
  let alone: Timed | undefined;
  const single = await startRay(PYTHON, FOLDER, 1);
  try {
    await through(single, page, async () => {
      here = await timed(page, 'operator');
      expect(here.ran).toBe('here');
      alone = await timed(page, null);
      expectAlike(alone, here);
    });
  } finally {
    await single.stop();
  }
  const pair = await startRay(PYTHON, FOLDER, 2);
  try {
    await through(pair, page, async () => {
      if (!here || !alone) throw new Error('nothing was measured with one replica');
      const both = await timed(page, null);
      expectAlike(both, here);
      console.log(
        `${here.scores.length} sections on ${cores} cores: ${here.ms.toFixed(0)} ms in the page, ` +
          `${alone.ms.toFixed(0)} ms with one replica, ${both.ms.toFixed(0)} ms with two (ratio ${(both.ms / alone.ms).toFixed(2)})`,
      );
      judge(both.ms / alone.ms, cores);
      await killOneOnTheWay(pair, page, here);
    });
  } finally {
    await pair.stop();
  }
});

/** A ratio says something of two replicas only where they have cores of their own. */
function judge(ratio: number, cores: number): void {
  if (cores >= ENOUGH_CORES) return expect(ratio).toBeLessThanOrEqual(MAX_RATIO);
  console.log(
    `the ratio is not judged: replicas, page, server, Ray and another check need ${ENOUGH_CORES} cores, and share ${cores}; ` +
      `with enough it must be ${MAX_RATIO} at most`,
  );
}

async function killOneOnTheWay(ray: Ray, page: Page, here: Timed): Promise<void> {
  const [victim] = await ray.replicas();
  if (victim === undefined) throw new Error('no replica answers');
  let again = 0;
  page.context().on('request', (request) => {
    if (request.headers()[ENGINE_ATTEMPT] === '2') again += 1;
  });
  await page.exposeFunction('killReplica', () => process.kill(victim, 'SIGKILL'));
  await page.evaluate(() => {
    addEventListener('part', () => void (globalThis as unknown as { killReplica(): void }).killReplica(), {
      once: true,
    });
  });
  const survived = await explainedOn(page, null);
  expectAlike(survived, here);
  expect(await isGone(victim)).toBe(true);
  console.log(
    `one replica killed: the result is right, ${again} requests were sent again, ${survived.ms.toFixed(0)} ms`,
  );
}

async function isGone(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const { readFile } = await import('node:fs/promises');
    return (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ');
  } catch {
    return true;
  }
}
