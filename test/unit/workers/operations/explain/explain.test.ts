import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../../src/contract/failure.ts';
import type { ExplainOutput, ExplainPart, ExplainJob } from '../../../../../src/protocol/jobs.ts';
import type { NetworkRun } from '../../../../../workers/engine/network.ts';
import type { TaskContext } from '../../../../../workers/serving/serve.ts';
import { explain } from '../../../../../workers/operations/explain/explain.ts';
import { createFakeModel, logProbability } from '../../../../support/fakes/fake-model.ts';
import { explainJob, idsPrompt, QUIET, textPrompt } from '../../../../support/fakes/jobs.ts';

const TEXT = "A table at Luigi's in Oakland, please. Restaurant:";

const job = (change: Partial<ExplainJob> = {}) =>
  explainJob({ prompt: textPrompt(TEXT), target: " Luigi's", ...change });

/** A listener that keeps what it is told. */
function listener(): TaskContext & { readonly told: { done: number; part: ExplainPart }[] } {
  const told: { done: number; part: ExplainPart }[] = [];
  return {
    ...QUIET,
    told,
    listens: true,
    progress: ({ done, explained }) => void (explained && told.push({ done, part: explained })),
  };
}

/** Influence of a section on each target token. */
function row(
  { influence, targetTokens }: Pick<ExplainOutput, 'influence' | 'targetTokens'>,
  section: number,
): number[] {
  return [...influence.subarray(section * targetTokens.length, (section + 1) * targetTokens.length)];
}

/** Influence by the definition: one full pass for each position, nothing shared; `[positions, target tokens]`. */
function byHand(fake: ReturnType<typeof createFakeModel>, target: string): number[][] {
  const ids = [...fake.tokenizer.tokenize(TEXT).ids];
  const targets = fake.tokenizer.tokenize(target).ids;
  const fed = [...ids, ...targets.slice(0, -1)];
  const at = (factors: number[], t: number) =>
    logProbability({ ids: fed, factors }, ids.length - 1 + t, targets[t] ?? 0);
  const ones = fed.map(() => 1);
  return fed.map((_, j) => targets.map((__, t) => at(ones, t) - at(ones.with(j, 0.1), t)));
}

/** Influences of an explanation, a row for each section of the prompt. */
async function rowsOf(wanted: ExplainJob, fake = createFakeModel()): Promise<number[][]> {
  const { sections, influence, targetTokens, foilTokens } = await explain(wanted, fake, QUIET);
  const width = targetTokens.length + foilTokens.length;
  return sections
    .map((section, at) => ({ section, row: [...influence.subarray(at * width, (at + 1) * width)] }))
    .filter(({ section }) => section.item === 0)
    .map(({ row: own }) => own);
}

