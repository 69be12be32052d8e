import { describe, expect, it } from 'vitest';
import type { ExplainJob } from '../../../../../src/protocol/jobs.ts';
import type { JobContext } from '../../../../../workers/operations/context.ts';
import { explain } from '../../../../../workers/operations/explain/explain.ts';
import { createFakeModel, logProbability } from '../../../../support/fake-model.ts';
import { embeddedModels } from '../../../../../src/models/catalogue.ts';

const [model] = embeddedModels('http://localhost/');
if (!model) throw new Error('expected an embedded model');

const job = (change: Partial<ExplainJob> = {}): ExplainJob => ({
  model,
  prompt: [{ type: 'text', data: "A table at Luigi's in Oakland, please. Restaurant:" }],
  target: " Luigi's",
  controlFactor: 0.1,
  controls: { contextualThreshold: null, logAdditive: true },
  overlap: 'partial',
  postprocessing: 'none',
  normalize: false,
  promptGranularity: { type: 'token' },
  targetGranularity: 'token',
  ...change,
});

const context = (): JobContext & { dones: number[] } => {
  const dones: number[] = [];
  return { dones, checkpoint: async () => undefined, progress: ({ done }) => void dones.push(done) };
};

/** Scores by the definition: one full pass for each position, nothing shared. */
function byHand(fake: ReturnType<typeof createFakeModel>, { prompt, target }: ExplainJob) {
  const [item] = prompt;
  const ids = [...fake.tokenizer.tokenize(item?.type === 'text' ? item.data : '').ids];
  const targets = fake.tokenizer.tokenize(target).ids;
  const fed = [...ids, ...targets.slice(0, -1)];
  const at = (factors: number[], t: number) =>
    logProbability({ ids: fed, factors }, ids.length - 1 + t, targets[t] ?? 0);
  const ones = fed.map(() => 1);
  return targets.map((_, t) => fed.map((_, j) => at(ones, t) - at(ones.with(j, 0.1), t)));
}

