import type { Browser, Page } from 'playwright';
import { MODEL, textOfTokens } from '../../test/e2e/calls.ts';
import { openApp, type Rows } from '../app.ts';

/** Longer than the tokens below take on any machine that this runs on. */
const PROMPT_TOKENS = 700;

const item = (change: object) => ({ model: MODEL, target: ' home', prompt: [change] });
const picture = (data: string, change: object = {}) => item({ type: 'image', data, ...change });
/** The first 33 bytes of a PNG that claims 60,000 × 60,000 pixels. */
const HUGE_PNG = 'iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAYAAAAAAAAA';

/** A request for each rule that needs no model. */
const REFUSED: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'a field of another type': ['/explain', { ...item({ type: 'text', data: 'a' }), control_factor: 'high' }],
  'an unknown model': ['/embed', { model: 'none', prompt: 'a' }],
  'an empty prompt': ['/embed', { model: MODEL, prompt: '' }],
  'an empty target': ['/explain', { model: MODEL, prompt: 'a', target: '' }],
  'a lone surrogate': ['/embed', { model: MODEL, prompt: 'a\uD800' }],
  'custom without delimiter': [
    '/explain',
    { ...item({ type: 'text', data: 'a' }), prompt_granularity: { type: 'custom' } },
  ],
  'a control beyond the text': [
    '/explain',
    item({ type: 'text', data: 'ab', controls: [{ start: 1, length: 9, factor: 0 }] }),
  ],
  'a control beyond the ids': ['/explain', item({ type: 'token_ids', data: [1], controls: [{ index: 1, factor: 0 }] })],
  'another compress_to_size': ['/semantic_embed', { prompt: 'a', representation: 'query', compress_to_size: 64 }],
  'broken base64': ['/explain', picture('AAA*')],
  'no image format': ['/explain', picture('AAAA')],
  'too many pixels': ['/explain', picture(HUGE_PNG)],
  'half a crop': ['/explain', picture(HUGE_PNG, { x: 1 })],
  'a broken Docx in base64': ['/qa', { query: 'Who?', documents: [{ docx: 'AAA*' }] }],
};

/** Time to the refusal of each rule that needs no model, while a long explanation runs in the same page. */
export async function refusals(browser: Browser, url: string, rounds: number): Promise<Rows> {
  const page = await browser.newPage();
  await openApp(page, url);
  await beginExplanation(page);
  const rows: Record<string, string | number>[] = [];
  for (const [rule, [path, body]] of Object.entries(REFUSED)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timeToRefusal(page, path, body));
    times.sort((a, b) => a - b);
    rows.push({ rule, medianMs: times[Math.floor(rounds / 2)] ?? 0, longestMs: times.at(-1) ?? 0 });
  }
  const isRunning = await page.evaluate(() => Reflect.get(globalThis, 'isExplaining') === true);
  if (!isRunning) throw new Error('the explanation ended before the last refusal: take a longer prompt');
  await page.close();
  return rows;
}

async function beginExplanation(page: Page): Promise<void> {
  const prompt = await textOfTokens(page, PROMPT_TOKENS);
  const body = { model: MODEL, prompt, target: ' and went home', prompt_granularity: { type: 'token' } };
  await page.evaluate(async (text) => {
    const headers = { Authorization: `Bearer ${lightwell.token}`, Accept: 'application/x-ndjson' };
    const response = await lightwell.fetch('/explain', { method: 'POST', headers, body: text }); // it has begun
    Reflect.set(globalThis, 'isExplaining', true);
    void response.text().then(() => Reflect.set(globalThis, 'isExplaining', false));
  }, JSON.stringify(body));
}

async function timeToRefusal(page: Page, path: string, body: object): Promise<number> {
  const { status, ms } = await page.evaluate(
    async ([to, text]) => {
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      const startedMs = performance.now();
      const response = await lightwell.fetch(to, { method: 'POST', headers, body: text });
      return { status: response.status, ms: performance.now() - startedMs };
    },
    [path, JSON.stringify(body)] as const,
  );
  if (status !== 400 && status !== 404) throw new Error(`${path}: expected a refusal, got ${status}`);
  return ms;
}
