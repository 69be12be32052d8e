import { expect, type Page, type TestInfo } from '@playwright/test';
import { EXAMPLE_IDS } from '../../../src/pages/learn/example-ids.ts';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { fitsScreens, leavePicture, tabTo } from '../visitor.ts';

/** Opens a lesson or another part of the page, and waits for its heading. */
async function openPart(page: Page, name: string, heading: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Lessons' }).getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(heading);
}

/** Waits for the end of a request, and returns what is to be noticed. */
async function noticed(page: Page): Promise<string> {
  await expect(page.getByTestId('live-run')).toBeVisible();
  await expect(page.getByTestId('notice')).toBeVisible();
  return (await page.getByTestId('notice').innerText()).replaceAll(/[\u2068\u2069]/g, '');
}

/** Fits every screen; leaves pictures to be looked at: light, dark, and as wide as a phone. */
async function picture(page: Page, name: string, info: TestInfo): Promise<void> {
  const size = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await leavePicture(page, info, `${name}-${colorScheme}`);
  }
  await fitsScreens(page, name);
  await page.setViewportSize({ width: 360, height: 740 });
  await leavePicture(page, info, `${name}-360`);
  if (size) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: null });
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a class learns from live examples, and a teacher sends it a set', async ({ freshApp: page }, info) => {
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Learn');

  await test.step('lesson 1: tokens, by keyboard', async () => {
    expect(await noticed(page)).toMatch(/8 words, 25 tokens/);
    await tabTo(page, page.getByRole('button', { name: 'tokens', exact: true }));
    await expect(page.getByRole('tooltip', { name: /unit that a model reads/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByTestId('live-prompt'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('A cat');
    await expect(page.getByTestId('live-result')).toContainText('The text has changed');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByTestId('notice')).toContainText('Each word of this text is one token');
    await expect(page.getByTestId('tokens').getByRole('listitem')).toHaveCount(2);
    await expect(page.getByTestId('live-result')).not.toContainText('The text has changed');
    await page.getByRole('button', { name: 'Back to the example' }).click();
    await expect(page.getByTestId('live-prompt')).toHaveValue(/lighthouse/);
    await page.keyboard.press('Enter'); // the button is Undo now
    await expect(page.getByTestId('live-prompt')).toHaveValue('A cat');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Back to the example' }).click();
    await expectAccessible(page, 'lesson 1');
    await picture(page, 'tokens', info);
  });

  await test.step('lesson 2: what dimming shows, also of a wrong target', async () => {
    await openPart(page, 'Attention', /what dimming shows/);
    expect(await noticed(page)).toMatch(/The model itself says ‘Warsaw’/);
    await expect(page.locator('[part=text]').locator('[data-score]').first()).toBeVisible();
    await page.getByTestId('rival').click();
    await expect(page.getByTestId('live-target')).toHaveValue(' Prague');
    await expect(page.getByTestId('notice')).toContainText('it would say ‘Warsaw’');
    await expect(page.getByTestId('deleted').locator('tbody tr')).toHaveCount(4);
    await page.getByText('Heat map as table').click();
    await expect(page.getByRole('columnheader', { name: 'Score, nats' })).toBeVisible();
    await expectAccessible(page, 'lesson 2');
    await picture(page, 'attention', info);
  });

  await test.step('lesson 3: a sign that flips, and none where the text is another', async () => {
    await openPart(page, 'Granularity', /when the sign flips/);
    expect(await noticed(page)).toMatch(/The sign flips here: ‘Olga speaks French\.’/);
    const [words, sentences] = [page.locator('[part=text]').first(), page.locator('[part=text]').last()];
    await words.locator('[data-section]').first().hover();
    await expect(words.locator('[data-active]')).toHaveCount(1);
    await expect(sentences.locator('[data-active]'), 'each map has a selection of its own').toHaveCount(0);
    await page.getByTestId('live-prompt').fill('Anna lives in Oslo.\nQuestion: Where does Anna live?\nAnswer:');
    await page.getByTestId('live-target').fill(' Oslo');
    await page.getByTestId('live-run').click();
    await expect(page.getByTestId('notice')).not.toContainText('The sign flips here');
    await expect(page.getByTestId('measures').locator('tbody tr').first()).toContainText('Anna lives in Oslo.');
    await expectAccessible(page, 'lesson 3', ['light', 'dark']);
    await picture(page, 'granularity', info);
  });

  await test.step('lesson 4: this model has no attention sink', async () => {
    await openPart(page, 'Attention sinks', /no reason/);
    expect(await noticed(page)).toContain('None of these words is an attention sink');
    await expect(page.getByTestId('first-words').locator('tbody tr')).toHaveCount(3);
    await page.getByTestId('live-prompt').fill('Too short');
    await page.getByTestId('live-run').click();
    await expect(page.getByTestId('notice')).toContainText('more than three words');
    await expectAccessible(page, 'lesson 4', ['light', 'dark']);
    await picture(page, 'sinks', info);
  });

  await test.step('lesson 5: opposite sentences are alike', async () => {
    await openPart(page, 'Layers', /how similar texts are/);
    expect(await noticed(page)).toMatch(/Texts 1 and 2 are the most alike at layer 0 .* and at the last layer/);
    await expect(page.getByTestId('similarity-lines').locator('.recharts-line')).toHaveCount(3);
    await expectAccessible(page, 'lesson 5', ['light', 'dark']);
    await picture(page, 'layers', info);
    await page.getByTestId('open-on-inside').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inside');
    await expect(page.getByTestId('inside-text').nth(1)).toHaveValue('I do not like this film.');
    await page.goBack();
  });

  await test.step('lesson 6: three failures, which the page says in words', async () => {
    await openPart(page, 'Limits', /mislead/);
    expect(await noticed(page)).toMatch(/gives ‘Lena’ only .* it would say ‘Karl’/);
    await page.getByRole('radio', { name: 'Sentiment' }).check({ force: true });
    await expect(page.getByTestId('notice')).toContainText('gives ‘positive’ only');
    await page.getByRole('radio', { name: 'Knowledge' }).check({ force: true });
    await expect(page.getByTestId('notice')).toContainText('gives ‘Paris’ only');
    await page.getByRole('button', { name: /^Explain ‘.*’ instead$/ }).click();
    await expect(page.getByTestId('notice')).toContainText('Here the model does say the target');
    await page.getByRole('radio', { name: 'Negation' }).check({ force: true });
    await expectAccessible(page, 'lesson 6', ['light', 'dark']);
    await picture(page, 'limits', info);
    await page.getByTestId('open-on-explain').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explain');
    await expect(page.getByTestId('prompt')).toHaveValue(/^Karl came to the party/);
    await expect(page.getByTestId('own-answer')).toContainText('Karl');
    await page.goBack();
  });

  await test.step('twelve examples', async () => {
    await openPart(page, 'Twelve examples', /Twelve examples/);
    await expect(page.getByTestId('class-card')).toHaveCount(EXAMPLE_IDS.length);
    await expectAccessible(page, 'twelve examples', ['light', 'dark']);
    await picture(page, 'examples', info);
    await page.getByTestId('class-card').last().getByRole('button', { name: 'Explain' }).click();
    await expect(page.getByRole('radio', { name: 'Sentence' })).toBeChecked();
    await expect(page.locator('[part=text]')).toContainText('Olga speaks French');
    await page.goBack();
  });

  const links = await test.step('a teacher puts a set together; own texts go in only when agreed', async () => {
    await openPart(page, 'For teachers', /A link for a class/);
    await expect(page.getByText('Choose an example or add a question.')).toBeVisible();
    await page.getByRole('checkbox', { name: 'A name is copied' }).check();
    await page.getByRole('textbox', { name: 'Title' }).fill('Class 9b');
    await page.getByRole('button', { name: 'Add a question' }).click();
    await page.getByTestId('live-prompt').fill('The sky over Köln was');
    await page.getByTestId('live-target').fill(' grey');
    await page.getByRole('button', { name: 'Remove question 1' }).click();
    await expect(page.getByTestId('live-prompt')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('live-prompt')).toHaveValue('The sky over Köln was');
    await expect(page.getByText('1 of your questions is not in the link.')).toBeVisible();
    const without = await page.getByTestId('class-link').innerText();
    await page.getByRole('checkbox', { name: /Include my title/ }).check();
    await expect(page.getByTestId('class-link')).not.toHaveText(without);
    await expectAccessible(page, 'for teachers', ['light', 'dark']);
    await picture(page, 'teacher', info);
    return { without, whole: await page.getByTestId('class-link').innerText() };
  });

  await test.step('the class opens it; it is there after a reload', async () => {
    await page.evaluate((hash) => void (location.hash = hash), new URL(links.without).hash);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('A set for your class');
    await expect(page.getByTestId('class-card')).toHaveCount(1);
    await page.evaluate((hash) => void (location.hash = hash), new URL(links.whole).hash);
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Class 9b');
    await expect(page.getByTestId('class-card')).toHaveCount(2);
    await expect(page.getByTestId('class-card').last()).toContainText('The sky over Köln was');
    expect(new URL(page.url()).hash).toBe('#/learn/set');
    await page.reload();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Class 9b');
    await page.evaluate(() => void (location.hash = '#class=eyJ'));
    await expect(page.getByTestId('set-problem')).toContainText('This link cannot be read');
    await expectAccessible(page, 'a damaged link', ['light', 'dark']);
  });
});
