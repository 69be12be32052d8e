import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import type { EmbedResponse } from '../../../src/contract/embed.ts';
import { cosine } from '../../../src/parts/similarity/similarity.ts';
import { expectAccessible } from '../audit.ts';
import { embed } from '../calls.ts';
import { test } from '../fixture.ts';
import { fitsScreens, leavePicture, tabTo } from '../visitor.ts';

/** A file that a button saves. */
async function saved(page: Page, button: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** The similarity of two texts as the service's own answers have it. */
async function similarityOf(page: Page, texts: readonly [string, string], layer: number): Promise<string> {
  const vectors = await Promise.all(texts.map((text) => embed(page, text, { layers: [layer], pooling: ['max'] })));
  const [a = [], b = []] = vectors.map(({ body }: { body: EmbedResponse }) => body.embeddings[`layer_${layer}`]?.max);
  return cosine(a, b).toFixed(2);
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a visitor sees how similarity changes with depth, and what each layer would predict', async ({
  freshApp: page,
}, info) => {
  await page.getByRole('link', { name: 'Inside', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inside');
  const cells = (row: number) => page.getByTestId('pairs').locator('tbody tr').nth(row).locator('td');

  await test.step('an example is compared without a click, with a table behind the chart', async () => {
    await expect(page.getByTestId('pairs').locator('tbody tr')).toHaveCount(3);
    await expect(cells(0)).toHaveCount(6);
    await expect(page.getByTestId('similarity-lines').locator('.recharts-line')).toHaveCount(3);
  });

  await test.step('another one with one click, and its numbers are those of the service', async () => {
    await page.getByRole('button', { name: 'Two banks' }).click();
    await expect(page.getByTestId('inside-text').first()).toHaveValue('The bank lends money to the farmer.');
    await expect(page.getByTestId('similarity-run')).toBeVisible();
    await page.getByRole('radio', { name: 'Max', exact: true }).check({ force: true });
    const texts = await page
      .getByTestId('inside-text')
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLTextAreaElement ? one.value : '')));
    for (const layer of [0, 3, 5])
      await expect(cells(0).nth(layer)).toHaveText(await similarityOf(page, [texts[0] ?? '', texts[1] ?? ''], layer));
  });

  await test.step('by keyboard: a row shows its line, the slider the matrix of a layer', async () => {
    await tabTo(page, page.getByTestId('pairs').locator('tbody tr').nth(1));
    await expect(page.getByTestId('similarity-lines').locator('[class*=active]')).toHaveCount(1);
    await tabTo(page, page.getByRole('slider', { name: 'Layer' }));
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
    await expect(page.getByTestId('similarity-matrix')).toContainText('at layer 3');
    await expect(page.getByTestId('similarity-matrix').locator('tbody td').nth(1)).toHaveText(
      await cells(0).nth(3).innerText(),
    );
  });

  await test.step('a concept from pairs turns the answer round, by keyboard', async () => {
    await page.getByRole('button', { name: 'Make the concept' }).click();
    const strengths = page.getByTestId('steering-strengths').locator('tbody tr');
    await expect(strengths).toHaveCount(9);
    await expect(page.getByTestId('steering').getByTestId('notice')).toContainText('becomes the likelier one');
    const shown = page.getByTestId('steered');
    const plain = await shown.innerText();
    await tabTo(page, page.getByRole('slider', { name: 'Strength' }));
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await expect(shown).not.toHaveText(plain);
    await expect(shown).toContainText(await strengths.nth(7).locator('td').first().innerText());
    await page.getByTestId('steering-negative').fill('One line.');
    await expect(page.getByTestId('steering-run')).toBeDisabled();
    await expect(page.getByTestId('steering')).toContainText('Enter as many texts on one side');
  });

  await test.step('token by token', async () => {
    await page.getByRole('button', { name: 'Compare tokens' }).click();
    const grid = page.getByTestId('token-grid');
    await expect(grid.locator('tbody tr')).toHaveCount(11);
    await expect(page.getByTestId('tokens').getByTestId('notice')).toContainText('‘␣bank’ is in both texts');
    await page.getByRole('slider', { name: 'Layer' }).press('ArrowLeft');
    await expect(page.getByTestId('tokens-result')).toContainText('has changed');
    await page.getByRole('button', { name: 'Compare tokens' }).click();
    await expect(grid).toContainText('layer 2');
    expect((await saved(page, 'Save tokens (CSV)')).text.split('\r\n')).toHaveLength(1 + 11 * 12);
  });

  await test.step('texts are added, removed and brought back', async () => {
    await page.getByRole('button', { name: 'Add a text' }).click();
    await page.getByTestId('inside-text').last().fill('The river floods the field.');
    await page.getByTestId('similarity-run').click();
    await expect(page.getByTestId('pairs').locator('tbody tr')).toHaveCount(6);
    await page.getByRole('button', { name: 'Remove text 4' }).click();
    await expect(page.getByTestId('inside-text')).toHaveCount(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('inside-text')).toHaveCount(4);
  });

  await test.step('the chart is saved as a drawing and as numbers', async () => {
    const svg = await saved(page, 'Save SVG');
    expect(svg.name).toBe('similarity-by-layer.svg');
    expect(svg.text.match(/<polyline/g)).toHaveLength(12); // six lines and their samples
    expect(svg.text).toContain('The river floods the field.');
    const csv = await saved(page, 'Save CSV');
    expect(csv.text.split('\r\n')).toHaveLength(1 + 6 * 5 * 6);
    expect(csv.text).toContain(
      'The bank lends money to the farmer.,The farmer sits on the bank of the river.,mean,0,0.8',
    );
  });

  await test.step('what each layer would predict ends in what the model says', async () => {
    const rows = page.getByTestId('lens-layers').locator('tbody tr');
    await expect(rows).toHaveCount(6);
    await expect(rows.first()).toContainText('␣green 99 %');
    await expect(page.getByTestId('lens').getByTestId('notice')).toContainText('from layer 4 of 5 on');
    await page.getByTestId('lens').getByTestId('live-prompt').fill('Once upon a');
    await page.getByTestId('lens').getByTestId('live-target').fill('');
    await page.getByTestId('lens').getByTestId('live-prompt').press('ControlOrMeta+Enter');
    await expect(rows.first()).toContainText('␣time');
    await expect(page.getByTestId('lens-grid').locator('thead th')).toHaveCount(4);
    expect((await saved(page, 'Save predictions (CSV)')).text).toContain('" a",5,1," time",');
  });

  await test.step('for everybody: in every look, on a phone', async () => {
    await expectAccessible(page, 'inside');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await leavePicture(page, info, `inside-${colorScheme}`);
    }
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'pooling', exact: true }), 'terms on paper too').toBeVisible();
    await page.emulateMedia({ media: null });
    await fitsScreens(page, 'inside');
    await page.setViewportSize({ width: 360, height: 740 });
    await leavePicture(page, info, 'inside-360');
  });

  await test.step('what cannot be asked says so', async () => {
    for (const box of await page.getByTestId('inside-text').all()) await box.fill('');
    await expect(page.getByText('Enter at least two texts.')).toBeVisible();
    await page.getByTestId('lens').getByTestId('live-prompt').fill('word '.repeat(2000));
    await page.getByTestId('lens-run').click();
    await expect(page.getByRole('alert').filter({ hasText: 'too long' })).toBeVisible();
    await expectAccessible(page, 'a problem', ['light', 'dark']);
  });
});
