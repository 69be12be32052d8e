import { describe, expect, it } from 'vitest';
import type { JobProgress } from '../../../../../src/protocol/messages.ts';
import type { MarginLengths } from '../../../../../src/models/model.ts';
import type { ExplainOutput, ExplainJob } from '../../../../../src/protocol/jobs.ts';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import { explain } from '../../../../../workers/operations/explain/explain.ts';
import { createFakeModel } from '../../../../support/fakes/fake-model.ts';
import { encodePng } from '../../../../support/files/png.ts';
import { explainJob, QUIET, textPrompt } from '../../../../support/fakes/jobs.ts';

const TEXT = "A table for two at Luigi's in Oakland, please, and a quiet one by the window. ".repeat(3);
const job = (change: Partial<ExplainJob> = {}) =>
  explainJob({ prompt: textPrompt(TEXT), target: " Luigi's", prompt_granularity: { type: 'word' }, ...change });

const ran = async (change: Partial<ExplainJob>, options = {}) => {
  const fake = createFakeModel(options);
  const explained = await explain(job({ target_granularity: 'complete', ...change }), fake, QUIET);
  return { explained, runs: fake.runs };
};
const positionsIn = (runs: readonly NetworkRun[]) =>
  runs.reduce((sum, { batch, ids, sameIds }) => sum + (sameIds ? batch * ids.length : ids.length), 0);
const totals = ({ influence, sections, targetTokens }: ExplainOutput) =>
  sections.map((_, at) =>
    influence.subarray(at * targetTokens.length, (at + 1) * targetTokens.length).reduce((sum, score) => sum + score, 0),
  );

