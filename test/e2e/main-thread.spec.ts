import { expect } from '@playwright/test';
import { explain } from './calls.ts';
import { test } from './fixture.ts';

const SENTENCES = 'The baker opened the shop before dawn. Warm bread filled the window. Children came first, then';

test('the page stays at hand while an explanation runs', async ({ app }) => {
  await app.evaluate(() => {
    const found: number[] = [];
    Object.assign(globalThis, { longTasks: found });
    new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await app.getByRole('button', { name: /Explain/ }).click();
  await expect(app.getByTestId('heat-map').first().locator('[data-score]').first()).toBeVisible();
  expect((await explain(app, SENTENCES, ' the neighbours')).status).toBe(200);
  const longTasks = await app.evaluate(() => Reflect.get(globalThis, 'longTasks'));
  expect(longTasks, 'tasks of more than 50 ms on the main thread').toEqual([]);
});
