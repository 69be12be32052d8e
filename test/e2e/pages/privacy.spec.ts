import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { PAGE_HEADERS } from '../../../src/protocol/page/headers.ts';
import { expectAccessible } from '../audit.ts';
import { openChangingHost, SECOND_BUILD } from '../deploy/changing-host.ts';
import { onHost, started } from '../deploy/hosts.ts';
import { fitsScreens, leavePicture, tabTo, fillTarget } from '../visitor.ts';

const test = onHost(openChangingHost);

const isSecond = (page: Page) =>
  page.evaluate(async (mark) => {
    const texts = [await (await fetch('./index.html')).text(), await (await fetch('./lightwell.js')).text()];
    return texts.map((text) => text.includes(mark));
  }, SECOND_BUILD);

/** Addresses in the cache that holds the app's files. */
const kept = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('lightwell:/')).keys()).map(({ url }) => url));

const nothing = { texts: 0, caches: 0, serviceWorkers: 0 };
const counted = (page: Page) =>
  page.evaluate(async () => ({
    texts: Object.keys(localStorage).length + Object.keys(sessionStorage).length,
    caches: (await caches.keys()).length,
    serviceWorkers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

async function openPrivacy(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Runs on your device' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
}

test.use({ isReturning: false });

// One context goes through it all: a visit, another without a network, a new version, and the end.
test('after one visit all models answer without a network, a new version waits to be asked for, and all of it can be cleared', async ({
  page,
  context,
  seen,
  host,
}, info) => {
  await test.step('the first visit keeps what is needed, and says what is here', async () => {
    await page.goto('./?backend=wasm');
    await started(page);
    await openPrivacy(page);
    await expect(page.getByTestId('offline')).toContainText('Everything this page needs is on this device.');
    await expect(page.getByTestId('requests-summary')).toContainText(`only to ${new URL(host.url).origin}.`);
    await tabTo(page, page.getByText('All requests'));
    await page.keyboard.press('Enter');
    const requests = page.getByTestId('requests');
    await expect(requests.getByRole('row').filter({ hasText: 'decoder_model_merged.onnx' })).toContainText(
      'model worker',
    );
    await expect(requests.locator('[data-foreign]')).toHaveCount(0);
    const things = page.getByTestId('kept');
    await expect(things).toContainText('Token for programs on this computer');
    await expect(things).toContainText('Prompt and target of the Explain page');
    await expect(things.getByRole('row').filter({ hasText: 'App and models' })).toContainText(/\d+ files/);
  });

  await test.step('the page is for everybody, on a phone too', async () => {
    await expectAccessible(page, 'Privacy');
    await fitsScreens(page, 'Privacy');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await leavePicture(page, info, `privacy-${colorScheme}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await leavePicture(page, info, 'privacy-360');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: null });
  });

  await test.step('the keys of a page are shown on ?, but not while somebody types', async () => {
    await page.keyboard.press('?');
    const keys = page.getByTestId('keys');
    await expect(keys).toContainText('Next element');
    await expect(keys).toContainText('In a long table: scroll');
    await page.keyboard.press('Escape');
    await expect(keys).toHaveCount(0);
    await page.getByRole('link', { name: 'Explain', exact: true }).click();
    await fillTarget(page, '');
    await page.getByTestId('target').press('?');
    await expect(page.getByTestId('target')).toHaveValue('?');
    await expect(keys).toHaveCount(0);
    await page.getByRole('link', { name: 'Explain', exact: true }).focus();
    await page.keyboard.press('?');
    await expect(keys).toContainText('Select a word');
    await expectAccessible(page, 'the keyboard', ['light', 'dark'], '[data-testid=keys]');
    await leavePicture(page, info, 'keys');
    await page.keyboard.press('?');
    await expect(keys).toHaveCount(0);
    await openPrivacy(page);
  });

  await test.step('the state is one file, which is checked when it is opened', async () => {
    const downloading = page.waitForEvent('download');
    await tabTo(page, page.getByRole('button', { name: 'Save as a file' }));
    await page.keyboard.press('Enter');
    const saved = info.outputPath('lightwell-state.json');
    await (await downloading).saveAs(saved);
    const state = JSON.parse(readFileSync(saved, 'utf8')) as { parts: { question: { target: string }; theme: string } };
    expect(state.parts.question.target).toBe('?');
    expect(JSON.stringify(state)).not.toContain(await page.evaluate(() => lightwell.token));
    const open = async (parts: object) => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Open a file…' }).click();
      const buffer = Buffer.from(JSON.stringify({ ...state, parts }));
      await (await choosing).setFiles({ name: 'state.json', mimeType: 'application/json', buffer });
    };
    const refused: readonly (readonly [parts: object, problem: string])[] = [
      [{ theme: 'pink' }, 'theme: expected one of'],
      [
        { question: { ...state.parts.question, prompt: 'word '.repeat(600_000) } },
        'expected at most 100000 characters, got 3',
      ],
      [{ constructor: 'x' }, 'constructor'],
      [Object.fromEntries([['__proto__', 'x']]), '__proto__'],
    ];
    for (const [parts, problem] of refused) {
      await open(parts);
      await expect(page.getByRole('alert').filter({ hasText: 'nothing has changed' })).toContainText(problem);
    }
    await open({ theme: 'dark', language: 'de' });
    await expect(page.getByRole('status').filter({ hasText: 'Die Datei wurde übernommen.' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await leavePicture(page, info, 'privacy-de');
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect(page.getByRole('button', { name: 'Open a file…' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
  });

  await test.step('an attempt to reach another address is shown', async () => {
    await page.evaluate(() => fetch('https://example.org/').catch(() => undefined));
    await expect(page.getByRole('alert').filter({ hasText: 'The browser refused' })).toContainText(
      'https://example.org/',
    );
    await expectAccessible(page, 'a refused request', ['light', 'dark']);
    expect(seen.foreignRequests.splice(0).join()).toContain('Content Security Policy'); // not sent
  });

  await host.stop();
  await page.close();
  const second = await context.newPage();

  await test.step('without its server it opens in a new tab, isolated and under the same policy', async () => {
    const response = await second.goto('./?backend=wasm');
    const headers = Object.entries(PAGE_HEADERS).map(([name, value]) => [name.toLowerCase(), value]);
    expect(response?.headers()).toMatchObject(Object.fromEntries(headers));
    await started(second);
    expect(await second.evaluate(() => crossOriginIsolated)).toBe(true);
  });

  await test.step('and explains, embeds, searches and asks, on the pages for it', async () => {
    const open = (name: string) => second.getByRole('link', { name, exact: true }).click();
    await second.getByTestId('explain').click();
    await expect(second.getByTestId('caption')).toBeVisible();
    await open('Inside');
    await expect(second.getByTestId('pairs').locator('tbody tr')).toHaveCount(3);
    await open('Meaning');
    await second
      .getByTestId('texts')
      .fill('The harbour was closed\nThe bakery smells of bread\nBoats wait for the tide');
    await second.getByTestId('read').click();
    await second.getByTestId('query').fill('bread');
    await expect(second.getByTestId('hit').first()).toContainText('The bakery');
    await open('Documents');
    await second.getByRole('button', { name: 'Try an example contract' }).click();
    await expect(second.getByTestId('answer').first()).toBeVisible();
    await expect(second.getByTestId('document-view').locator('mark').first()).toBeInViewport();
  });

  await test.step('in another language too', async () => {
    await second.getByRole('link', { name: 'Models', exact: true }).click();
    await expect(second.getByTestId('model-card')).toBeVisible();
    await second.getByRole('link', { name: 'Settings' }).click();
    await second.getByLabel('Language').selectOption('de');
    await expect(second.getByRole('link', { name: 'Läuft auf Ihrem Gerät' })).toBeVisible();
    await second.getByLabel('Sprache').selectOption('en');
    await expect(second.getByRole('link', { name: 'Runs on your device' })).toBeVisible();
  });

  await second.close();
  await host.buildAgain();
  await host.start();
  const third = await context.newPage();

  await test.step('a new version waits until it is asked for, and is then all of it', async () => {
    await third.goto('./?backend=wasm');
    await started(third);
    expect(await isSecond(third)).toEqual([false, false]);
    await expect(third.getByTestId('newer')).toContainText('A new version is ready.');
    await leavePicture(third, info, 'newer');
    await expectAccessible(third, 'a new version', ['light', 'dark'], '[data-testid=newer]');
    expect(await isSecond(third)).toEqual([false, false]);
    await third.getByTestId('newer').getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => isSecond(third).catch(() => null)).toEqual([true, true]);
    await started(third);
    await openPrivacy(third);
    await expect(third.getByTestId('offline')).toContainText('Everything this page needs is on this device.');
    await expect(third.getByTestId('newer')).toHaveCount(0);
    // One of each file, and the list.
    await expect.poll(async () => (await kept(third)).filter((url) => url.includes('/index.html?')).length).toBe(1);
  });

  await test.step('everything is cleared when that is confirmed', async () => {
    const clear = third.getByRole('button', { name: 'Clear everything on this device…' });
    await clear.click();
    const dialog = third.getByTestId('clear');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    expect((await counted(third)).texts).toBeGreaterThan(0);
    await clear.click();
    await expectAccessible(third, 'the question', ['light', 'dark'], '[data-testid=clear]');
    await dialog.getByRole('button', { name: 'Clear everything', exact: true }).click();
    await expect(dialog).toContainText('Removed from this device:');
    await expect(dialog).toContainText('lightwell.token');
    await expectAccessible(third, 'what is gone', ['light', 'dark'], '[data-testid=clear]');
    await leavePicture(third, info, 'cleared');
    await third.evaluate(() => lightwell.settings.set({ operator: 'acme' }));
    expect(await counted(third)).toEqual(nothing);
    const token = await third.evaluate(() => lightwell.token);
    await dialog.getByRole('button', { name: 'Open as on a first visit' }).click();
    await third.waitForURL(host.url);
    await started(third);
    expect(await third.evaluate(() => lightwell.token)).not.toBe(token);
    await expect(third.getByTestId('caption')).toBeVisible(); // a first visit explains its example
  });
});