describe('explain within a budget', () => {
  it('spends no more, and says which scores are estimates', async () => {
    const [whole, part] = [await ran({}), await ran({ budget: 0.5 })];
    expect(positionsIn(part.runs)).toBeLessThan(0.6 * positionsIn(whole.runs));
    expect(part.explained.budget?.exact_because).toBeNull();
    expect(part.explained.budget?.spent).toBeLessThan(0.55);
    expect(part.explained.budget?.spent).toBeGreaterThan(0.4);
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

  it('computes together what is needed whatever it shows, and the same as one after the other', async () => {
    const { explained, runs } = await ran({ budget: 'auto' });
    const fake = createFakeModel();
    const network = { ...fake.network, costs: { passMs: 12, positionMs: 0.3, memoryBytes: 2 ** 30 } };
    const together = await explain(
      job({ target_granularity: 'complete', budget: 'auto' }),
      { ...fake, network },
      QUIET,
    );
    expect(together.estimated?.sections).toEqual(explained.estimated?.sections);
    expect(together.influence).toEqual(explained.influence);
    expect(fake.runs.length).toBeLessThan(runs.length); // where starting one is dear, they share them however far apart they begin
    expect(fake.runs.some(({ batch }) => batch > 1)).toBe(true);
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
    expect(auto.explained.estimated?.margins.whole.every((margin) => margin >= 0)).toBe(true);
    expect(auto.explained.estimated?.margins.isCalibrated).toBe(true);
  });

  it('is exact where exact passes take no longer than estimates, as on a card', async () => {
    const fake = createFakeModel();
    const network = { ...fake.network, costs: { passMs: 10, positionMs: 0.0015, memoryBytes: 2 ** 30 } };
    const { budget } = await explain(job({ budget: 0.15 }), { ...fake, network }, QUIET);
    expect(budget).toEqual({ spent: 1, exact_because: 'prompt' });
    expect(fake.runs).toHaveLength(2);
  });

  it('is exact where rows cannot be chosen', async () => {
    for (const options of [{ takesPositions: false }, { sharesKvCache: false }])
      expect((await ran({ budget: 0.2 }, options)).explained).toMatchObject({
        estimated: null,
        budget: { spent: 1, exact_because: 'model' },
      });
    const short = await ran({ budget: 0.2, prompt: textPrompt('A table for two.') });
    expect(short.explained).toMatchObject({ estimated: null, budget: { spent: 1, exact_because: 'prompt' } });
    expect((await ran({})).explained.budget).toBeNull();
  });

  it('estimates tiles of a picture, whose margins no measurement of texts covers', async () => {
    const file = Uint8Array.from(encodePng(24, 24, () => [200, 30, 30]));
    const picture = { type: 'image' as const, file, format: 'PNG' as const, crop: null, controls: [] };
    const text = { type: 'text' as const, text: 'A table for two.', controls: [] };
    const change = { prompt: { path: 'prompt', items: [picture, text] }, readsImages: true };
    const [whole, part] = [await ran(change, change), await ran({ ...change, budget: 0.3 }, change)];
    expect(part.explained.budget?.exact_because).toBeNull();
    expect(positionsIn(part.runs)).toBeLessThan(0.4 * positionsIn(whole.runs));
    expect(part.explained.estimated?.margins.isCalibrated).toBe(false);
    const isEstimate = new Set(part.explained.estimated?.sections);
    const exact = totals(whole.explained);
    expect(isEstimate.size).toBeLessThan(exact.length);
    totals(part.explained).forEach((score, at) => {
      if (!isEstimate.has(at)) expect(score).toBeCloseTo(exact[at] ?? NaN, 5);
    });
  });

  it('is exact where a network does not keep to the rows it is told', async () => {
    const fake = createFakeModel();
    const deaf = (run: NetworkRun) => {
      const { mode = 'additive', factors = new Float64Array() } = run.perturbation ?? {};
      return fake.network.run({ ...run, ...(run.perturbation && { perturbation: { mode, factors } }) });
    };
    const model = { ...fake, network: { ...fake.network, run: deaf } };
    expect((await explain(job({ budget: 0.2 }), model, QUIET)).estimated).toBeNull();
  });

  const toldBy = async (change: Partial<ExplainJob>) => {
    const told: { sections: readonly number[]; estimated: readonly number[] }[] = [];
    const listening = {
      ...QUIET,
      listens: true,
      progress: ({ explained }: Pick<JobProgress, 'explained'>) =>
        void told.push({ sections: explained?.sections ?? [], estimated: explained?.estimated?.sections ?? [] }),
    };
    const found = await explain(job(change), createFakeModel(), listening);
    return { told, left: found.estimated?.sections ?? [] };
  };

  it('tells estimates first, and exact scores that take their place', async () => {
    const { told, left } = await toldBy({ budget: 0.5 });
    const first = told.findIndex(({ estimated }) => estimated.length > 0);
    expect(told[first]?.estimated).toEqual(told[first]?.sections);
    const later = told.slice(first + 1);
    expect(later.every(({ sections, estimated }) => sections.length > 0 && estimated.length === 0)).toBe(true);
    const exact = new Set(later.flatMap(({ sections }) => sections));
    expect(left).toEqual(told[first]?.estimated.filter((section) => !exact.has(section)));
  });

  it('tells estimates last where only exact scores say how far they are off, and computes nine for that', async () => {
    const { margins: _, ...model } = job().model;
    const { told, left } = await toldBy({ budget: 0.3, model });
    expect(told.at(-1)?.estimated).toEqual(left);
    expect(told.slice(0, -1).every(({ estimated }) => estimated.length === 0)).toBe(true);
    expect(told.slice(0, -1).flatMap(({ sections }) => sections).length).toBeGreaterThanOrEqual(9);
  });

  it('says whether margins were measured for the model', async () => {
    const { margins: _, ...model } = job().model;
    const calibrated = async (change: Partial<ExplainJob>) =>
      (await ran({ budget: 0.3, ...change })).explained.estimated?.margins.isCalibrated;
    expect([await calibrated({}), await calibrated({ model })]).toEqual([true, false]);
  });

  it('makes margins of longer prompts smaller, where the model says by how much', async () => {
    const { margins: { lengths: _, ...constants } = { additive: [], multiplicative: [] }, ...model } = job().model;
    const marginsAt = async (lengths?: MarginLengths) => {
      const margins = { ...constants, ...(lengths && { lengths }) };
      const { explained } = await ran({ budget: 0.3, model: { ...model, margins } });
      return explained.estimated?.margins.whole[0] ?? NaN;
    };
    const whole = await marginsAt();
    expect(await marginsAt({ from: 1, tokens: 10, exponent: 1, to: 20 })).toBeCloseTo(whole / 2, 6); // longer than 20
    expect(await marginsAt({ from: 500, to: 1000, tokens: 250, exponent: 2 })).toBeCloseTo(whole / 4, 6);
  });
});
