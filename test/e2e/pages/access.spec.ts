import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { dropOnHeading, fitsScreens, tabTo, fillTarget } from '../visitor.ts';

const PROMPT = 'Marta was born in Warsaw. Pavel was born in Prague.\nQuestion: Where was Marta born?\nAnswer:';

async function ended(page: Page): Promise<void> {
  await expect(page.getByTestId('explain')).toBeVisible();
}

/** Begins an explanation that is not done soon. */
async function beginLong(page: Page): Promise<void> {
  await page.getByTestId('prompt').fill('The old house by the river was empty again. '.repeat(60));
  await page.getByRole('radio', { name: 'Token' }).check({ force: true });
  await page.getByTestId('explain').click();
  await expect(page.locator('[part=text]').locator('[data-score]').first()).toBeVisible();
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('the Explain page is for everybody: by keyboard, on a phone, in every state and look', async ({
  freshApp: page,
}) => {
  await test.step('before the first result', () => expectAccessible(page, 'empty'));

  await test.step('the keyboard is enough to ask', async () => {
    await tabTo(page, page.getByTestId('prompt'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(PROMPT);
    await tabTo(page, page.getByTestId('explain'));
    await tabTo(page, page.getByText('Explain another text'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByTestId('target'));
    await page.keyboard.insertText('Warsaw, Poland');
    await tabTo(page, page.getByRole('radio', { name: 'Word', exact: true }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Sentence' })).toBeChecked();
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, page.getByRole('slider', { name: 'Attention strength' }));
    await page.keyboard.press('ArrowLeft');
    await tabTo(page, page.getByText('More settings'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Also dim similar tokens'));
    await page.keyboard.type('0.95');
    await expectAccessible(page, 'settings', ['light', 'dark']);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByTestId('caption')).toBeVisible();
    await ended(page);
  });

  await test.step('and to read the answer', async () => {
    const words = page.locator('[part=text]').locator('[data-section]');
    await tabTo(page, words.first());
    await page.keyboard.press('ArrowRight');
    await expect(words.nth(1)).toBeFocused();
    await expect(page.locator('[part=numbers]')).toContainText(/\d\.\d\d nats/);
    await page.keyboard.press('Enter');
    await expect(words.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await expectAccessible(page, 'a result, with a word picked');
    await page.keyboard.press('Escape');
    await expect(words.nth(1)).toHaveAttribute('aria-pressed', 'false');
    await tabTo(page, page.getByText('Heat map as table'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('columnheader', { name: 'Score, nats' })).toBeVisible();
    await tabTo(page, page.getByTestId('bars').locator('[data-section]').first());
    const matrix = page.getByTestId('matrix');
    await tabTo(page, matrix.getByRole('button').first());
    await page.keyboard.press('Enter');
    await expect(matrix.getByRole('button').first()).toHaveAttribute('aria-pressed', 'true');
    await tabTo(page, matrix.locator('tr[data-section]').first());
    await page.keyboard.press('ArrowDown');
    await expect(matrix.locator('tr[data-section]').nth(1)).toBeFocused();
  });

  await test.step('a phone needs no sideways scrolling, and the button comes before the settings', async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await fitsScreens(page, 'a result');
    const { y: button = Infinity } = (await page.getByTestId('explain').boundingBox()) ?? {};
    const { y: settings = 0 } = (await page.getByText('Split prompt by').first().boundingBox()) ?? {};
    expect(button).toBeLessThan(settings);
    for (const name of ['Models', 'API', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      if (name === 'Models') await expect(page.getByTestId('model-card')).toBeVisible();
      await fitsScreens(page, name);
    }
    await page.getByRole('link', { name: 'Explain', exact: true }).click();
    if (size) await page.setViewportSize(size);
  });

  await test.step('while it runs, and where it was stopped', async () => {
    await beginLong(page);
    await expectAccessible(page, 'running', ['light', 'dark']);
    await page.getByTestId('cancel').click();
    await expect(page.getByTestId('stale')).toContainText('Stopped');
    await expectAccessible(page, 'partial');
  });

  await test.step('out of date, and refused', async () => {
    await fillTarget(page, ' another');
    await expect(page.getByTestId('stale')).toContainText('out of date');
    await expectAccessible(page, 'stale', ['light', 'dark']);
    await page.getByTestId('prompt').fill('word '.repeat(2000));
    await page.getByTestId('explain').click();
    await expect(page.getByTestId('prompt-problem')).toBeVisible();
    await expectAccessible(page, 'a wrong field');
  });

  await test.step('a dropped file becomes the prompt or is refused, and is never opened', async () => {
    expect(await dropOnHeading(page, 'note.txt', [...Buffer.from('Où?')])).toBe(false);
    await expect(page.getByTestId('prompt')).toHaveValue('Où?');
    expect(await dropOnHeading(page, 'report.pdf', [0x25, 0x50, 0xff, 0])).toBe(false);
    await expect(page.getByTestId('drop-refusal')).toContainText('‘report.pdf’ is neither text nor a picture');
    await page.evaluate(() => void (location.hash = '#question=eyJ'));
    await expect(page.getByTestId('link-problem')).toBeVisible();
    await expectAccessible(page, 'a refused file and a damaged link', ['light', 'dark']);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('drop-refusal')).toBeEmpty();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('prompt')).toHaveValue(/^word word/);
  });

  await test.step('with a picture', async () => {
    await page.getByRole('button', { name: 'Where is the star?' }).click();
    await page.getByRole('radio', { name: 'Sentence' }).check({ force: true });
    await page.getByTestId('explain').click();
    await expect(page.locator('[part=picture]')).toBeVisible();
    await ended(page);
    await expectAccessible(page, 'a picture');
  });

  await test.step('on the other pages', async () => {
    for (const name of ['Models', 'API', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      if (name === 'Models') await expect(page.getByTestId('model-card')).toBeVisible();
      if (name === 'API') {
        await page.getByTestId('send').click();
        await expect(page.getByTestId('api-answer')).toBeVisible();
      }
      await expectAccessible(page, name);
    }
  });
});
