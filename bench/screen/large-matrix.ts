import type { Page } from 'playwright';
import { DEFAULT_SETTINGS } from '../../src/state/explain/question.ts';

/**
 * Opens the app with a kept result of `rows` words by `columns` target words, whose scores follow from their places. No model
 * has to compute it.
 */
export async function openMatrix(page: Page, url: string, rows: number, columns: number): Promise<void> {
  await page.addInitScript(
    (fields) => {
      for (const [name, value] of Object.entries(fields))
        localStorage.setItem(`lightwell.explain.${name}`, JSON.stringify({ version: 1, value }));
    },
    keptMatrix(rows, columns),
  );
  await page.goto(`${url}?backend=wasm`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  await page.getByTestId('matrix').waitFor();
}

function keptMatrix(rows: number, columns: number) {
  const words = Array.from({ length: rows }, (_, row) => `word${row}`);
  const targets = Array.from({ length: columns }, (_, column) => ` goal${column}`);
  const [prompt, target] = [words.join(' '), targets.join('')];
  const question = { prompt, target, settings: { ...DEFAULT_SETTINGS, granularity: 'word' } };
  let start = 0;
  const spans = words.map(({ length }) => ({ start: (start += length + 1) - length - 1, length }));
  const explanations = targets.map((text, column) => ({
    target: text,
    items: [{ type: 'text', scores: spans.map((span, row) => ({ ...span, score: scoreAt(row, column) })) }],
  }));
  const tokens = targets.map((token) => ({ token, log_probability: -1, alternatives: [] }));
  const prediction = { continuation: { text: '', tokens: [] }, target: { log_probability: -columns, tokens } };
  return { question, outcome: { question, modelVersion: 'measured', explanations, prediction } };
}

/** Both signs, all sizes up to 8 nats. */
function scoreAt(row: number, column: number): number {
  return Math.round(800 * Math.sin(row * 12.9898 + column * 78.233)) / 100;
}

/** Turns the wheel over the matrix, down to its end and to its right, a notch for each frame. */
export async function scrollMatrix(page: Page): Promise<void> {
  const matrix = page.getByTestId('matrix');
  await matrix.scrollIntoViewIfNeeded();
  await matrix.hover({ position: { x: 200, y: 40 } });
  for (let notch = 0; notch < NOTCHES; notch++) {
    await page.mouse.wheel(notch % 4 === 3 ? 100 : 0, 120);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

const NOTCHES = 120;
