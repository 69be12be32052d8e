import { describe, expect, it } from 'vitest';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { openEmbeddedModel } from '../../support/files/embedded-model.ts';
import { place } from '../../support/onnx/place.ts';
import { createPage, post } from '../../support/fakes/page.ts';
import prompts from './context-prompts.json' with { type: 'json' };

/** Accepted in the model's specification: of 20 prompts whose answer stands in the prompt. */
const MIN_RIGHT = 17;
const MIN_SUPPORTED = 16;

/** The model's own continuation of a prompt, `tokens` long. */
async function greedy({ network, tokenizer }: LoadedModel, prompt: string, tokens: number): Promise<string> {
  const ids = [...tokenizer.prefix, ...tokenizer.tokenize(prompt).ids];
  const first = ids.length;
  while (ids.length < first + tokens) {
    const { logits = new Float32Array() } = await network.run({ batch: 1, ids: Int32Array.from(ids), logits: true });
    ids.push(logits.indexOf(Math.max(...logits)));
  }
  return ids
    .slice(first)
    .map((id) => tokenizer.show(id))
    .join('');
}

/** The word of the prompt with the highest score. */
async function topWord(model: LoadedModel, prompt: string, target: string): Promise<string> {
  const body = { model: 'lightwell-base', prompt, target, prompt_granularity: { type: 'word' } };
  const response = await createPage({ model, timeoutMs: 60_000 }).router.fetch(post('/explain', body));
  const { explanations }: ExplainResponse = await response.json();
  const item = explanations[0]?.items[0];
  const scores = item?.type === 'text' ? item.scores : [];
  const top = scores.reduce((best, next) => (next.score > best.score ? next : best));
  return prompt.slice(top.start, top.start + top.length);
}

// The numbers do not depend on the place; one place, the fastest to start, is enough.
describe.runIf(place.backend === 'wasm' && !place.browser)('the embedded model on prompts that hold the answer', () => {
  it('answers and is explained by the supporting words', async () => {
    const model = await openEmbeddedModel();
    const rows: { id: string; said: string; right: boolean; top: string; supported: boolean }[] = [];
    for (const { id, prompt, answer, supporting } of prompts) {
      const length = model.tokenizer.tokenize(answer).ids.length;
      const said = await greedy(model, prompt, length);
      const top = await topWord(model, prompt, answer);
      rows.push({ id, said, right: said.trim() === answer.trim(), top, supported: supporting.includes(top) });
    }
    console.table(rows);
    expect(rows).toHaveLength(20);
    expect(rows.filter(({ right }) => right).length).toBeGreaterThanOrEqual(MIN_RIGHT);
    expect(rows.filter(({ supported }) => supported).length).toBeGreaterThanOrEqual(MIN_SUPPORTED);
  });
});
