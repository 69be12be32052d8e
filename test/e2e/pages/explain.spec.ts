import { expect, type Page } from '@playwright/test';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';
import { hashOf } from '../../../src/pages/explain/share-link.ts';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';

/** Press the button, wait for the end, and return the score of each section of the heat map. */
async function explainOnPage(page: Page): Promise<string[]> {
  const button = page.getByRole('button', { name: 'Ask', exact: true });
  await button.click();
  return scoresOn(page);
}

/** Wait for the end of an explanation, and return its scores. */
async function scoresOn(page: Page): Promise<string[]> {
  const sections = page.locator('[part=text]').locator('[data-score]');
  await expect(sections.first()).toBeVisible();
  await expect(page.getByTestId('explain')).toBeVisible(); // while it runs, the button cancels
  return sections.evaluateAll((spans) => spans.map((span) => span.getAttribute('data-score') ?? ''));
}

/** Waits until the page can be opened without a network, and so has all its parts. */
async function keptApp(page: Page): Promise<void> {
  const isServed = () => page.evaluate(async () => (await caches.match('/site-files.json?served')) !== undefined);
  await expect.poll(isServed).toBe(true);
}

test.describe('a first visit where motion is welcome', () => {
  test.use({ isReturning: false, contextOptions: { reducedMotion: 'no-preference' } });

  test('shows its example in motion, with probabilities that the model computes, until a key is pressed', async ({
    freshApp: app,
  }) => {
    const opening = app.getByTestId('opening');
    await expect(opening).toContainText('× 0.5: dimmed');
    await expect(opening).not.toContainText('over 99 %'); // as it is without a change
    await app.keyboard.press('Shift');
    const stopped = await opening.textContent();
    await app.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2000))); // three steps
    await expect(opening).toHaveText(stopped ?? '');
    await app.getByTestId('explain').click();
    await expect(app.getByTestId('cancel')).toBeVisible();
    await expect(app.getByTestId('explain')).toBeVisible();
    await expect(opening, 'its probability is of the earlier answer').toHaveCount(0);
  });
});

