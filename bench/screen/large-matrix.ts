import type { Browser, Page } from 'playwright';
import { openApp } from '../app.ts';
import { tasksDuring } from './tasks-during.ts';

/** Longest task while a whole matrix is opened and scrolls, in small steps and from end to end. */
export async function scrolling(browser: Browser, url: string, size: MatrixSize) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await keepResult(page, size);
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
export interface MatrixSize {
  readonly sections: number;
  readonly words: number;
}

/** Lets a page find a result of its last visit. */
export function keepResult(page: Page, size: MatrixSize): Promise<unknown> {
  return page.addInitScript((kept) => {
    for (const [field, value] of Object.entries(kept))
      localStorage.setItem(`lightwell.explain.${field}`, JSON.stringify({ version: 1, value }));
  }, keptResult(size));
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
  const frame = document.querySelector('lightwell-matrix')?.shadowRoot?.querySelector('table')?.parentElement;
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
