import type { Browser, Page } from 'playwright';
import { embed, MODEL } from '../../test/e2e/calls.ts';
import { openApp, type Rows } from '../app.ts';
import { quantile } from '../kills/kills.ts';

/** Tokens of the prompt that is explained. */
const TOKENS = 1_000;

/**
 * Single calls of `/embed` on an idle page and while a long explanation runs, and what the calls cost the explanation.
 * Each call is sent when the one before it is answered. A batch of the explanation takes as long as with any granularity.
 */
export async function interleaving(browser: Browser, url: string, calls: number): Promise<Rows> {
  const page = await browser.newPage();
  await openApp(page, url);
  const { prompt, tokens } = await promptOf(page, TOKENS);
  const body = { model: MODEL, prompt, target: ' home', prompt_granularity: { type: 'sentence' } };
  const idle = await embedMs(page, calls);
  const aloneMs = await explainMs(page, body);
  const explaining = explainMs(page, body);
  await page.waitForTimeout(500); // it is under way
  const during = await embedMs(page, calls);
  const withCallsMs = await explaining;
  await page.close();
  return [
    row('idle', idle),
    row('during an explanation', during),
    { page: `explanation of ${tokens} tokens`, aloneMs, withCallsMs, slowDown: withCallsMs / aloneMs },
  ];
}

const SENTENCE =
  'The old lighthouse keeper walked down to the harbour and counted the boats before the storm came in. ';

/** As many sentences as go into so many tokens. */
async function promptOf(page: Page, most: number): Promise<{ prompt: string; tokens: number }> {
  const countOf = async (text: string) => (await embed(page, text)).body.num_tokens_prompt_total;
  const [one, two] = [await countOf(SENTENCE), await countOf(SENTENCE.repeat(2))];
  const prompt = SENTENCE.repeat(1 + Math.floor((most - one) / (two - one)));
  return { prompt, tokens: await countOf(prompt) };
}

function row(page: string, ms: readonly number[]): Record<string, string | number> {
  const sorted = ms.toSorted((a, b) => a - b);
  return { page, calls: ms.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

/** Times of so many calls, or of those until an explanation ends that runs meanwhile; taken in the page. */
function embedMs(page: Page, calls: number): Promise<number[]> {
  return page.evaluate(
    async ([model, count]) => {
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      const body = JSON.stringify({ model, prompt: 'A single sentence, as a search box sends it.' });
      const times: number[] = [];
      const wasExplaining = Reflect.get(globalThis, 'isExplaining') === true;
      for (let i = 0; i < count; i++) {
        const startedMs = performance.now();
        const response = await lightwell.fetch('/embed', { method: 'POST', headers, body });
        await response.json();
        if (response.status !== 200) throw new Error(`/embed: expected 200, got ${response.status}`);
        if (wasExplaining && Reflect.get(globalThis, 'isExplaining') !== true) break;
        times.push(performance.now() - startedMs);
      }
      return times;
    },
    [MODEL, calls] as const,
  );
}

function explainMs(page: Page, body: object): Promise<number> {
  return page.evaluate(async (text) => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const startedMs = performance.now();
    Reflect.set(globalThis, 'isExplaining', true);
    const response = await lightwell.fetch('/explain', { method: 'POST', headers, body: text });
    await response.json();
    Reflect.set(globalThis, 'isExplaining', false);
    if (response.status !== 200) throw new Error(`/explain: expected 200, got ${response.status}`);
    return performance.now() - startedMs;
  }, JSON.stringify(body));
}
