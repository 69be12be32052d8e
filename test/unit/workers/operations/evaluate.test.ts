import { describe, expect, it } from 'vitest';
import type { EvaluateJob } from '../../../../src/protocol/target-jobs.ts';
import { evaluate } from '../../../../workers/operations/evaluate.ts';
import { createFakeModel, logProbability } from '../../../support/fakes/fake-model.ts';
import { firstModel, QUIET as context, textPrompt } from '../../../support/fakes/jobs.ts';

const PROMPT = "A table at Luigi's in Oakland, please. Restaurant:";
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const job = (expected: string): EvaluateJob => ({
  model: firstModel(),
  prompt: textPrompt(PROMPT),
  expected,
  controls: { contextualThreshold: null, logAdditive: true },
});

/** Tokens of one class are equally likely in the stand-in: each has its share of the class. */
const TOKENS_OF_A_CLASS = 4096 / 64;

/** Sum over the target by the definition, from one full sequence. */
function byHand({ tokenizer }: ReturnType<typeof createFakeModel>, expected: string): number {
  const prompt = tokenizer.tokenize(PROMPT).ids;
  const target = tokenizer.tokenize(expected).ids;
  const ids = [...prompt, ...target];
  const fed = { ids, factors: ids.map(() => 1) };
  const at = (id: number, t: number) => logProbability(fed, prompt.length - 1 + t, id) - Math.log(TOKENS_OF_A_CLASS);
  return target.reduce((sum, id, t) => sum + at(id, t), 0);
}

describe('evaluate', () => {
  it('adds up the log-probabilities of the expected tokens', async () => {
    const fake = createFakeModel();
    const { logProbabilities } = await evaluate(job(" Luigi's in Oakland"), fake, context);
    expect(sumOf(logProbabilities)).toBeCloseTo(byHand(fake, " Luigi's in Oakland"), 3);
  });

  it.each([true, false])(
    'reads a long text in parts, KV cache shared: %s',
    { timeout: 60_000 },
    async (sharesKvCache) => {
      const text = ' one two three four'.repeat(300);
      const fake = createFakeModel({ sharesKvCache, contextTokens: 4096 });
      const { logProbabilities } = await evaluate(job(text), fake, context);
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
    const { completion, isGreedy } = await evaluate(job(' a'), fake, context);
    expect([completion === ' a', isGreedy]).toEqual([false, false]);
    expect(await evaluate(job(completion), fake, context)).toMatchObject({ isGreedy: true, completion });
  });
});
