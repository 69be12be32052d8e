import { describe, expect, it } from 'vitest';
import type { Explained, ExplainJob } from '../../../../../../src/protocol/target-jobs.ts';
import type { NetworkRun } from '../../../../../../workers/engine/network.ts';
import { explain } from '../../../../../../workers/operations/explain/explain.ts';
import { createFakeModel } from '../../../../../support/fakes/fake-model.ts';
import { explainJob, QUIET, textPrompt } from '../../../../../support/fakes/jobs.ts';

const TEXT = "A table for two at Luigi's in Oakland, please, and a quiet one by the window. ".repeat(3);
const job = (change: Partial<ExplainJob> = {}) =>
  explainJob({ prompt: textPrompt(TEXT), target: " Luigi's", granularity: { type: 'word' }, ...change });

const ran = async (change: Partial<ExplainJob>, options = {}) => {
  const fake = createFakeModel(options);
  const explained = await explain(job({ explainsTarget: false, ...change }), fake, QUIET);
  return { explained, runs: fake.runs };
};
const positionsIn = (runs: readonly NetworkRun[]) =>
  runs.reduce((sum, { batch, ids, sameIds }) => sum + (sameIds ? batch * ids.length : ids.length), 0);
const totals = ({ influence, sections, targetTokens }: Explained) =>
  sections.map((_, at) =>
    influence.subarray(at * targetTokens.length, (at + 1) * targetTokens.length).reduce((sum, score) => sum + score, 0),
  );

describe('explain within a budget', () => {
  it('spends no more, and says which scores are estimates', async () => {
    const [whole, part] = [await ran({}), await ran({ budget: 0.5 })];
    expect(positionsIn(part.runs)).toBeLessThan(0.6 * positionsIn(whole.runs));
    const { estimated } = part.explained;
    expect(whole.explained.estimated).toBeNull();
    expect(estimated?.sections.length).toBeGreaterThan(0);
    expect(estimated?.sections.length).toBeLessThan(part.explained.sections.length - 8);
    const isEstimate = new Set(estimated?.sections);
    const [exact, found] = [totals(whole.explained), totals(part.explained)];
    found.forEach((score, at) => {
      if (!isEstimate.has(at)) expect(score).toBeCloseTo(exact[at] ?? NaN, 5);
    });
  });

  it('computes the sections with the greatest estimates exactly', async () => {
    const { explained } = await ran({ budget: 0.4 });
    const isEstimate = new Set(explained.estimated?.sections);
    const sizes = totals(explained).map(Math.abs);
    const [estimates, exact] = [
      sizes.filter((_, at) => isEstimate.has(at)),
      sizes.filter((_, at) => !isEstimate.has(at)),
    ];
    expect(Math.max(...estimates)).toBeLessThan(Math.max(...exact));
  });

  it('stops by itself when the greatest are known', async () => {
    const [whole, auto] = [await ran({}), await ran({ budget: 'auto' })];
    expect(positionsIn(auto.runs)).toBeLessThan(positionsIn(whole.runs));
    expect(auto.explained.estimated?.margins.whole).toBeGreaterThanOrEqual(0);
  });

  it('is exact where rows cannot be chosen', async () => {
    for (const options of [{ takesPositions: false }, { sharesKvCache: false }])
      expect((await ran({ budget: 0.2 }, options)).explained).toMatchObject({ estimated: null });
    const short = await ran({ budget: 0.2, prompt: textPrompt('A table for two.') });
    expect(short.explained.estimated).toBeNull();
  });

  it('is exact where a network does not keep to the rows it is told', async () => {
    const fake = createFakeModel();
    const deaf = ({ layout: _, ...run }: NetworkRun) => fake.network.run(run);
    const model = { ...fake, network: { ...fake.network, run: deaf } };
    expect((await explain(job({ budget: 0.2 }), model, QUIET)).estimated).toBeNull();
  });

  it('tells a listener which rows are estimates', async () => {
    const told: { sections: number; estimated: number }[] = [];
    const listening = {
      ...{ checkpoint: QUIET.checkpoint, listens: true },
      progress: ({ explained }: { explained?: { sections: readonly number[]; estimated: Explained['estimated'] } }) =>
        void told.push({
          sections: explained?.sections.length ?? 0,
          estimated: explained?.estimated?.sections.length ?? 0,
        }),
    };
    const found = await explain(job({ budget: 0.5 }), createFakeModel(), listening);
    const last = told.pop();
    expect(last?.estimated).toBe(last?.sections);
    expect(last?.estimated).toBe(found.estimated?.sections.length);
    expect(told.every(({ estimated }) => estimated === 0)).toBe(true);
  });
});