describe('explain with a foil', () => {
  const texts = [
    [" Luigi's", ' Mario'],
    [' Rome', ' the old harbour'],
    [' the old harbour', ' Rome'],
  ] as const;
  const controls = { contextual_control_threshold: 0.5, control_log_additive: false };

  it.each(texts)('%j beside %j: scores are those of two explanations', async (target, foil) => {
    for (const change of [{}, controls, { prompt_granularity: { type: 'word' } }] as const)
      for (const options of [{}, { sharesKvCache: false }, { takesPositions: false }]) {
        const both = await rowsOf(job({ target, foil, ...change }), createFakeModel(options));
        const alone = await rowsOf(job({ target, ...change }));
        const ofFoil = await rowsOf(job({ target: foil, ...change }));
        expect(both).toHaveLength(alone.length);
        both.forEach((own, at) =>
          [...(alone[at] ?? []), ...(ofFoil[at] ?? [])].forEach((score, token) =>
            expect(own[token]).toBeCloseTo(score, 5),
          ),
        );
      }
  });

  it('spreads a suppression in the target to the prompt as without the foil', async () => {
    const wanted = job({ target: " table at Luigi's", ...controls });
    const both = await explain({ ...wanted, foil: ' the old harbour' }, createFakeModel(), QUIET);
    const alone = await explain(wanted, createFakeModel(), QUIET);
    const own = alone.targetTokens.length;
    const width = own + both.foilTokens.length;
    alone.influence.forEach((score, at) =>
      expect(both.influence[Math.floor(at / own) * width + (at % own)]).toBeCloseTo(score, 5),
    );
  });

  it('computes the prompt once for both texts', async () => {
    const computed = async (change: Partial<ExplainJob>, options = {}) => {
      const fake = createFakeModel(options);
      await explain(job({ prompt: textPrompt(TEXT.repeat(4)), target: ' the old harbour', ...change }), fake, QUIET);
      return fake.runs.reduce((sum, { batch, ids }) => sum + batch * ids.length, 0);
    };
    const [foil, alone] = [' Rome and Milan', await computed({})];
    expect(await computed({ foil })).toBeLessThan(1.2 * alone);
    expect(await computed({ foil }, { takesPositions: false })).toBeGreaterThan(1.8 * alone);
  });

  it('leaves a network alone that does not keep to the layout it is told', async () => {
    const fake = createFakeModel();
    const deaf = (run: NetworkRun) => {
      const { mode = 'additive', factors = new Float64Array() } = run.perturbation ?? {};
      return fake.network.run({ ...run, ...(run.perturbation && { perturbation: { mode, factors } }) });
    };
    const network = { ...fake.network, run: deaf };
    const wanted = job({ target: ' the old harbour', foil: ' Rome and Milan' });
    const found = await explain(wanted, { ...fake, network }, QUIET);
    expect(found.influence).toEqual((await explain(wanted, fake, QUIET)).influence);
  });

  it('refuses a foil that does not fit', async () => {
    const wanted = job({ foil: ' Rome'.repeat(2000) });
    await expect(explain(wanted, createFakeModel(), QUIET)).rejects.toThrow(/foil: /);
  });
});

