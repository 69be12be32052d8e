// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChromium } from '../../test/support/browser/chromium.mjs';
import { ROOT, giveUp, runSubcommand } from '../../server/setup/dependencies.mjs';

/**
 * Takes the screenshots of README and docs: each page in the light and the dark theme, as `docs/pictures/NAME-THEME.webp`.
 * `npm run pictures` builds the app if it must, and serves it on a free port. `npm run pictures -- NAME …` takes some.
 * `npm run pictures -- charts` and `npm run pictures -- icons` draw the others.
 */
runSubcommand({ charts: ['node', 'docs/drawing/charts.mjs'], icons: ['node', 'docs/drawing/icons.mjs'] });
const FOLDER = join(ROOT, 'docs/pictures');
const THEMES = /** @type {const} */ (['light', 'dark']);

/** WebP at this quality takes a fifth of the bytes of PNG; text stays sharp. */
const QUALITY = 85;

/** Waiting longer than this means that something is broken. */
const TIMEOUT_MS = 120_000;

/**
 * What is on each picture. `show` leaves the page in the state that is photographed.
 * @type {Readonly<Record<string, { height: number, show: (page: import('playwright').Page) => Promise<unknown> }>>}
 */
const PICTURES = {
  explain: { height: 780, show: (page) => explain(page, 'A table for two') },
  documents: {
    height: 780,
    show: async (page) => {
      await open(page, 'Documents');
      await page.getByRole('button', { name: 'Try an example contract' }).click();
      await page.getByLabel('Question', { exact: true }).fill('Who is liable for damage?');
      await page.keyboard.press('Enter');
      await page.getByTestId('document-view').locator('mark').first().waitFor();
    },
  },
  meaning: {
    height: 860,
    show: async (page) => {
      await open(page, 'Meaning');
      await page.getByRole('button', { name: 'Show the example' }).click();
      await page.locator('[data-testid=map][data-method=umap]').waitFor();
      await page.getByRole('progressbar').waitFor({ state: 'detached' });
    },
  },
  inside: {
    height: 860,
    show: async (page) => {
      await open(page, 'Inside');
      await page.getByTestId('pairs').waitFor();
    },
  },
  learn: {
    height: 780,
    show: async (page) => {
      await open(page, 'Learn');
      await page.getByTestId('open-on-explain').first().waitFor();
    },
  },
  privacy: {
    height: 780,
    show: async (page) => {
      await open(page, 'Privacy');
      await page.getByTestId('requests-summary').waitFor();
      await page.getByTestId('offline').getByText('Everything this page needs').waitFor();
    },
  },
  settings: {
    height: 780,
    show: (page) => open(page, 'Settings'),
  },
  image: { height: 780, show: (page) => explain(page, 'Where is the star?') },
  models: {
    height: 620,
    show: async (page) => {
      await page.getByRole('link', { name: 'Models', exact: true }).click();
      await page.getByTestId('model-card').first().waitFor();
    },
  },
  api: {
    height: 720,
    show: async (page) => {
      await page.getByRole('link', { name: 'API', exact: true }).click();
      await page.getByText('/embed', { exact: true }).click();
      await page.getByTestId('send').click();
      await page.getByTestId('api-answer').waitFor();
    },
  },
};

/** @param {[string, unknown]} picture */
function isWanted([name]) {
  const wanted = process.argv.slice(2);
  return wanted.length === 0 || wanted.includes(name);
}

const server = spawn(process.execPath, [join(ROOT, 'server/start.mjs'), '--port', '0', '--no-open'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await takeAll(await addressOf(server.stdout));
} finally {
  server.kill();
}

/** @param {string} url */
async function takeAll(url) {
  mkdirSync(FOLDER, { recursive: true });
  const executablePath = await findChromium();
  const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
  for (const colorScheme of THEMES)
    for (const [name, { height, show }] of Object.entries(PICTURES).filter(isWanted)) {
      const page = await browser.newPage({ viewport: { width: 1200, height }, colorScheme, reducedMotion: 'reduce' });
      page.setDefaultTimeout(TIMEOUT_MS);
      await page.goto(url);
      await page.waitForFunction(() => 'lightwell' in globalThis);
      await page.evaluate(() => Reflect.get(globalThis, 'lightwell').ready.then(() => undefined));
      await show(page);
      await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)));
      const bytes = await photograph(page);
      writeFileSync(join(FOLDER, `${name}-${colorScheme}.webp`), bytes);
      console.log(`${name}-${colorScheme}.webp: ${Math.round(bytes.length / 1000)} kB`);
      await page.close();
    }
  await browser.close();
}

/**
 * Playwright writes no WebP, Chromium does.
 *
 * @param {import('playwright').Page} page
 */
async function photograph(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

/**
 * @param {import('playwright').Page} page
 * @param {string} name  of a page, in the navigation
 */
async function open(page, name) {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/**
 * @param {import('playwright').Page} page
 * @param {string} example
 */
async function explain(page, example) {
  await page.getByRole('button', { name: example }).click();
  await page.getByTestId('explain').click();
  await page.getByTestId('result').and(page.locator(':not([aria-busy=true])')).waitFor();
  await page.getByTestId('caption').waitFor();
  await page.getByTestId('progress').waitFor({ state: 'hidden' });
}

/**
 * The address that the server prints.
 *
 * @param {import('node:stream').Readable} output
 * @returns {Promise<string>}
 */
async function addressOf(output) {
  for await (const text of output) {
    const [url] = /http:\/\/localhost:\d+\//.exec(`${text}/`) ?? [];
    if (url !== undefined) return url;
  }
  return giveUp('The server ended without an address.');
}
