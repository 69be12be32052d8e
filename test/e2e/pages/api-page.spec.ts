import { expect, type Page } from '@playwright/test';
import { test } from '../fixture.ts';

async function openApiPage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'API' })).toBeVisible();
}

test.describe('the API page', () => {
  test.beforeEach(({ app }) => openApiPage(app));

  test('sends the example of an operation and folds what is long', async ({ app }) => {
    await app.getByText('/embed', { exact: true }).click();
    await app.getByTestId('send').click();
    await expect(app.getByTestId('api-status')).toHaveText('200 OK');
    const answer = app.getByTestId('api-answer');
    await expect(answer).toContainText('"layer_5"');
    const folded = (await answer.textContent()) ?? '';
    await answer.getByRole('button', { name: /more$/ }).click();
    await expect(answer.getByRole('button')).toHaveCount(0);
    const opened = JSON.parse((await answer.textContent()) ?? '');
    expect(opened.embeddings.layer_5.mean.length).toBeGreaterThan(100);
    expect(folded.length).toBeLessThan(500);
  });

  test('shows a refusal as any client would get it, and says when a body is no JSON', async ({ app }) => {
    await app.getByText('/explain', { exact: true }).click();
    const body = app.getByTestId('api-body');
    await body.fill('{"model": "lightwell-base", "prompt": 5}');
    await app.keyboard.press('Control+Enter');
    await expect(app.getByTestId('api-status')).toHaveText('400 Bad Request');
    await expect(app.getByTestId('api-answer')).toContainText('prompt: expected');
    await body.fill('{"model": ');
    await expect(app.getByText(/^Invalid JSON/)).toBeVisible();
    await app.getByRole('button', { name: 'Reset' }).click();
    await expect(body).toHaveValue(/"target": " Luigi's"/);
    await app.getByRole('button', { name: 'Undo' }).click();
    await expect(body).toHaveValue('{"model": ');
    await app.getByRole('button', { name: 'Reset' }).click();
  });

  test('writes the request as code that works from outside', async ({ linked: { page: app } }) => {
    await openApiPage(app);
    await expect(app.getByTestId('transport').filter({ hasText: 'Programs' })).toContainText('Connected');
    await app.getByText('/model-settings', { exact: true }).click();
    await app.getByText('JavaScript', { exact: true }).click();
    await expect(app.getByTestId('snippet')).toContainText('YOUR_TOKEN');
    await app.getByLabel('Show my token').check();
    const code = (await app.getByTestId('snippet').textContent()) ?? '';
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    const printed: unknown[] = [];
    await new AsyncFunction('console', code)({ log: (...values: unknown[]) => printed.push(...values) });
    expect([printed[0], JSON.stringify(printed[1])]).toEqual([200, expect.stringContaining('lightwell-base')]);
  });

  test('can be used with the keyboard alone', async ({ app }) => {
    await app.getByRole('radio', { name: '/explain' }).focus();
    await app.keyboard.press('ArrowDown');
    await expect(app.getByRole('radio', { name: /^POST \/complete(?!\/)/ })).toBeChecked();
    await app.keyboard.press('Tab');
    await expect(app.getByTestId('api-body')).toBeFocused();
    await app.keyboard.press('Tab');
    await app.keyboard.press('Enter');
    await expect(app.getByTestId('api-status')).toHaveText('200 OK');
  });
});
