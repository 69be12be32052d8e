import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, type Page } from '@playwright/test';
import { startServer } from '../../../../server/serve.ts';
import type { CompleteResponse } from '../../../../src/contract/complete.ts';
import type { ExplainBody, ExplainResponse } from '../../../../src/contract/explain.ts';
import { scoredSections } from '../../../../src/client/faithfulness/sections.ts';
import { answerOf, call } from '../../calls.ts';
import { freePort } from '../cluster/ray.ts';

const { LLAMA_SERVER = '', LLAMA_WEIGHTS = '', LLAMA_FOLDERS = '' } = process.env;
/** The same weights, in the page. */
const HERE = 'HuggingFaceTB/SmolLM2-135M-Instruct';
const THERE = 'smollm2';
const KEY = 'key-of-llama-cpp';

/**
 * Difference of two scores, nats, at most: both compute in 32 bits, in another order. With llama.cpp's default of 16 bits for keys and
 * values it was 6e-3.
 */
const TOLERANCE = 1e-3;
const IN_32_BITS = ['--cache-type-k', 'f32', '--cache-type-v', 'f32', '--flash-attn', 'off'];

const CASES: readonly Pick<ExplainBody, 'prompt' | 'target'>[] = [
  { prompt: "A table at Luigi's in Oakland at 7 pm, for Anna. The name of the restaurant is", target: " Luigi's" },
  { prompt: 'Die Brücke in Zürich ist rot, das Haus in Köln ist grün. Die Brücke steht in', target: ' Zürich' },
];

/** llama.cpp's server, once it has read its weights. */
async function startLlama(): Promise<{ readonly address: string; readonly server: ChildProcess }> {
  const port = await freePort();
  const args = ['--model', LLAMA_WEIGHTS, '--alias', THERE, '--api-key', KEY, '--port', String(port)];
  const server = spawn(LLAMA_SERVER, args.concat(IN_32_BITS, '--ctx-size', '2048'), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (chunk) => (said = (said + chunk).slice(-4000)));
  const address = `http://127.0.0.1:${port}`;
  await expect(async () => {
    if (server.exitCode !== null) throw new Error(`llama-server ended: ${said}`);
    expect((await fetch(`${address}/health`)).ok).toBe(true);
  }).toPass();
  return { address: `${address}/v1`, server };
}

test('a model behind llama.cpp is explained as the same weights are in the page', async ({ page }) => {
  const { address, server } = await startLlama();
  const local = await startServer({ port: 0, models: LLAMA_FOLDERS, upstream: { address, token: KEY } });
  try {
    await page.goto(local.url);
    await page.waitForFunction(() => 'lightwell' in globalThis);
    await page.evaluate(async () => void (await lightwell.ready));
    await page.evaluate((chosen) => void lightwell.settings.set({ upstream: { address: chosen } }), address);
    const listed = () => call(page, '/model-settings', undefined, { method: 'GET' });
    await expect.poll(async () => JSON.stringify(await listed())).toContain(THERE);
    for (const body of CASES) {
      const [there, here] = [await deletionOf(page, THERE, body), await deletionOf(page, HERE, body)];
      expect(there.targets).toEqual(here.targets);
      const worst = Math.max(...here.scores.map((score, at) => Math.abs(score - (there.scores[at] ?? NaN))));
      console.log(
        `${here.targets.join('|')}: ${here.scores.length} scores differ by ${worst.toExponential(1)} nats at most`,
      );
      expect(worst).toBeLessThan(TOLERANCE);
      expect(Math.max(...here.scores)).toBeGreaterThan(1);
    }
    // llama.cpp tells no probability of a token that is a part of a character.
    const split = { model: THERE, prompt: 'A crab is 🦀. A dog is 🐕. A crab is', target: ' 🦀', method: 'deletion' };
    const { status, body } = await call(page, '/explain', split);
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining('it rates no character that is several tokens'),
    ]);
    await compareTexts(page);
    expect(await page.content()).not.toContain(KEY);
  } finally {
    await local.close();
    server.kill();
    await once(server, 'exit');
  }
});

/** Scores of each word, those of the target's tokens one after another. */
async function deletionOf(page: Page, model: string, body: Omit<ExplainBody, 'model'>) {
  const by = { method: 'deletion', prompt_granularity: { type: 'word' }, target_granularity: 'token' } as const;
  const request: ExplainBody = { ...body, ...by, model };
  const { explanations } = await answerOf<ExplainResponse>(page, '/explain', request);
  return {
    targets: explanations.map(({ target }) => target),
    scores: explanations.flatMap((each) => scoredSections(request, [each]).scores),
  };
}

async function compareTexts(page: Page): Promise<void> {
  const body = { prompt: 'The capital of France is', maximum_tokens: 8, log_probs: 0 };
  const written = async (model: string) => {
    const { completions } = await answerOf<CompleteResponse>(page, '/complete', { ...body, model });
    return completions[0];
  };
  const [there, here] = [await written(THERE), await written(HERE)];
  expect(there?.completion).toBe(here?.completion);
}
