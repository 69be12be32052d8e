import { expect, type Page } from '@playwright/test';
import { DEFAULT_SETTINGS } from '../../../src/state/explain/question.ts';
import { hashOf } from '../../../src/state/explain/share-link.ts';
import { test } from '../fixture.ts';

/** Press the button, wait for the end, and return the score of each section of the heat map. */
async function explainOnPage(page: Page): Promise<string[]> {
  const button = page.getByRole('button', { name: 'Explain', exact: true });
  await button.click();
  const sections = page.getByTestId('heat-map').locator('[data-score]');
  await expect(sections.first()).toBeVisible();
  await expect(button).toBeVisible(); // while it runs, another stands in its place
  return sections.evaluateAll((spans) => spans.map((span) => span.getAttribute('data-score') ?? ''));
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('the Explain page explains with the network cut, explains again, and opens a pasted link', async ({
  freshApp: app,
  context,
}) => {
  const before = await test.step('shows which part of the prompt counts, with the network cut', async () => {
    await context.setOffline(true);
    const scores = await explainOnPage(app);
    expect(scores.length).toBeGreaterThan(1);
    for (const score of scores) expect(Number.isFinite(Number(score)), score).toBe(true);
    return scores;
  });

  await test.step('explains another prompt', async () => {
    await app.getByRole('textbox', { name: /prompt/i }).fill('Snow fell all night. In the morning the street was');
    const after = await explainOnPage(app);
    expect(after).not.toEqual(before);
  });

  await test.step('walks by keyboard through a matrix of which only the rows in sight are drawn', async () => {
    const words = Array.from({ length: 60 }, () => 'cat');
    await app.getByTestId('prompt').fill(words.join(' '));
    await explainOnPage(app);
    await app.getByRole('button', { name: /^Show all \d+ rows/ }).click();
    const matrix = app.getByTestId('matrix');
    const drawn = matrix.locator('tbody tr[data-section]');
    const place = () => matrix.locator(':focus').getAttribute('aria-rowindex');
    await expect.poll(() => drawn.count()).toBeGreaterThan(20);
    expect(await drawn.count()).toBeLessThan(50);
    const total = Number(await matrix.getAttribute('aria-rowcount'));
    expect(total).toBeGreaterThan(words.length);
    await drawn.first().focus();
    await app.keyboard.press('End');
    await expect.poll(place).toBe(String(total));
    await app.keyboard.press('ArrowUp');
    await expect.poll(place).toBe(String(total - 1));
    await matrix.evaluate((table) => void table.parentElement?.scrollTo(0, 0));
    await expect(drawn.first()).toHaveAttribute('aria-rowindex', '2');
    expect(await place(), 'the row with the focus stays').toBe(String(total - 1));
    await app.keyboard.press('Home');
    await expect.poll(place).toBe('2');
    expect(await drawn.count()).toBeLessThan(50);
  });

  await test.step('opens the question of a link that is pasted over its address', async () => {
    const question = { picture: null, prompt: 'The sky over Bergen was', target: ' grey', settings: DEFAULT_SETTINGS };
    const hash = hashOf(question);
    await app.evaluate((pasted) => void (location.hash = pasted), hash);
    await expect(app.getByRole('textbox', { name: /prompt/i })).toHaveValue(question.prompt);
    await expect(app.getByTestId('heat-map')).toHaveCount(0); // the result of another question
    expect(new URL(app.url()).hash).toBe('');
  });
});
