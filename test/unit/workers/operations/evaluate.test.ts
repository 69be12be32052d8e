import { describe, expect, it } from 'vitest';
import { embeddedModels } from '../../../../src/models/catalogue.ts';
import type { EvaluateJob } from '../../../../src/protocol/jobs.ts';
import { evaluate } from '../../../../workers/operations/evaluate.ts';
import { createFakeModel, logProbability } from '../../../support/fake-model.ts';

const [model] = embeddedModels('http://localhost/');
if (!model) throw new Error('expected an embedded model');

const context = { checkpoint: async () => undefined, progress: () => undefined };
const PROMPT = "A table at Luigi's in Oakland, please. Restaurant:";
const job = (expected: string, data = PROMPT): EvaluateJob => ({
  model,
  prompt: [{ type: 'text', data }],
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
    const { evaluation } = await evaluate(job(" Luigi's in Oakland"), fake, context);
    expect(evaluation.log_probability).toBeCloseTo(byHand(fake, " Luigi's in Oakland"), 3);
  });

  it.each([true, false])(
    'reads a long text in parts, prefix shared: %s',
    { timeout: 60_000 },
    async (sharesKvCache) => {
      const text = ' one two three four'.repeat(300);
      const fake = createFakeModel({ sharesKvCache, contextTokens: 4096 });
      const { evaluation } = await evaluate(job(text), fake, context);
      const { runs } = fake;
      expect(runs.map(({ rows }) => rows)).toEqual([1024, evaluation.token_count - 1024]);
      expect(runs.map(({ cached }) => cached?.tokens)).toEqual([
        undefined,
        sharesKvCache ? runs[0]?.ids.length : undefined,
      ]);
      const expected = byHand(fake, text);
      expect(Math.abs(evaluation.log_probability / expected - 1)).toBeLessThan(1e-4);
    },
  );

  it('is correct exactly where the likeliest token is the expected one', async () => {
    const fake = createFakeModel();
    const { completion, correct_greedy: isCorrect } = (await evaluate(job(' a'), fake, context)).evaluation;
    expect([completion === ' a', isCorrect]).toEqual([false, false]);
    const again = (await evaluate(job(completion), fake, context)).evaluation;
    expect(again).toMatchObject({ correct_greedy: true, completion });
  });
});
