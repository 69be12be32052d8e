import { expect, type Locator, type Page } from '@playwright/test';
import { csvText } from '../../src/files/table/csv-text.ts';
import { test } from '../../test/e2e/fixture.ts';
import { recallAt } from '../measures/ranking/nearness.ts';
import { sampleOf } from '../measures/sample.ts';
import { squadRows } from './squad-passages.ts';

const PARAGRAPHS = 1_000;
const QUESTIONS = 1_000;

/** Hits that the page shows before a visitor asks for more. */
const SHOWN = 10;

/** Stops of the page's slider, and what each searches by; the page starts at the last of them. */
const WAYS = { words: 0, meaning: 10, both: 5 } as const;

/** Opens the paragraphs as a visitor's table, and waits until all are read. */
async function read(page: Page, paragraphs: readonly string[]): Promise<void> {
  const table = csvText([['paragraph'], ...paragraphs.map((paragraph) => [paragraph])]);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Open files/ }).click();
  await (await chooser).setFiles([{ name: 'paragraphs.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }]);
  await expect(page.getByTestId('opened')).toContainText(`${PARAGRAPHS.toLocaleString('en')} texts`);
  await page.getByTestId('read').click();
  await expect(page.getByTestId('read-outcome')).toContainText(`${PARAGRAPHS.toLocaleString('en')} texts read.`);
}

/** Place of a paragraph among the hits that are shown, from 1; Infinity where it is not among them. */
async function placeOf(results: Locator, paragraph: number): Promise<number> {
  await expect(results).toHaveAttribute('aria-busy', 'false');
  const shown = await results
    .getByTestId('hit')
    .evaluateAll((hits) => hits.map((hit) => Number(hit.getAttribute('data-index'))));
  expect(shown.length).toBeLessThanOrEqual(SHOWN);
  const place = shown.indexOf(paragraph);
  return place < 0 ? Infinity : place + 1;
}

test(`questions search ${PARAGRAPHS} of SQuAD's paragraphs by words, by meaning, by both`, async ({
  freshApp: page,
}) => {
  const rows = squadRows();
  const paragraphs = [...new Set(rows.map(({ context }) => context))].slice(0, PARAGRAPHS);
  const asked = sampleOf(
    rows.filter(({ context }) => paragraphs.includes(context)),
    QUESTIONS,
  );
  await page.evaluate(() => void (location.hash = '#/meaning'));
  await read(page, paragraphs);
  console.log(`\n${await page.getByTestId('read-outcome').innerText()}`);

  const slider = page.getByRole('slider', { name: 'Words or meaning' });
  const results = page.getByTestId('results');
  const places: Record<string, number[]> = { words: [], meaning: [], both: [] };
  for (const { question, context } of asked) {
    await page.getByTestId('query').fill(question);
    for (const [way, stop] of Object.entries(WAYS)) {
      await slider.fill(String(stop));
      places[way]?.push(await placeOf(results, paragraphs.indexOf(context)));
    }
  }
  for (const [way, own] of Object.entries(places)) {
    const [ten = 0, first = 0] = [SHOWN, 1].map((among) => recallAt(among, own));
    const error = Math.sqrt((ten * (1 - ten)) / own.length);
    console.log(
      `${way}: recall@10 ${ten.toFixed(3)} ± ${error.toFixed(3)}, recall@1 ${first.toFixed(3)}, ${own.length} questions`,
    );
  }
  expect(asked).toHaveLength(QUESTIONS);
});
