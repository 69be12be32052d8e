import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { leavePicture } from '../visitor.ts';

test.use({ locale: 'de-DE' });

/** The window is as wide as what is in it, once drawings have followed its size. */
async function fitsPhone(page: Page, what: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const beside = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(beside, what).toBe(0);
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a German browser gets German pages, and Settings can change the language', async ({ freshApp: page }, info) => {
  const shot = (name: string) => leavePicture(page, info, name);
  const heading = page.getByRole('heading', { level: 1 });
  const wide = { width: 1280, height: 900 };
  await page.setViewportSize(wide);

  await test.step('the Explain page explains in German', async () => {
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(heading).toHaveText('Erklären');
    await page.getByRole('button', { name: 'Fragen', exact: true }).click();
    await expect(page.getByTestId('caption')).toContainText(/ist der Hauptgrund für|spricht für|stammt aus/);
    await expect(page.getByTestId('result')).toContainText('Das Modell antwortet');
    await expect(page.getByTestId('matrix').getByRole('cell').first()).toHaveText(/^[+−]\d+,\d\d$/);
    await page.getByRole('radio', { name: 'Token' }).focus();
    await expectAccessible(page, 'Explain in German', ['light', 'dark']);
    await shot('explain-1280');
  });

  await test.step('a problem stands in German by its field', async () => {
    await page.getByText('Weitere Einstellungen').click();
    const strength = page.getByLabel('Stärke der Aufmerksamkeit, als Zahl');
    await strength.fill('5.000');
    await page.getByRole('button', { name: 'Fragen', exact: true }).click();
    await expect(page.getByTestId('factor-problem')).toHaveText('Stärke der Aufmerksamkeit: höchstens 1.000.');
    await fitsPhone(page, 'Explain with a problem');
    await shot('explain-360');
    await strength.fill('0,1');
    await page.setViewportSize(wide);
  });

  await test.step('Settings read German numbers', async () => {
    await page.getByRole('link', { name: 'Einstellungen' }).click();
    await expect(heading).toHaveText('Einstellungen');
    const timeout = page.getByLabel('Zeitlimit in Sekunden');
    await timeout.fill('0,5');
    await timeout.blur();
    await expect(page.getByText('Zeitlimit: mindestens 1 Sekunde.')).toBeVisible();
    await timeout.fill('12,5');
    await timeout.blur();
    await expect(timeout).toHaveValue('12,5');
    expect(await page.evaluate(() => lightwell.settings.get().timeoutMs)).toBe(12_500);
    await page.getByLabel('Länge der Warteschlange').fill('1.000');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => lightwell.settings.get().maxWaiting)).toBe(1000);
    await expectAccessible(page, 'Settings in German', ['light', 'dark']);
    await shot('settings-1280');
    await fitsPhone(page, 'Settings');
    await shot('settings-360');
    await page.setViewportSize(wide);
  });

  await test.step('another language keeps the focus and the result', async () => {
    await page.getByLabel('Sprache').selectOption('en');
    await expect(heading).toHaveText('Settings');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByLabel('Language')).toBeFocused();
    await expect(page.getByLabel('Time-out in seconds')).toHaveValue('12.5');
    await page.getByRole('link', { name: 'Explain' }).click();
    await expect(page.getByTestId('caption')).toContainText(/is the main reason for|pulls towards|comes from/);
    await expect(page.getByTestId('matrix').getByRole('cell').first()).toHaveText(/^[+−]\d+\.\d\d$/);
  });
});
