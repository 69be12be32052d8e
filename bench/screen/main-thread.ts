import type { Browser, Page } from 'playwright';
import { explain } from '../../test/e2e/calls.ts';
import { longDocx } from '../../test/support/files/long-docx.ts';
import { openApp, type Rows, stage } from '../app.ts';
import { scrolling } from './large-matrix.ts';
import { tasksDuring } from './tasks-during.ts';

const SENTENCES = 'The baker opened the shop before dawn. Warm bread filled the window. Children came first, then';

/** Longest tasks of the main thread; one of more than 50 ms is felt as a lag. */
export async function mainThread(browser: Browser, url: string): Promise<Rows> {
  let page = await browser.newPage();
  const rows: Record<string, string | number>[] = [];
  const measure = async (during: string, act: () => Promise<unknown>): Promise<void> => {
    const startedMs = performance.now();
    const [longest = { cpuMs: 0, wallMs: 0 }] = await tasksDuring(page, act);
    rows.push({
      during,
      longestCpuMs: longest.cpuMs,
      itsWallMs: longest.wallMs,
      totalMs: performance.now() - startedMs,
    });
  };
  await measure('a start, until the model is ready', () => openApp(page, url));
  await measure('an answer to /explain', () => explain(page, SENTENCES, ' the neighbours'));
  await measure('drawing an explanation', () => explainOnPage(page));
  const text = 'The lighthouse at Port Ellery was built by Ottilie Brandt.';
  const file = longDocx(200, { page: 137, text });
  await stage(page, { query: 'Who built the lighthouse at Port Ellery?', documents: [{ docx: file }] });
  await measure('an answer to /qa over 200 pages', () => askStaged(page, '/qa'));
  await page.close();
  page = await browser.newPage();
  await measure('a first visit, until its example is explained', () => visit(page, url));
  await page.close();
  rows.push(await scrolling(browser, url, { sections: 500, words: 40 }));
  rows.push(await scrolling(browser, url, { sections: 2000, words: 50 }));
  return rows;
}

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(`${url}?backend=wasm`);
  await page.locator('[part=text]').locator('[data-score]').first().waitFor();
  await page.getByTestId('explain').waitFor(); // while it runs, the button cancels
}

async function explainOnPage(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Ask', exact: true });
  await button.click();
  await page.locator('[part=text]').locator('[data-score]').first().waitFor();
  await button.waitFor(); // while it runs, another stands in its place
}

async function askStaged(page: Page, path: string): Promise<void> {
  const status = await page.evaluate(async (to) => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const response = await lightwell.fetch(to, {
      method: 'POST',
      headers,
      body: String(Reflect.get(globalThis, 'staged')),
    });
    return response.status;
  }, path);
  if (status !== 200) throw new Error(`${path}: expected status 200, got ${status}`);
}
