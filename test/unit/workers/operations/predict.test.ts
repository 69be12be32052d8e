import { describe, expect, it, vi } from 'vitest';
import type { Jobs } from '../../../../src/protocol/jobs.ts';
import { evaluate, predict } from '../../../../workers/operations/predict.ts';
import { encodePng } from '../../../support/files/png.ts';
import { createFakeModel, logProbability } from '../../../support/fakes/fake-model.ts';
import { firstModel, QUIET as context, textPrompt } from '../../../support/fakes/jobs.ts';

const PROMPT = "A table at Luigi's in Oakland, please. Restaurant:";
const job = (more: Partial<Jobs['predict']['input']> = {}): Jobs['predict']['input'] => ({
  model: firstModel(),
  prompt: textPrompt(PROMPT),
  target: " Luigi's",
  alternatives: 2,
  maximum_tokens: 3,
  control_log_additive: true,
  ...more,
});

describe('predict', () => {
  it('rates each target token beside the likeliest ones', async () => {
    const { target } = await predict(job(), createFakeModel(), context);
    expect(target?.map(({ token }) => token).join('')).toBe(" Luigi's");
    for (const { log_probability: own, alternatives } of target ?? []) {
      expect(alternatives).toHaveLength(2);
      expect(alternatives[0]?.log_probability).toBeGreaterThanOrEqual(own);
    }
  });

  it.each([true, false])('continues with the likeliest token in turn, KV cache shared: %s', async (sharesKvCache) => {
    const fake = createFakeModel({ sharesKvCache });
    const { continuation, target } = await predict(job({ target: null }), fake, context);
    expect(target).toBeNull();
    expect(continuation.tokens).toHaveLength(3);
    const again = await predict(job({ target: continuation.text, maximum_tokens: 0 }), fake, context);
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
    const { continuation } = await predict(job({ target: null, maximum_tokens: 8 }), short, context);
    expect(continuation.tokens).toHaveLength(2);
  });
});

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const evaluateJob = (expected: string): Jobs['evaluate']['input'] => ({
  model: firstModel(),
  prompt: textPrompt(PROMPT),
  completion_expected: expected,
  control_log_additive: true,
});

/** Sum over the target by the definition, from one full sequence. */
function byHand({ tokenizer }: ReturnType<typeof createFakeModel>, expected: string): number {
  const prompt = tokenizer.tokenize(PROMPT).ids;
  const target = tokenizer.tokenize(expected).ids;
  const ids = [...prompt, ...target];
  const fed = { ids, factors: ids.map(() => 1) };
  return target.reduce((sum, id, t) => sum + logProbability(fed, prompt.length - 1 + t, id), 0);
}

describe('evaluate', () => {
  it('adds up the log-probabilities of the expected tokens', async () => {
    const fake = createFakeModel();
    const { logProbabilities } = await evaluate(evaluateJob(" Luigi's in Oakland"), fake, context);
    expect(sumOf(logProbabilities)).toBeCloseTo(byHand(fake, " Luigi's in Oakland"), 3);
  });

  it.each([true, false])(
    'reads a long text in parts, KV cache shared: %s',
    { timeout: 60_000 },
    async (sharesKvCache) => {
      const text = ' one two three four'.repeat(300);
      const fake = createFakeModel({ sharesKvCache, contextTokens: 4096 });
      const { logProbabilities } = await evaluate(evaluateJob(text), fake, context);
      const { runs } = fake;
      expect(runs.map(({ rows }) => rows)).toEqual([1024, logProbabilities.length - 1024]);
      expect(runs.map(({ cached }) => cached?.tokens)).toEqual([
        undefined,
        sharesKvCache ? runs[0]?.ids.length : undefined,
      ]);
      const expected = byHand(fake, text);
      expect(Math.abs(sumOf(logProbabilities) / expected - 1)).toBeLessThan(1e-4);
    },
  );

  it('is correct exactly where the likeliest token is the expected one', async () => {
    const fake = createFakeModel();
    const { completion = '', isGreedy } = (await evaluate(evaluateJob(' a'), fake, context)).likeliest ?? {};
    expect([completion === ' a', isGreedy]).toEqual([false, false]);
    const { likeliest } = await evaluate(evaluateJob(completion), fake, context);
    expect(likeliest).toEqual({ isGreedy: true, completion });
  });
});
