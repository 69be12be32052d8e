import type { Browser, Page } from 'playwright';
import { openApp, type Rows } from '../app.ts';

const WORDS = 'the old house by the river was empty for years and nobody in the town could say why'.split(' ');

function textOf(words: number): string {
  return Array.from({ length: words }, (_, at) => WORDS[(at * 7) % WORDS.length]).join(' ');
}

function explanationOf(words: number) {
  const prompt = [{ type: 'text', data: textOf(words) }];
  return { path: '/explain', body: { prompt, target: ' and the garden', prompt_granularity: { type: 'word' } } };
}

const TASKS: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  'explanation of 40 words': explanationOf(40),
  'explanation of 216 words': explanationOf(216),
  'explanation of 600 words': explanationOf(600),
  '64 written tokens': { path: '/complete', body: { prompt: textOf(12), maximum_tokens: 64 } },
  '100 texts embedded': {
    path: '/batch_semantic_embed',
    body: {
      model: 'lightwell-embed',
      prompts: Array.from({ length: 100 }, (_, at) => textOf(8 + ((at * 5) % 40))),
      representation: 'symmetric',
    },
  },
};

/** Of calls after the first, in which a GPU compiles shaders. */
const CALLS = 3;

/** Tasks over the API of the page on both devices, and on the one that is chosen by itself: medians in milliseconds. */
export async function devices(browser: Browser, url: string): Promise<Rows> {
  const rows = new Map(Object.keys(TASKS).map((task) => [task, { task } as Record<string, string | number>]));
  for (const backend of ['wasm', 'webgpu', ''] as const) {
    const page = await browser.newPage();
    await openApp(page, url, backend);
    for (const [task, { path, body }] of Object.entries(TASKS))
      Object.assign(rows.get(task) ?? {}, { [backend || 'automatic']: await medianMs(page, path, body) });
    await page.close();
  }
  return [...rows.values()];
}

function medianMs(page: Page, path: string, body: object): Promise<number> {
  const request = [path, { model: 'lightwell-base', ...body }, CALLS] as const;
  return page.evaluate(async ([address, fields, calls]) => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const times: number[] = [];
    for (let call = 0; call <= calls; call++) {
      const startedMs = performance.now();
      const response = await lightwell.fetch(address, { method: 'POST', headers, body: JSON.stringify(fields) });
      if (!response.ok) throw new Error(`${address}: expected an answer, got ${await response.text()}`);
      await response.arrayBuffer();
      if (call > 0) times.push(performance.now() - startedMs);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
  }, request);
}
