import { describe, expect, it } from 'vitest';
import type { ExplainJob, ExplainPart } from '../../../../../../src/protocol/jobs.ts';
import type { JobPrompt } from '../../../../../../src/protocol/model-job.ts';
import { fitSparseLinear, randomSubsets } from '../../../../../../workers/kernels/sparse-linear.ts';
import { explainByAblation } from '../../../../../../workers/operations/explain/ablation/ablation.ts';
import { explainJob, idsPrompt, QUIET, textPrompt } from '../../../../../support/fakes/jobs.ts';

/** Likelihoods by a formula over the token ids that are left: section 0 has the id 1, section 1 the id 2, and so on. */
type Game = (ids: ReadonlySet<number>) => readonly number[];

function run(change: Partial<ExplainJob>, game: Game, count = 5) {
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  const job = explainJob({ prompt: idsPrompt(ids), target: ' x', target_granularity: 'complete', ...change });
  const seen: JobPrompt[] = [];
  const told: { done: number; part: ExplainPart | undefined }[] = [];
  const answer = explainByAblation({
    job,
    plan: {
      sections: ids.map((_, index) => ({ item: 0, index })),
      targetTokens: job.target_granularity === 'token' ? [' ', 'x'] : [' x'],
      foilTokens: [],
    },
    whole: game(new Set(ids)),
    context: { ...QUIET, listens: true, progress: ({ done, explained }) => void told.push({ done, part: explained }) },
    source: {
      logProbabilities: async (prompt) => {
        seen.push(prompt);
        return game(new Set(prompt.items.flatMap((item) => (item.type === 'token_ids' ? item.ids : []))));
      },
    },
  });
  return { answer, seen, told };
}

const has = (ids: ReadonlySet<number>, id: number) => Number(ids.has(id));
const pairwise: Game = (ids) => [has(ids, 1) - 2 * has(ids, 2) - 9, 3 * has(ids, 3) * has(ids, 4)];

