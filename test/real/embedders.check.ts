import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { rankCorrelation } from '../../src/client/faithfulness/measures.ts';
import type { BatchSemanticEmbedResponse, EmbedResponse } from '../../src/contract/embed.ts';
import { cosine } from '../../evaluation/measures/ranking/cosine.ts';
import { test } from '../e2e/fixture.ts';
import { answerOf } from '../e2e/calls.ts';
import { compareEqual, compareLayers, compareNumbers, note } from './compared.ts';
import { CASES, type EmbedderReference, NAMES, referenceOf, stsPairs } from './references.ts';

const BATCH = 100;

for (const model of NAMES.filter((name) => name.includes('MiniLM'))) {
  const { counts, vectors, layers, sts } = referenceOf<EmbedderReference>(model);

  test(`vectors of ${model}`, async ({ freshApp: page }) => {
    compareNumbers(model, 'vectors', await vectorsOf(page, model, CASES.strings), vectors);
    compareEqual(model, 'numbers of tokens', await countsOf(page, model), counts);
  });

  test(`layers of ${model}`, async ({ freshApp: page }) => {
    test.skip(!layers, 'nothing else gives the states of this graph');
    await compareLayers(page, model, layers ?? []);
  });

  test(`STS Benchmark by ${model}`, async ({ freshApp: page }) => {
    test.skip(sts === undefined, 'its file is not there');
    await compareSts(page, model, sts ?? NaN);
  });
}

/** Of all texts, in batches. */
async function vectorsOf(page: Page, model: string, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let at = 0; at < texts.length; at += BATCH) {
    const prompts = texts.slice(at, at + BATCH);
    const body = { model, prompts, representation: 'symmetric' };
    vectors.push(...(await answerOf<BatchSemanticEmbedResponse>(page, '/batch_semantic_embed', body)).embeddings);
  }
  return vectors;
}

async function countsOf(page: Page, model: string): Promise<number[]> {
  const counts: number[] = [];
  for (const prompt of CASES.strings)
    counts.push((await answerOf<EmbedResponse>(page, '/embed', { model, prompt })).num_tokens_prompt_total);
  return counts;
}

async function compareSts(page: Page, model: string, wanted: number): Promise<void> {
  const pairs = stsPairs();
  const texts = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const vectors = await vectorsOf(page, model, texts);
  const of = new Map(texts.map((text, at) => [text, vectors[at] ?? []]));
  const cosines = pairs.map(({ a, b }) => cosine(of.get(a) ?? [], of.get(b) ?? []));
  const people = pairs.map(({ score }) => score);
  const found = rankCorrelation(cosines, people);
  note({ model, what: 'STS Benchmark dev, Spearman', found: `${found.toFixed(4)}, reference ${wanted.toFixed(4)}` });
  expect.soft(Math.abs(found - wanted)).toBeLessThan(1e-3);
}
