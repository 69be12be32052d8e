import { expect, type Page } from '@playwright/test';
import type { BatchSemanticEmbedResponse, SemanticEmbedResponse } from '../../../src/contract/embed.ts';
import { call } from '../calls.ts';
import { test } from '../fixture.ts';

const TOPICS = ['the harbour at night', 'how bread is baked', 'a goal in the last minute', 'prices on the market'];

/** 100 texts of 1 to 60 words. */
const PROMPTS = Array.from({ length: 100 }, (_, i) => {
  const words = `${TOPICS[i % 4]}, as told in letter ${i} to a friend who had asked for it again and again. `;
  return words.repeat(1 + ((i * 7) % 3)).slice(0, 12 + ((i * 37) % 240));
});

const batch = (page: Page, prompts: readonly string[], more: object = {}) =>
  call<BatchSemanticEmbedResponse>(page, '/batch_semantic_embed', { prompts, representation: 'symmetric', ...more });

/** One call after another, sent from within the page. */
async function singly(page: Page, prompts: readonly string[]) {
  return page.evaluate(async (texts) => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const vectors: number[][] = [];
    for (const prompt of texts) {
      const body = JSON.stringify({ prompt, representation: 'symmetric' });
      const response = await lightwell.fetch('/semantic_embed', { method: 'POST', headers, body });
      const { embedding }: SemanticEmbedResponse = await response.json();
      vectors.push(embedding);
    }
    return vectors;
  }, prompts);
}

test.describe('semantic embeddings by the embedded model', () => {
  test('100 prompts in one call equal calls of their own', async ({ app }) => {
    const one = await batch(app, PROMPTS);
    const asked = PROMPTS.flatMap((_, i) => (i % 5 === 0 ? [i] : [])); // every fifth: all lengths are among them
    const many = await singly(
      app,
      asked.map((i) => PROMPTS[i] ?? ''),
    );
    expect(one.status).toBe(200);
    expect(one.body.embeddings.map((vector) => vector.length)).toEqual(Array(100).fill(5120));
    const differences = asked.flatMap((i, at) =>
      (one.body.embeddings[i] ?? [NaN]).map((x, k) => Math.abs(x - (many[at]?.[k] ?? NaN))),
    );
    const largest = differences.reduce((most, each) => Math.max(most, each), 0);
    expect(largest).toBeLessThanOrEqual(1e-5);
  });

  test('compresses to the 128 leading dimensions, and tells representations apart', async ({ app }) => {
    const [full, short, query] = [
      await batch(app, ['An apple a day']),
      await batch(app, ['An apple a day'], { compress_to_size: 128 }),
      await batch(app, ['An apple a day'], { representation: 'query' }),
    ];
    expect(short.body.embeddings[0]).toEqual(full.body.embeddings[0]?.slice(0, 128));
    expect(query.body.embeddings[0]).not.toEqual(full.body.embeddings[0]);
    expect(full.body.model_version).toContain('lightwell-embed');
  });
});