describe('explain', () => {
  it('gives the same where memory suffices for one section at a time', async () => {
    const fake = createFakeModel();
    const batches: number[] = [];
    const run = (asked: NetworkRun) => {
      batches.push(asked.batch);
      return asked.batch > 1
        ? Promise.reject(new FailureError('OUT_OF_MEMORY', 'std::bad_alloc'))
        : fake.network.run(asked);
    };
    const small = { ...fake, network: { ...fake.network, run } };
    expect(await explain(job(), small, QUIET)).toEqual(await explain(job(), fake, QUIET));
    expect(Math.max(...batches)).toBeGreaterThan(2);
  });

  it.each([true, false])('equals one full pass per token, KV cache shared: %s', async (sharesKvCache) => {
    const fake = createFakeModel({ sharesKvCache });
    const explained = await explain(job(), fake, QUIET);
    const expected = byHand(fake, " Luigi's");
    expect(explained.sections).toHaveLength(expected.length);
    expected.forEach((influences, section) => {
      const found = row(explained, section);
      influences.forEach((influence, t) => expect(found[t]).toBeCloseTo(influence, 4));
    });
  });

  it('names prompt sections by item and span, token ids and target tokens by index', async () => {
    const items = [...idsPrompt([40, 41]).items, ...textPrompt('😀 Rome').items];
    const wanted = job({ prompt: { path: 'prompt', items }, prompt_granularity: { type: 'word' } });
    const { sections, targetTokens } = await explain(wanted, createFakeModel(), QUIET);
    expect(sections.slice(0, 4)).toEqual([
      { item: 0, index: 0 },
      { item: 0, index: 1 },
      { item: 1, span: { start: 0, length: 2 } },
      { item: 1, span: { start: 3, length: 4 } },
    ]);
    expect(sections.slice(4).map(({ item, index }) => [item, index])).toEqual(
      targetTokens.slice(0, -1).map((_, index) => [2, index]),
    );
  });

  it('has no section in the target unless that is asked for', async () => {
    const { sections } = await explain(job({ target_granularity: 'complete' }), createFakeModel(), QUIET);
    expect(sections.every(({ item }) => item === 0)).toBe(true);
  });

  it('keeps item controls in the comparison', async () => {
    const prompt = idsPrompt([40, 41, 42], [{ index: 1, factor: 0 }]);
    const explained = await explain(job({ prompt, target_granularity: 'complete' }), createFakeModel(), QUIET);
    expect(explained.sections).toHaveLength(3);
    expect(row(explained, 1)[0]).toBeCloseTo(0); // already suppressed: 0 × 0.1
    expect(row(explained, 0)[0]).not.toBeCloseTo(0);
  });

  it('spreads to equal tokens with a contextual threshold', async () => {
    const fake = createFakeModel();
    const prompt = idsPrompt([40, 50, 40]);
    const explicit = await explain(job({ prompt }), fake, QUIET);
    const spreading = await explain(job({ prompt, contextual_control_threshold: 0.999 }), fake, QUIET);
    expect(row(spreading, 0)[0]).not.toBeCloseTo(row(explicit, 0)[0] ?? Number.NaN, 3);
    expect(row(explicit, 0)[0]).toBeCloseTo(row(explicit, 2)[0] ?? Number.NaN, 4);
  });

  it('tells a listener each section once, with the numbers of the end', async () => {
    const watched = listener();
    const explained = await explain(job(), createFakeModel({ sharesKvCache: false }), watched);
    const { told } = watched;
    expect(told.at(-1)?.done).toBe(explained.sections.length);
    expect(told.flatMap(({ part }) => part.sections).toSorted((a, b) => a - b)).toEqual([...explained.sections.keys()]);
    for (const { part } of told)
      part.sections.forEach((section, i) => {
        const { targetTokens } = part.plan;
        expect(row({ influence: part.influence, targetTokens }, i)).toEqual(row(explained, section));
      });
  });

  it('has no influence, and takes no pass, when the factor is 1', async () => {
    const fake = createFakeModel();
    const { influence } = await explain(job({ control_factor: 1 }), fake, QUIET);
    expect(fake.runs).toHaveLength(1);
    expect(influence.every((each) => each === 0)).toBe(true);
  });

  it.each([
    [40, 2],
    [216, 8],
    [600, 30],
  ])('runs a prompt of %d words in at most %d passes on a card', async (words, most) => {
    const fake = createFakeModel();
    const costs = { passMs: 10, positionMs: 0.0015, memoryBytes: 2 ** 30 };
    const shape = { ...fake.network.shape, layers: 5, width: 256 };
    const text = Array.from({ length: words }, (_, at) => ['house', 'by', 'river', 'empty'][at % 4]).join(' ');
    const asked = job({ prompt: textPrompt(text), prompt_granularity: { type: 'word' } });
    await explain(asked, { ...fake, network: { ...fake.network, shape, costs } }, QUIET);
    expect(fake.runs.length).toBeLessThanOrEqual(most);
    expect(fake.runs.reduce((sum, { batch }) => sum + batch, 0)).toBeGreaterThan(words);
  });

  it('stops between two batches', async () => {
    const fake = createFakeModel({ sharesKvCache: false });
    let passes = 0;
    const stopping = {
      ...QUIET,
      checkpoint: async () => {
        if (++passes === 3) throw new DOMException('stop', 'AbortError');
      },
    };
    const long = textPrompt('one two three four five six seven '.repeat(20));
    await expect(explain(job({ prompt: long }), fake, stopping)).rejects.toThrow('stop');
    expect(fake.runs).toHaveLength(2);
  });

  it.each([
    ['a prompt without tokens', { prompt: idsPrompt([]) }, 'INVALID_REQUEST', /^prompt: expected at least one token/],
    ['a prompt beyond the context', { prompt: textPrompt('a b '.repeat(1e5)) }, 'PROMPT_TOO_LONG', /at most 1024/],
    ['an unknown id', { prompt: idsPrompt([1, 99_999]) }, 'INVALID_REQUEST', /^prompt\[0\]\.data\[1\]: /],
  ])('refuses %s', async (_, change, code, message) => {
    const refused = explain(job(change), createFakeModel(), QUIET);
    await expect(refused).rejects.toMatchObject({ failure: { code, message: expect.stringMatching(message) } });
  });
});