describe('explainByAblation', () => {
  it('deletes each section by itself, and counts one request for each and one for the whole prompt', async () => {
    const { answer, seen, told } = run({ method: 'deletion' }, pairwise);
    const { influence, estimated, requests } = await answer;
    expect([...influence]).toEqual([1, -2, 3, 3, 0]);
    expect([estimated, requests, seen.length]).toEqual([null, 6, 5]);
    expect(told.map(({ part }) => part?.sections)).toEqual([[0], [1], [2], [3], [4]]);
    expect(told.map(({ done }) => done)).toEqual([2, 3, 4, 5, 6]);
  });
  it('keeps each section by itself, and counts the whole prompt and the empty one too', async () => {
    const { answer, seen } = run({ method: 'insertion' }, (ids) => [
      ids.size === 5 ? -1 : has(ids, 2) - has(ids, 4) - 7,
    ]);
    const { influence, estimated, requests } = await answer;
    expect([...influence]).toEqual([0, 1, 0, -1, 0]);
    expect([estimated, requests, seen.length]).toEqual([null, 7, 6]);
  });
  it('scores each token of the target where it is asked to', async () => {
    const { answer } = run({ method: 'deletion', target_granularity: 'token' }, pairwise);
    expect([...(await answer).influence]).toEqual([1, 0, -2, 0, 0, 3, 0, 3, 0, 0]);
  });
  it('refuses a source that counts tokens of the target in another way', async () => {
    const { answer } = run({ method: 'deletion', target_granularity: 'token' }, () => [-1]);
    await expect(answer).rejects.toThrow('expected 2 target tokens, got 1');
  });
  it('fits a linear model to all subsets where there are few', async () => {
    const { answer, seen } = run({ method: 'sparse_linear' }, pairwise);
    const { influence, estimated } = await answer;
    [1, -2, 1.5, 1.5, 0].forEach((score, at) => expect(influence[at]).toBeCloseTo(score, 10));
    expect([estimated, seen.length]).toEqual([null, 31]);
  });
  it('fits one to random subsets where there are many, with margins, and again as requests are answered', async () => {
    const linear: Game = (ids) => [[...ids].reduce((sum, id) => sum + Math.sin(id), 0)];
    const { answer, told } = run({ method: 'sparse_linear', max_requests: 128 }, linear, 20);
    const { influence, estimated, requests } = await answer;
    const kept = randomSubsets(20, 128);
    const values = kept.map((own) => own.reduce((sum, one, at) => sum + one * Math.sin(at + 1), 0));
    expect([...influence]).toEqual([...fitSparseLinear(kept, values).effects]);
    expect(requests).toBe(128);
    expect(estimated?.sections).toHaveLength(20);
    expect(told.filter(({ part }) => part).map(({ done }) => done)).toEqual([16, 32, 64, 128]);
    influence.forEach((score, at) => expect(Math.abs(score - Math.sin(at + 1))).toBeLessThan(0.05));
  });
  it('gives Shapley values with margins', async () => {
    const { answer } = run({ method: 'shapley' }, pairwise);
    const { influence, estimated, requests } = await answer;
    [1, -2, 1.5, 1.5, 0].forEach((score, at) => expect(influence[at]).toBeCloseTo(score, 10));
    estimated?.margins.whole.forEach((margin) => expect(margin).toBeCloseTo(0, 10));
    expect(requests).toBeLessThanOrEqual(2 + 8 * 4);
  });
  it('never makes more requests than it may', async () => {
    const game: Game = (ids) => [[...ids].reduce((sum, id) => sum + Math.sin(id * ids.size), 0)];
    for (const method of ['deletion', 'sparse_linear', 'shapley'] as const)
      for (const max_requests of [32, 50, 100, 333]) {
        const { answer, seen } = run({ method, max_requests }, game, method === 'shapley' ? 8 : 90);
        expect((await answer).requests).toBe(seen.length + 1);
        expect(seen.length + 1).toBeLessThanOrEqual(max_requests);
      }
  });
  it('says how many requests a method needs at least', async () => {
    await expect(run({ method: 'shapley', max_requests: 16 }, pairwise, 9).answer).rejects.toThrow(
      'max_requests: expected at least 34 for Shapley values of 9 sections, got 16',
    );
    await expect(run({ method: 'insertion', max_requests: 16 }, pairwise, 15).answer).rejects.toThrow(
      'max_requests: expected at least 17 for each of 15 sections alone, got 16',
    );
    await expect(run({ method: 'deletion', max_requests: 16 }, pairwise, 90).answer).rejects.toThrow(
      'max_requests: expected at least 18 for 90 sections, got 16',
    );
  });
  it('answers for one section', async () => {
    for (const method of ['deletion', 'insertion', 'sparse_linear', 'shapley'] as const)
      expect((await run({ method }, (ids) => [has(ids, 1) - 2], 1).answer).influence[0]).toBeCloseTo(1, 10);
  });
  it('has the model read a line break where nothing is left', async () => {
    const { answer, seen } = run({ method: 'shapley' }, pairwise);
    await answer;
    expect(seen.at(0)?.items).toEqual([{ type: 'text', text: '\n', controls: [] }]);
  });
});

describe('deletion of groups', () => {
  const SENTENCES = Array.from({ length: 12 }, (_, at) => `The ${at} mice ate some more of the cheese.`);
  const prompt = textPrompt(SENTENCES.join(' '));
  const [text] = prompt.items.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  const spans = Array.from((text ?? '').matchAll(/\S+/g), ({ 0: word, index }) => ({
    start: index,
    length: word.length,
  }));

  it('opens only what matters, and gives the rest a share with a margin', async () => {
    const job = explainJob({
      prompt,
      target: ' x',
      method: 'deletion',
      max_requests: 48,
      target_granularity: 'complete',
    });
    const plan = { sections: spans.map((span) => ({ item: 0, span })), targetTokens: [' x'], foilTokens: [] };
    const words = (left: string) => Number(left.includes(' 7 ')) * 5 + Number(left.includes('cheese.')) - 9;
    const source = {
      logProbabilities: async ({ items: [item] }: JobPrompt) => [words(item?.type === 'text' ? item.text : '')],
    };
    const { influence, estimated, requests } = await explainByAblation({
      job,
      plan,
      source,
      whole: [words(text ?? '')],
      context: QUIET,
    });
    expect(spans.length).toBe(108);
    expect(requests).toBeLessThanOrEqual(48);
    const seven = spans.findIndex(({ start, length }) => text?.slice(start, start + length) === '7');
    expect(influence[seven]).toBe(5);
    expect(estimated?.sections).not.toContain(seven);
    expect(estimated?.margins.whole.every((margin) => margin > 0)).toBe(true);
  });
});
