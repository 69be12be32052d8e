import type { Browser, Page } from 'playwright';
import { embed, MODEL, textOfTokens } from '../test/e2e/calls.ts';
import { makeReturning } from '../test/support/returning.ts';

/** Rows of a table: what was measured, and figures by name. */
export type Rows = readonly Readonly<Record<string, string | number>>[];

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

/**
 * Opens the app and waits until its model has answered once.
 *
 * @param backend  empty: the app chooses
 */
export async function openApp(page: Page, url: string, backend: 'wasm' | 'webgpu' | '' = 'wasm'): Promise<void> {
  await makeReturning(page);
  await page.goto(`${url}?backend=${backend}`);
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await page.evaluate(async () => void (await lightwell.ready));
  const { status } = await embed(page, 'hello');
  if (status !== 200) throw new Error(`expected an answer, got status ${status}`);
}

/** Leaves a body in the page: handing over a large one is the measurement's work, not the page's. */
export async function stage(page: Page, body: object): Promise<void> {
  await page.evaluate((text) => void Reflect.set(globalThis, 'staged', text), JSON.stringify(body));
}
