import type { Browser, Page } from 'playwright';
import { embed, explain, MODEL, textOfTokens } from '../test/e2e/calls.ts';
import { makeReturning } from '../test/support/returning.ts';
import { longDocx } from '../test/support/files/long-docx.ts';
import { tasksDuring } from './main-thread/tasks-during.ts';

/** Rows of a table: what was measured, and figures by name. */
export type Rows = readonly Readonly<Record<string, string | number>>[];

const SENTENCES = 'The baker opened the shop before dawn. Warm bread filled the window. Children came first, then';

/** Longest tasks of the main thread; one of more than 50 ms is felt as a lag. */
export async function mainThread(browser: Browser, url: string): Promise<Rows> {
  const page = await browser.newPage();
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
  // Handing over a large body is the measurement's work, not the page's.
  await stage(page, { query: 'Who built the lighthouse at Port Ellery?', documents: [{ docx: file }] });
  await measure('an answer to /qa over 200 pages', () => askStaged(page, '/qa'));
  await page.close();
  rows.push(await scrolling(browser, url, { sections: 500, words: 40 }));
  rows.push(await scrolling(browser, url, { sections: 2000, words: 50 }));
  return rows;
}

/** Longest task while a whole matrix is opened and scrolls, in small steps and from end to end. */
async function scrolling(browser: Browser, url: string, size: MatrixSize) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.addInitScript((kept) => {
    for (const [field, value] of Object.entries(kept))
      localStorage.setItem(`lightwell.explain.${field}`, JSON.stringify({ version: 1, value }));
  }, keptResult(size));
  await openApp(page, url);
  const showAll = page.getByRole('button', { name: /^Show all/ });
  await showAll.waitFor();
  const startedMs = performance.now();
  const [longest = { cpuMs: 0, wallMs: 0 }] = await tasksDuring(page, async () => {
    await showAll.click();
    await page.getByTestId('matrix').getByRole('row').nth(20).waitFor();
    await page.evaluate(scrollThrough);
  });
  const totalMs = performance.now() - startedMs;
  await context.close();
  const during = `scrolling a matrix of ${size.sections} × ${size.words}`;
  return { during, longestCpuMs: longest.cpuMs, itsWallMs: longest.wallMs, totalMs };
}

/** How large a matrix is. */
interface MatrixSize {
  readonly sections: number;
  readonly words: number;
}

/** A result as the page finds it after a reload; such a large one would take the model minutes. */
function keptResult({ sections, words }: MatrixSize) {
  const list = (count: number, of: string) => Array.from({ length: count }, (_, i) => `${of}${i}`);
  const prompt = list(sections, 'section').join(' ');
  const tokens = list(words, ' word');
  const target = tokens.join('');
  const starts = [...prompt.matchAll(/\S+/g)].map(({ index, 0: { length } }) => ({ start: index, length }));
  const scores = (seed: number) =>
    starts.map((span, at) => ({ ...span, score: Math.round(900 * Math.sin(seed + at * 1.7)) / 100 }));
  const question = { prompt, target, settings: {} };
  const explanations = tokens.map((token, at) => ({ target: token, items: [{ type: 'text', scores: scores(at) }] }));
  const prediction = { continuation: { text: '', tokens: [] }, target: null };
  return { question, outcome: { question, modelVersion: 'kept', explanations, prediction } };
}

/** Runs in the page. */
async function scrollThrough(): Promise<void> {
  const frame = document.querySelector('[data-testid="matrix"]')?.parentElement;
  if (!frame) throw new Error('expected a matrix');
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  for (let step = 0; step < 60; step++) {
    frame.scrollTop += 120;
    await drawn();
  }
  for (const share of [1, 0, 0.5, 0.9, 0.1]) {
    frame.scrollTop = share * frame.scrollHeight;
    await drawn();
  }
}

/** Time from an abort in the middle of an explanation to its rejection, and to the answer to the next request. */
export async function aborts(browser: Browser, url: string, rounds: number): Promise<Rows> {
  const page = await browser.newPage();
  await openApp(page, url);
  const prompt = await textOfTokens(page, 200);
  await stage(page, { model: MODEL, prompt, target: ' and went home', prompt_granularity: { type: 'token' } });
  const rows: Record<string, string | number>[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { rejectedMs, freeMs } = await page.evaluate(async (model) => {
      const controller = new AbortController();
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      const body = String(Reflect.get(globalThis, 'staged'));
      const request = lightwell.fetch('/explain', { method: 'POST', headers, body, signal: controller.signal });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const startedMs = performance.now();
      controller.abort();
      await request.catch(() => undefined);
      const rejectedMs = performance.now() - startedMs;
      await lightwell.fetch('/embed', { method: 'POST', headers, body: JSON.stringify({ model, prompt: 'hello' }) });
      return { rejectedMs, freeMs: performance.now() - startedMs };
    }, MODEL);
    rows.push({ round, rejectedMs, freeMs });
  }
  await page.close();
  return rows;
}

/** One call with 100 prompts beside 100 calls with one. */
export async function batches(browser: Browser, url: string): Promise<Rows> {
  const page = await browser.newPage();
  await openApp(page, url);
  const measured = await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const words = ['harbour', 'bread', 'goal', 'market'];
    const prompts = Array.from({ length: 100 }, (_, i) =>
      `A letter about the ${words[i % 4]}, told again and again. `.repeat(1 + (i % 3)),
    );
    const post = async (path: string, body: object): Promise<void> => {
      await lightwell.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const representation = 'symmetric';
    await post('/batch_semantic_embed', { prompts: prompts.slice(0, 2), representation }); // loads the model
    const startedMs = performance.now();
    await post('/batch_semantic_embed', { prompts, representation });
    const togetherMs = performance.now() - startedMs;
    for (const prompt of prompts) await post('/semantic_embed', { prompt, representation });
    return { prompts: prompts.length, togetherMs, singlyMs: performance.now() - startedMs - togetherMs };
  });
  await page.close();
  return [{ ...measured, ratio: measured.togetherMs / measured.singlyMs }];
}

/** Opens the app and waits until its model has answered once. */
export async function openApp(page: Page, url: string): Promise<void> {
  await makeReturning(page);
  await page.goto(`${url}?backend=wasm`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  const { status } = await embed(page, 'hello');
  if (status !== 200) throw new Error(`expected an answer, got status ${status}`);
}

async function explainOnPage(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Explain', exact: true });
  await button.click();
  await page.getByTestId('heat-map').locator('[data-score]').first().waitFor();
  await button.waitFor(); // while it runs, another stands in its place
}

async function stage(page: Page, body: object): Promise<void> {
  await page.evaluate((text) => void Reflect.set(globalThis, 'staged', text), JSON.stringify(body));
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
