import { describe, expect, it, vi } from 'vitest';
import type { PredictJob } from '../../../../src/protocol/target-jobs.ts';
import { predict } from '../../../../workers/operations/predict.ts';
import { encodePng } from '../../../support/files/png.ts';
import { createFakeModel } from '../../../support/fakes/fake-model.ts';
import { firstModel, QUIET as context, textPrompt } from '../../../support/fakes/jobs.ts';

const PROMPT = "A table at Luigi's in Oakland, please. Restaurant:";
const job = (more: Partial<PredictJob> = {}): PredictJob => ({
  model: firstModel(),
  prompt: textPrompt(PROMPT),
  target: " Luigi's",
  alternatives: 2,
  maximumTokens: 3,
  controls: { contextualThreshold: null, logAdditive: true },
  ...more,
});

describe('predict', () => {
  it('rates each target token beside the likeliest ones', async () => {
    const { target } = await predict(job(), createFakeModel(), context);
    expect(target?.map(({ token }) => token).join('')).toBe(" Luigi's");
    for (const { logProbability, alternatives } of target ?? []) {
      expect(alternatives).toHaveLength(2);
      expect(alternatives[0]?.logProbability).toBeGreaterThanOrEqual(logProbability);
    }
  });

  it.each([true, false])('continues with the likeliest token in turn, KV cache shared: %s', async (sharesKvCache) => {
    const fake = createFakeModel({ sharesKvCache });
    const { continuation, target } = await predict(job({ target: null }), fake, context);
    expect(target).toBeNull();
    expect(continuation.tokens).toHaveLength(3);
    const again = await predict(job({ target: continuation.text, maximumTokens: 0 }), fake, context);
    expect(again.continuation).toEqual({ text: '', tokens: [] });
    for (const { token, alternatives } of again.target ?? []) expect(token).toBe(alternatives[0]?.token);
  });

  it('encodes a picture once for the target and the continuation', async () => {
    const fake = createFakeModel({ readsImages: true });
    const reader = await fake.images?.();
    if (!reader) throw new Error('expected a stand-in that reads pictures');
    const embed = vi.spyOn(reader, 'embed');
    const file = Uint8Array.from(encodePng(20, 20, () => [200, 30, 30]));
    const picture = { type: 'image' as const, file, format: 'PNG' as const, crop: null, controls: [] };
    await predict(job({ prompt: { path: 'prompt', items: [picture] } }), fake, context);
    expect(embed).toHaveBeenCalledOnce();
  });

  it('stops where the context ends', async () => {
    const fake = createFakeModel();
    const length = fake.tokenizer.prefix.length + fake.tokenizer.tokenize(PROMPT).ids.length;
    const short = createFakeModel({ contextTokens: length + 2 });
    const { continuation } = await predict(job({ target: null, maximumTokens: 8 }), short, context);
    expect(continuation.tokens).toHaveLength(2);
  });
});