describe('explain', () => {
  it.each([true, false])('equals one full pass per token, prefix shared: %s', async (sharesKvCache) => {
    const fake = createFakeModel({ sharesKvCache });
    const { explanations } = await explain(job(), fake, context());
    const expected = byHand(fake, job());
    expect(explanations).toHaveLength(expected.length);
    explanations.forEach(({ items }, t) => {
      const scores = items.flatMap((item) =>
        item.scores.map((score) => (typeof score === 'number' ? score : score.score)),
      );
      const visible = (expected[t] ?? []).slice(0, scores.length);
      scores.forEach((score, i) => expect(score).toBeCloseTo(visible[i] ?? Number.NaN, 4));
    });
  });

  it('sums over the target for a complete explanation', async () => {
    const fake = createFakeModel();
    const each = await explain(job({ postprocessing: 'absolute' }), fake, context());
    const whole = await explain(job({ postprocessing: 'absolute', targetGranularity: 'complete' }), fake, context());
    expect(whole.explanations.map(({ target }) => target)).toEqual([" Luigi's"]);
    const first = (items: (typeof whole.explanations)[number]['items']) => items[0]?.scores[3];
    const sum = each.explanations.reduce((total, { items }) => {
      const score = first(items);
      return total + (typeof score === 'object' ? score.score : 0);
    }, 0);
    expect(first(whole.explanations[0]?.items ?? [])).toMatchObject({ score: expect.closeTo(sum, 6) });
    expect(whole.explanations[0]?.items.at(-1)).toEqual({ type: 'target', scores: [] });
  });

  it('lists, for each target token, those before it', async () => {
    const { explanations } = await explain(job(), createFakeModel(), context());
    expect(explanations.map(({ items }) => items.at(-1)?.scores.length)).toEqual(explanations.map((_, t) => t));
  });

  it('names spans in code points', async () => {
    const prompt = [{ type: 'text' as const, data: '😀 Rome' }];
    const { explanations } = await explain(
      job({ prompt, promptGranularity: { type: 'word' } }),
      createFakeModel(),
      context(),
    );
    expect(explanations[0]?.items[0]).toMatchObject({
      scores: [
        { start: 0, length: 1 },
        { start: 2, length: 4 },
      ],
    });
  });

  it('scales scores to 0 … 1 when that is asked for', async () => {
    const { explanations } = await explain(job({ normalize: true }), createFakeModel(), context());
    for (const { items } of explanations) {
      const scores = items.flatMap((item) =>
        item.scores.map((score) => (typeof score === 'number' ? score : score.score)),
      );
      expect(Math.min(...scores)).toBe(0);
      expect(Math.max(...scores)).toBe(1);
    }
  });

  it('explains token ids one by one and keeps item controls in the comparison', async () => {
    const fake = createFakeModel();
    const prompt = [
      { type: 'token_ids' as const, data: [40, 41, 42], controls: [{ index: 1, factor: 0 }] },
      { type: 'text' as const, data: ' in Rome' },
    ];
    const { explanations } = await explain(job({ prompt, targetGranularity: 'complete' }), fake, context());
    const scores = explanations[0]?.items[0]?.scores ?? [];
    expect(scores).toHaveLength(3);
    expect(scores[1]).toBeCloseTo(0); // already suppressed: 0 × 0.1
    expect(scores[0]).not.toBeCloseTo(0);
  });

  it('spreads to equal tokens with a contextual threshold', async () => {
    const fake = createFakeModel();
    const prompt = [{ type: 'token_ids' as const, data: [40, 50, 40] }];
    const explicit = await explain(job({ prompt }), fake, context());
    const controls = { contextualThreshold: 0.999, logAdditive: true };
    const spreading = await explain(job({ prompt, controls }), fake, context());
    const [first, , third] = explicit.explanations[0]?.items[0]?.scores ?? [];
    const [both] = spreading.explanations[0]?.items[0]?.scores ?? [];
    expect(both).not.toBeCloseTo(Number(first), 3);
    expect(first).toBeCloseTo(Number(third), 4);
  });

  it('tells progress up to the number of sections and releases what it retained', async () => {
    const watched = context();
    const { explanations } = await explain(job({ targetGranularity: 'complete' }), createFakeModel(), watched);
    expect(watched.dones.at(-1)).toBe(explanations[0]?.items[0]?.scores.length);
    expect(watched.dones).toEqual([...watched.dones].sort((a, b) => a - b));
  });

  it('scores 0 without a pass when the factor is 1', async () => {
    const fake = createFakeModel();
    const { explanations } = await explain(job({ controlFactor: 1 }), fake, context());
    expect(fake.runs).toHaveLength(1);
    expect(explanations[0]?.items[0]?.scores.every((score) => typeof score === 'object' && score.score === 0)).toBe(
      true,
    );
  });

  it('stops between two batches', async () => {
    const fake = createFakeModel({ sharesKvCache: false });
    let passes = 0;
    const stopping = {
      progress: () => undefined,
      checkpoint: async () => {
        if (++passes === 3) throw new DOMException('stop', 'AbortError');
      },
    };
    const long = [{ type: 'text' as const, data: 'one two three four five six seven '.repeat(20) }];
    await expect(explain(job({ prompt: long }), fake, stopping)).rejects.toThrow('stop');
    expect(fake.runs).toHaveLength(2);
  });

  it.each([
    ['an empty prompt', { prompt: [] }, 'INVALID_REQUEST', /^prompt: expected at least one token/],
    ['an empty target', { target: '' }, 'INVALID_REQUEST', /^target: expected at least one token/],
    ['a target with half a character', { target: 'a\uD800' }, 'INVALID_REQUEST', /^target: .*lone surrogate/],
    [
      'a custom granularity without delimiter',
      { promptGranularity: { type: 'custom' as const } },
      'INVALID_REQUEST',
      /^prompt_granularity\.delimiter: /,
    ],
    [
      'a prompt beyond the context',
      { prompt: [{ type: 'text' as const, data: 'a b '.repeat(1e5) }] },
      'PROMPT_TOO_LONG',
      /at most 1024/,
    ],
  ])('refuses %s', async (_, change, code, message) => {
    const refused = explain(job(change), createFakeModel(), context());
    await expect(refused).rejects.toMatchObject({ failure: { code, message: expect.stringMatching(message) } });
  });
});
