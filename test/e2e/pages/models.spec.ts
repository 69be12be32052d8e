import { expect } from '@playwright/test';
import { MODEL } from '../calls.ts';
import { test } from '../fixture.ts';
import { tabTo } from '../visitor.ts';

test.describe('the cards of the models', () => {
  test('are reached from the badge of the model that runs', async ({ app }) => {
    await app.getByTestId('model-badge').click();
    await expect(app).toHaveURL(new RegExp(`#/models/${MODEL}$`));
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Models');
    const card = app.getByTestId('model-card');
    await expect(card.getByRole('heading', { level: 2 })).toHaveText(MODEL);
    await expect(card.getByText('cc-by-sa-4.0')).toBeVisible();
    await expect(card.getByRole('columnheader', { name: '3-gram' }), 'sections are folded').toHaveCount(0);
    await card.locator('summary', { hasText: 'Figures on text' }).click();
    const figures = card.getByRole('table').filter({ has: app.getByRole('columnheader', { name: '3-gram' }) });
    await expect(figures.getByRole('row').filter({ hasText: 'dialogues' })).toContainText(/\d+\.\d/);
    for (const part of [/^Data$/, /^Figures/, /^Limitations$/, /^How to rebuild$/])
      await expect(card.getByRole('heading', { name: part }).first(), part.source).toBeVisible();
  });

  test('are reached from the settings, and each lists its figures', async ({ app }) => {
    for (const [name, baseline] of [
      ['lightwell-embed', 'BM25'],
      ['lightwell-reader', 'word overlap'],
    ] as const) {
      await app.getByRole('link', { name: 'Settings' }).click();
      await app.getByRole('main').getByRole('link', { name }).click();
      const card = app.getByTestId('model-card');
      await expect(card.getByRole('heading', { level: 2 })).toHaveText(name);
      for (const section of await card.locator('summary', { hasText: 'Figures' }).all()) await section.click();
      await expect(card.getByRole('table').filter({ hasText: baseline }).first()).toBeVisible();
    }
  });

  test('stand below a field in which the model continues a text, and say where it ran', async ({ app }) => {
    await app.getByTestId('model-badge').click();
    await app.getByTestId('writing-prompt').fill('The cat sat on the');
    await app.getByTestId('writing-run').click();
    await expect(app.getByTestId('written-on')).toContainText(/^(WASM|WebGPU)/);
    await expect(app.getByTestId('written-text')).toHaveText(/^The cat sat on the .+/);
    await app.getByRole('navigation', { name: 'Models' }).getByRole('link', { name: 'lightwell-embed' }).click();
    await expect(app.getByTestId('model-card')).toBeVisible();
    await expect(app.getByTestId('writing-prompt')).toHaveCount(0); // it writes nothing
  });

  test.describe('where no service worker fetches beside the page', () => {
    test.use({ serviceWorkers: 'block' }); // what one fetches passes by the routes below

    // The card needs no model: this page does not wait for one.
    test('are fetched when they are asked for, say so when that fails, and make nothing of HTML', async ({ page }) => {
      await page.goto('/?backend=wasm#/models');
      await expect(page.getByTestId('model-card')).toBeVisible();
      const file = '**/lightwell-reader/README.md';
      await page.route(file, (route) => route.abort('internetdisconnected')); // surer than the browser's ‘offline’
      await page.goto('/?backend=wasm#/models/lightwell-reader');
      await expect(page.getByRole('alert')).toContainText('The card could not be fetched');
      await page.unroute(file);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByTestId('model-card').getByRole('heading', { level: 2 })).toHaveText('lightwell-reader');

      const text =
        '# A <img src="x" onerror="document.title = 1">\n\n<script>document.title = 2</script>\n\n[a](javascript:alert(3))';
      await page.route('**/lightwell-embed/README.md', (route) => route.fulfill({ body: text }));
      await page.goto('/?backend=wasm#/models/lightwell-embed');
      const card = page.getByTestId('model-card');
      await expect(card).toContainText('<img src="x" onerror="document.title = 1">');
      await expect(card).toContainText('<script>document.title = 2</script>');
      await expect(card.locator('img, script, a')).toHaveCount(0);
    });
  });

  test('and the models that one brings are reached by the keyboard alone', async ({ app }) => {
    await tabTo(app, app.getByRole('link', { name: 'Models' }));
    await app.keyboard.press('Enter');
    await tabTo(app, app.getByRole('main').getByRole('link', { name: 'lightwell-embed' }));
    await app.keyboard.press('Enter');
    await expect(app.getByTestId('model-card').getByRole('heading', { level: 2 })).toHaveText('lightwell-embed');
    const own = app.getByTestId('own-models');
    await tabTo(app, own.locator('> summary'));
    await app.keyboard.press('Enter');
    await tabTo(app, own.getByLabel('Model', { exact: true }));
    await app.keyboard.insertText('no owner');
    await app.keyboard.press('Enter');
    await expect(own.getByRole('alert')).toBeVisible();
  });

  test('are not there for a model of another name', async ({ app }) => {
    await app.goto(`${app.url().split('#')[0]}#/models/none`);
    await expect(app.getByRole('alert').filter({ hasText: 'No model named ‘none’.' })).toBeVisible();
  });
});