test.describe('a first visit', () => {
  test.use({ isReturning: false });

  // One page goes through it all: opening one, with its model, is what such a test costs.
  test('is shown an explanation, with the network cut others too, and what links hold', async ({
    freshApp: app,
    context,
  }) => {
    const first = await test.step('explains its example without a click', async () => scoresOn(app));
    await expect(app.getByTestId('opening'), 'less motion is wanted').toHaveCount(0);

    const before = await test.step('shows which part of the prompt counts, with the network cut', async () => {
      await keptApp(app);
      await context.setOffline(true);
      const scores = await explainOnPage(app);
      expect(scores.length).toBeGreaterThan(1);
      for (const score of scores) expect(Number.isFinite(Number(score)), score).toBe(true);
      expect(scores, 'the same as on arrival').toEqual(first);
      return scores;
    });

    await test.step('prints the words of the answer', async () => {
      const words = app.getByTestId('target-tokens');
      const shown = await words.innerText();
      await app.emulateMedia({ media: 'print' });
      expect(await words.innerText()).toBe(shown);
      await app.emulateMedia({ media: 'screen' });
    });

    await test.step('walks by keyboard through a matrix of which only the rows in sight are drawn', async () => {
      const words = Array.from({ length: 60 }, () => 'cat');
      await app.getByTestId('prompt').fill(words.join(' '));
      await explainOnPage(app);
      await app.getByRole('button', { name: /^Show all \d+ rows/ }).click();
      const matrix = app.getByTestId('matrix').getByRole('table');
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

    await test.step('asks what is typed while another question is being explained', async () => {
      await app.getByTestId('prompt').fill('A cat sat on a mat. '.repeat(60));
      await app.getByTestId('explain').click();
      await expect(app.getByTestId('cancel')).toBeVisible();
      await app.getByTestId('prompt').fill('The sky over Bergen was');
      await expect(app.getByTestId('progress'), 'the first question is still being explained').toBeVisible();
      await explainOnPage(app);
      await expect(app.locator('[part=text]')).toHaveText('The sky over Bergen was');
    });

    await test.step('explains another prompt, and says that the result is out of date until then', async () => {
      await app.getByRole('textbox', { name: /prompt/i }).fill('Snow fell all night. In the morning the street was');
      await expect(app.getByTestId('stale')).toContainText('out of date: the prompt has changed');
      const after = await explainOnPage(app);
      await expect(app.getByTestId('stale')).toHaveCount(0);
      expect(after).not.toEqual(before);
    });

    await test.step('answers a link that is pasted over its address', async () => {
      const question = {
        picture: null,
        prompt: 'The sky over Bergen was',
        target: ' grey',
        settings: DEFAULT_QUESTION_SETTINGS,
      };
      const hash = hashOf(question, { text: true, picture: true });
      await app.evaluate((pasted) => void (location.hash = pasted), hash);
      await expect(app.getByRole('textbox', { name: /prompt/i })).toHaveValue(question.prompt);
      await expect(app.locator('[part=text]')).toHaveText(question.prompt);
      expect(new URL(app.url()).hash).toBe('');
      await scoresOn(app);
      await app.getByRole('button', { name: 'Undo' }).click();
      await expect(app.getByRole('textbox', { name: /prompt/i })).toHaveValue(/^Snow fell/);
      await expect(app.locator('[part=text]')).toHaveText(/^Snow fell/);
    });

    await test.step('says that a damaged link cannot be read, and one with a text of 750,000 characters', async () => {
      const prompt = await app.getByTestId('prompt').inputValue();
      const long = btoa(JSON.stringify({ prompt: 'word '.repeat(150_000), target: 'b', settings: {}, picture: null }));
      await expect(app.getByTestId('link-problem')).toHaveCount(0);
      for (const link of [long, 'eyJ']) {
        await app.evaluate((hash) => void (location.hash = hash), `#question=${link}`);
        await expect(app.getByTestId('link-problem')).toContainText('cannot be read');
        await expect.poll(() => new URL(app.url()).hash).toBe('');
        await expect(app.getByTestId('prompt')).toHaveValue(prompt);
      }
    });
  });
});

test('an error stands by its field, in words, and takes the focus there', async ({ freshApp: app }) => {
  await test.step('a prompt that is too long', async () => {
    await app.getByTestId('prompt').fill('word '.repeat(2000));
    await expect(app.getByText(/Prompt and target have about 2,5\d\d tokens/)).toBeVisible(); // while it is typed
    await app.getByTestId('explain').click();
    await expect(app.getByTestId('prompt-problem')).toHaveText(/^The prompt has .*; this model reads up to 1,024\.$/);
    await expect(app.getByTestId('prompt')).toBeFocused();
    await expect(app.getByTestId('prompt')).toHaveAttribute('aria-invalid', 'true');
    await app.getByTestId('prompt').fill('The sky was');
    await expect(app.getByTestId('prompt-problem')).toHaveCount(0);
  });

  await test.step('a number that is too large, in the folded settings', async () => {
    await app.getByText('More settings').click();
    await app.getByLabel('Attention strength, as a number').fill('5000');
    await app.getByText('More settings').click();
    await app.getByTestId('explain').click();
    await expect(app.getByTestId('factor-problem')).toHaveText('Attention strength: at most 1,000.');
    await expect(app.getByLabel('Attention strength, as a number')).toBeFocused();
    await app.keyboard.press('ControlOrMeta+A');
    await app.keyboard.type('half');
    await expect(app.getByText('Enter a number, such as 0.5.')).toBeVisible();
    await app.keyboard.press('ControlOrMeta+A');
    await app.keyboard.type('0,5');
    await expect(app.getByRole('slider', { name: 'Attention strength' })).toHaveAttribute('aria-valuetext', /0\.5/);
  });

  await test.step('what is missing', async () => {
    await app.getByTestId('prompt').fill('');
    await app.getByTestId('explain').click();
    await expect(app.getByTestId('prompt')).toBeFocused();
    await expect(app.getByText('Enter a prompt.')).toBeVisible();
  });

  await test.step('a problem of no field stands by the button', async () => {
    await app.getByLabel('Time-out in seconds').fill('0');
    await app.keyboard.press('Enter');
    await expect(app.getByText('Time-out: at least 1 second.')).toBeVisible();
    await app.getByLabel('Time-out in seconds').fill('1');
    await app.keyboard.press('Enter');
    await app.getByTestId('prompt').fill('word '.repeat(900));
    await app.getByRole('radio', { name: 'Token' }).check({ force: true });
    await app.getByTestId('explain').click();
    await expect(app.getByTestId('problem')).toContainText('No answer within the time-out of 1 s');
    await expectAccessible(app, 'a problem of no field');
  });

  await test.step('a cancelled request says so, and leaves the focus on the button', async () => {
    await app.getByLabel('Time-out in seconds').fill('300');
    await app.keyboard.press('Enter');
    await app.getByTestId('explain').focus();
    await app.keyboard.press('Enter');
    await expect(app.getByTestId('cancel')).toBeFocused();
    await app.keyboard.press('Enter');
    await expect(app.getByTestId('explain')).toBeFocused();
    await expect(app.getByText(/^Stopped before/)).toBeVisible();
  });
});
