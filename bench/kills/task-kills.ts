import type { Browser } from 'playwright';
import type { Rows } from '../app.ts';
import { openPage, quantile } from './kills.ts';
import { HANG, TASK_WORKERS, type TaskKill, type TaskWorker } from './tasks-in-page.ts';

/** Terminates each worker that runs tasks of the page `count` times, at different moments of a task. One row for each worker. */
export async function taskKills(browser: Browser, url: string, count: number): Promise<Rows> {
  const rows: Rows[number][] = [];
  for (const worker of TASK_WORKERS) rows.push(rowOf(worker, await killsOf(browser, url, worker, count)));
  return rows;
}

async function killsOf(browser: Browser, url: string, worker: TaskWorker, count: number): Promise<TaskKill[]> {
  const context = await browser.newContext();
  const page = await openPage(context, url);
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  await page.evaluate((name) => Reflect.get(globalThis, 'benches').learnTask(name), worker);
  const all: TaskKill[] = [];
  for (let index = 0; index < count; index++) {
    // The golden ratio spreads the moments evenly, whatever the number of kills.
    const when = ((index * 0.618034) % 1) * 0.9;
    all.push(
      await page.evaluate((given) => Reflect.get(globalThis, 'benches').killDuringTask(...given), [worker, when]),
    );
  }
  await context.close();
  return all;
}

function rowOf(worker: TaskWorker, all: readonly TaskKill[]): Rows[number] {
  const settled = all.map(({ settledMs }) => settledMs).toSorted((a, b) => a - b);
  const hangs = all.filter(({ problem }) => problem === HANG).length;
  const completed = all.filter(({ problem }) => problem === null).length;
  return {
    worker,
    kills: all.length,
    failed: all.length - hangs - completed,
    completed,
    hangs,
    'next task wrong': all.filter(({ isNextRight }) => !isNextRight).length,
    settledP50Ms: quantile(settled, 0.5),
    settledP99Ms: quantile(settled, 0.99),
    problems: [...new Set(all.map(({ problem }) => problem))].join('; '),
  };
}
