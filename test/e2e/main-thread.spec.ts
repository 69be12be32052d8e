import { expect } from '@playwright/test';
import { explain } from './calls.ts';
import { test } from './fixture.ts';
import { tasksDuring } from './main-thread.ts';

const SENTENCES = 'The baker opened the shop before dawn. Warm bread filled the window. Children came first, then';

/**
 * More than this and a key press is felt to lag; browsers call it a long task. Counted in processor time, because the
 * clock also counts what other programs and the model's own threads take from the page.
 */
const LONG_MS = 50;

test.describe('the main thread', () => {
  test('stays free while a request is answered', async ({ app }) => {
    const tasks = await tasksDuring(app, () => explain(app, SENTENCES, ' the neighbours'));
    expect(tasks.length).toBeGreaterThan(0);
    expect(tasks.filter(({ cpuMs }) => cpuMs > LONG_MS)).toEqual([]);
  });

  test('stays free while the page draws an explanation', async ({ app }) => {
    const tasks = await tasksDuring(app, async () => {
      await app.getByRole('button', { name: 'Explain', exact: true }).click();
      await expect(app.getByTestId('heat-map').locator('[data-score]').first()).toBeVisible();
      await expect(app.getByRole('button', { name: 'Explain', exact: true })).toBeVisible();
    });
    expect(tasks.length).toBeGreaterThan(0);
    expect(tasks.filter(({ cpuMs }) => cpuMs > LONG_MS)).toEqual([]);
  });
});
