import { expect, type Page } from '@playwright/test';
import { encodePng } from '../../support/files/png.ts';
import { test } from '../fixture.ts';
import { fillTarget } from '../visitor.ts';

/** Asks and waits for the end. */
async function explain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Ask', exact: true });
  await button.click();
  await expect(page.getByTestId('result')).toBeVisible();
  await expect(button).toBeVisible(); // while it runs, another stands in its place
}

const png = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(encodePng(60, 40, (x) => (x < 30 ? [200, 30, 30] : [20, 20, 90]))),
});

async function pasteInto(page: Page, type: string, bytes: readonly number[]): Promise<void> {
  await page.getByTestId('prompt').evaluate(
    (field, [format, data]) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([Uint8Array.from(data)], 'pasted', { type: format }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [type, bytes] as const,
  );
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a picture on the Explain page: an example, one that is pasted, one from a file', async ({
  freshApp: app,
  backend,
}) => {
  const split = app.getByRole('radio', { name: 'Sentence' }); // 9 tiles; by token there are 144, each with a pass of its own

  await test.step('shows which of its tiles count', async () => {
    await app.getByRole('button', { name: 'Where is the star?' }).click();
    await expect(app.getByTestId('prompt-picture')).toBeVisible();
    await app.getByTestId('cancel').click(); // the example explains itself, by token
    await split.check({ force: true });
    await explain(app);
    await expect(app.getByTestId('stale')).toHaveCount(0);
    const tiles = app.locator('[part=picture]').getByRole('button');
    await expect(tiles).toHaveCount(9);
    const scores = await tiles.evaluateAll((all) => all.map((tile) => Number(tile.getAttribute('data-score'))));
    expect(scores.indexOf(Math.max(...scores)), 'the star lies in the first tile').toBe(0);

    await tiles.first().focus();
    await app.keyboard.press('ArrowDown');
    await app.keyboard.press('ArrowRight');
    await expect(app.locator('[part=numbers]')).toContainText('the tile in row 2, column 2');
    await expect(app.locator('[part=numbers]')).toContainText(/\d\.\d\d nats/);
    await app.getByText('Heat map as table').click();
    await expect(app.getByRole('row').filter({ hasText: 'row 1, column 1' }).first()).toBeVisible();
    await app.getByTestId('remove-picture').click();
  });

  await test.step('is pasted, and what is no picture is refused in words', async () => {
    await pasteInto(app, 'image/gif', [71, 73, 70]);
    await expect(app.getByRole('alert')).toHaveText('Expected a PNG, JPEG or WebP file, got image/gif.');
    await pasteInto(app, 'image/png', [1, 2, 3]);
    await expect(app.getByRole('alert')).toHaveText('‘pasted’ cannot be decoded as a picture.');
    await pasteInto(app, 'image/png', [...png('').buffer]);
    await expect(app.getByTestId('prompt-picture')).toContainText('pasted');
    await expect(app.getByRole('alert')).toHaveCount(0);
  });

  await test.step('comes from a file, stays after a reload, and goes', async () => {
    await app.getByTestId('prompt').fill('Describe the picture.\n');
    await fillTarget(app, 'A large');
    await app.locator('input[type=file]').setInputFiles(png('halves.png'));
    await expect(app.getByTestId('prompt-picture')).toContainText('halves.png');
    await split.check({ force: true }); // a picture of one's own is split by token at first
    await explain(app);
    await expect(app.locator('[part=picture]').getByRole('button')).toHaveCount(9);
    await app.goto(`/?backend=${backend}`);
    await expect(app.getByTestId('prompt-picture')).toContainText('halves.png');
    await expect(app.locator('[part=picture]').getByRole('button')).toHaveCount(9);
    await app.getByTestId('remove-picture').click();
    await expect(app.getByTestId('prompt-picture')).toHaveCount(0);
    await expect(app.getByTestId('stale')).toBeVisible();
  });
});
