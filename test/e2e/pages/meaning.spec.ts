import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { fitsScreens, leavePicture, tabTo } from '../visitor.ts';

/** Saves a file by a button, and gives its bytes. */
async function saved(page: Page, name: string | RegExp): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function show(page: Page, view: string): Promise<void> {
  await page.getByRole('radio', { name: view, exact: true }).check({ force: true });
}

/** How many colours a canvas has, each on at least 20 pixels. */
function coloursOn(canvas: Locator): Promise<number> {
  return canvas.evaluate((element: HTMLCanvasElement) => {
    const image = element.getContext('2d')?.getImageData(0, 0, element.width, element.height);
    const counts = new Map<number, number>();
    for (const pixel of new Uint32Array(image?.data.buffer ?? [])) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return [...counts.values()].filter((count) => count >= 20).length;
  });
}

/** The map has its neighbourhoods, and nothing is computed any more. */
async function mapDrawn(page: Page): Promise<void> {
  await expect(page.locator('[data-testid=map][data-method=umap]')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('I bring my comments together, and search, map, compare, sort and save them', async ({ freshApp: page }, info) => {
  const picture = (name: string) => leavePicture(page, info, name);

  await test.step('the page says what to do, and shows an example in one click', async () => {
    await page.getByRole('link', { name: 'Meaning' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meaning');
    await expect(page.getByTestId('estimate')).toContainText(/1,000 short texts in about \d+ (second|minute)s?/);
    await expectAccessible(page, 'empty', ['light', 'dark']);
    await page.getByRole('button', { name: 'Show the example' }).click();
    await expect(page.getByTestId('read-outcome')).toHaveText('60 texts read.');
    await mapDrawn(page);
  });

  await test.step('a search finds words and meaning, and tells the share of each', async () => {
    await tabTo(page, page.getByTestId('query'));
    await page.keyboard.type('money back');
    const best = page.getByTestId('hit').first();
    await expect(best).toContainText('money back');
    await expect(best).toContainText(/Score 0\.\d\d: meaning 0\.\d\d \+ words 0\.50/);
    await expect(page.getByTestId('searched')).toContainText('60 texts');
    await expect(best).not.toContainText('Weak match');
    await page.getByTestId('query').fill('quantum physics');
    await expect(page.getByText('Only weak matches: unrelated texts are often as similar.')).toBeVisible();
    await expect(best).toContainText('Weak match');
    await page.getByTestId('query').fill('money back');
    await expect(best).toContainText('money back');
    await page.getByRole('slider', { name: 'Words or meaning' }).press('Home');
    await expect(page.getByTestId('hit').first()).toContainText('meaning 0.00');
    await page.getByRole('slider', { name: 'Words or meaning' }).press('End');
    await expect(page.getByTestId('hit').first()).toContainText('words 0.00');
    await expectAccessible(page, 'search', ['light', 'dark', 'forced colours', 'print']);
    await picture('search');
    const { name, bytes } = await saved(page, 'Save results (CSV)');
    expect(name).toBe('search-results.csv');
    expect(bytes.toString().split('\r\n')[0]).toBe('rank,text,score,meaning,words,cosine,shared words');
  });

  await test.step('a map shows groups with their words; keys walk on it, and its points are a list too', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' }); // where a colour on its way was once read for another one
    await page.getByTestId('query').fill('');
    await mapDrawn(page);
    const map = page.getByTestId('map');
    await expect.poll(() => coloursOn(map.locator('canvas').first()), 'background, five groups').toBeGreaterThan(5);
    await page.emulateMedia({ reducedMotion: null, forcedColors: 'active' });
    await page.getByRole('button', { name: 'Show all', exact: true }).click(); // draws it again
    await expect.poll(() => coloursOn(map.locator('canvas').first()), 'in forced colours too').toBeGreaterThan(5);
    await page.emulateMedia({ forcedColors: null });
    await map.focus();
    await page.keyboard.press('ArrowRight');
    const readout = page.getByTestId('readout');
    await expect(readout.getByRole('listitem')).toHaveCount(5);
    const walked = new Set<string | null>();
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
      await page.keyboard.press(key);
      walked.add(await readout.getByRole('paragraph').first().textContent());
    }
    expect(walked.size, 'texts on the way').toBeGreaterThan(1);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('chosen')).toHaveText('1 text chosen');
    await page.keyboard.press('Escape');
    await page.getByLabel('Colour by').selectOption('topic');
    await expect(page.getByTestId('legend').getByRole('button')).toHaveCount(6);
    await expectAccessible(page, 'map', ['light', 'dark']);
    await picture('map');
  });

  await test.step('numbers have colours in order, and a bar of the chart filters the map and the list', async () => {
    await page.getByLabel('Colour by').selectOption('rating');
    await expect(page.getByText('Texts by rating')).toBeVisible();
    const bars = page.getByTestId('legend').getByRole('button');
    await expect(bars).toHaveText([/^1 \d+$/, /^2 \d+$/, /^3 \d+$/, /^4 \d+$/, /^5 \d+$/]);
    const size = (await bars.first().textContent())?.slice(2);
    await bars.first().press('Enter');
    await expect(page.getByTestId('chosen')).toHaveText(`${size} texts chosen`);
    await expect(bars.first()).toHaveAttribute('aria-pressed', 'true');
    await expectAccessible(page, 'chart', ['light', 'dark', 'forced colours']);
    await bars.first().press('Enter');
    await expect(page.getByTestId('chosen')).toHaveText('All texts as a list');
    await expect(bars.first()).toHaveAttribute('aria-pressed', 'false');
    await page.getByLabel('Colour by').selectOption('topic');
  });

  await test.step('a lasso chooses what it goes around', async () => {
    await page.getByRole('button', { name: 'Lasso' }).click();
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByTestId('map').boundingBox()) ?? {};
    const corners = [
      [0.02, 0.02],
      [0.98, 0.02],
      [0.98, 0.98],
      [0.02, 0.98],
    ] as const;
    await page.mouse.move(x + 0.02 * width, y + 0.5 * height);
    await page.mouse.down();
    for (const [right, down] of corners) await page.mouse.move(x + right * width, y + down * height, { steps: 3 });
    await page.mouse.up();
    await expect(page.getByTestId('chosen')).toHaveText('60 texts chosen');
    await page.getByRole('button', { name: 'Lasso' }).click();
    await page.getByRole('button', { name: /^Choose all of refund/ }).click();
    await expect(page.getByTestId('chosen')).toHaveText('10 texts chosen');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('chosen')).toHaveText('60 texts chosen');
    await page.getByRole('button', { name: /^Choose all of refund/ }).click();
    expect((await saved(page, 'Save SVG')).bytes.toString()).toContain('refund (10)');
    const { bytes } = await saved(page, 'Save PNG');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  await test.step('the chosen texts are compared, each with each', async () => {
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const matrix = page.getByTestId('matrix');
    await expect(matrix.getByRole('row')).toHaveCount(11);
    await matrix.getByRole('cell', { name: '100' }).first().focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/^1 and 2: 0\.\d\d$/)).toBeVisible();
    expect((await saved(page, 'Save SVG')).bytes.toString()).toContain('Similarity of texts');
    await expectAccessible(page, 'similarity', ['light', 'dark']);
    await picture('similarity');
  });

  await test.step('a few examples sort the rest, with an accuracy that was measured', async () => {
    await show(page, 'Sort');
    await page.getByLabel('Take categories from the column').selectOption('topic');
    await page.getByTestId('sort').click();
    await expect(page.getByTestId('accuracy')).toHaveText(
      /^Measured accuracy: \d+ %\. Each of the 60 examples was left out once/,
    );
    await expect(page.getByTestId('sorted').getByRole('row')).toHaveCount(21);
    await expectAccessible(page, 'sorted', ['light', 'dark']);
    await picture('sort');
    await page.getByRole('button', { name: 'Remove price' }).click();
    await expect(page.getByTestId('categories').getByRole('listitem')).toHaveCount(5);
    await expect(page.getByTestId('sort-stale')).toHaveText('The examples have changed since. Sort again.');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByTestId('categories').getByRole('listitem')).toHaveCount(6);
  });

  await test.step('near duplicates are found', async () => {
    await show(page, 'Duplicates');
    await expect(page.getByTestId('duplicates')).toHaveText(/^1 group/);
    await expectAccessible(page, 'duplicates', ['light', 'dark']);
    const { bytes } = await saved(page, /^Save texts without repetitions/);
    expect(bytes.toString().trim().split('\r\n')).toHaveLength(60);
  });

  await test.step('vectors are saved for other tools', async () => {
    await page.getByText('Save vectors').click();
    await page.getByRole('radio', { name: 'NumPy' }).check({ force: true });
    expect((await saved(page, 'Save NumPy')).bytes.length).toBe(128 + 60 * 128 * 4);
    await page.getByRole('radio', { name: 'Parquet' }).check({ force: true });
    expect((await saved(page, 'Save Parquet')).bytes.subarray(0, 4).toString()).toBe('PAR1');
  });

  await test.step('a dropped table asks which column holds the texts; the old texts come back', async () => {
    const csv = 'id;note\n1;The harbour was closed\n2;The bakery smells of bread\n3;Boats wait in the harbour\n';
    await page.getByRole('heading', { level: 1 }).evaluate((heading, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'notes.csv', { type: 'text/csv' }));
      heading.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, csv);
    await expect(page.getByTestId('opened')).toContainText('notes.csv: 3 texts');
    await expect(page.getByLabel('Column with the texts')).toHaveValue('note');
    await expectAccessible(page, 'opened table', ['light', 'dark']);
    await expect(page.getByTestId('estimate')).toContainText(/^3 texts: about 1 second/);
    await page.getByTestId('read').click();
    await expect(page.getByTestId('read-outcome')).toHaveText('3 texts read.');
    await expect(page.getByTestId('duplicates'), 'of the new texts').toContainText('3 texts');
    await show(page, 'Map');
    await page.getByTestId('query').fill('ships');
    await expect(page.getByTestId('hit')).not.toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('read-outcome')).toHaveText('60 texts read.');
  });

  await test.step('a phone needs no sideways scrolling, and German is spoken', async () => {
    for (const view of ['Similarity', 'Sort', 'Duplicates', 'Map']) {
      await show(page, view);
      await fitsScreens(page, view);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await mapDrawn(page);
    await picture('phone');
  });
});
