import { describe, expect, it } from 'vitest';
import type { CompletePart, CompleteJob } from '../../../../../src/protocol/jobs.ts';
import type { JobProgress } from '../../../../../src/protocol/messages.ts';
import { createTokenizer } from '../../../../../workers/engine/loading/tokenizer.ts';
import { complete } from '../../../../../workers/operations/complete/complete.ts';
import { createFakeModel } from '../../../../support/fakes/fake-model.ts';
import { encodePng } from '../../../../support/files/png.ts';
import { firstModel, QUIET, textPrompt } from '../../../../support/fakes/jobs.ts';

const none = { strength: 0, isMultiplicative: false };
const PLAIN: CompleteJob['repetition'] = {
  presence: none,
  frequency: none,
  sequence: none,
  sequenceLength: 2,
  includesPrompt: false,
  includesCompletion: true,
  bias: '',
  exceptions: [],
};
const job = (more: Partial<CompleteJob> = {}): CompleteJob => ({
  model: firstModel(),
  prompts: [textPrompt("A table at Luigi's in Oakland.")],
  promptAlternatives: null,
  maximum_tokens: 6,
  minimum_tokens: 0,
  best_of: 1,
  n: 1,
  sampling: { temperature: 0, topK: 0, topP: 0, seed: 1 },
  repetition: PLAIN,
  logitBias: [],
  inclusion: null,
  exclusion: null,
  stop_sequences: [],
  json: null,
  echo: false,
  control_log_additive: true,
  ...more,
});
const SAMPLED = { temperature: 1, topK: 0, topP: 0, seed: 5 };

/** A clock that goes on by so many ms with each look. */
function clock(ms = 10): () => number {
  let nowMs = 0;
  return () => (nowMs += ms);
}

/** Runs a job and hears its progress; a token takes 10 ms. */
async function heard(wanted: CompleteJob, model = createFakeModel()) {
  const progress: JobProgress[] = [];
  const context = { ...QUIET, listens: true, progress: (each: JobProgress) => void progress.push(each) };
  const output = await complete(wanted, model, context, clock());
  const parts = progress.flatMap((each): readonly CompletePart[] => each.completed ?? []);
  return { output, progress, parts };
}

describe('complete', () => {
  it('writes on the device that writes faster, and nowhere else', async () => {
    const main = createFakeModel();
    const refused = () => Promise.reject(new Error('this device writes slowly'));
    const model = { ...main, network: { ...main.network, run: refused, writer: createFakeModel().network } };
    const { completions } = await complete(job(), model, QUIET);
    expect(completions).toEqual((await complete(job(), main, QUIET)).completions);
    await expect(complete(job(), { ...model, network: { ...main.network, run: refused } }, QUIET)).rejects.toThrow(
      'this device writes slowly',
    );
  });

  it.each([true, false])('writes the same with and without kept keys and values: %s', async (sharesKvCache) => {
    const model = createFakeModel({ sharesKvCache });
    const { completions } = await complete(job({ best_of: 2, n: 2, sampling: SAMPLED }), model, QUIET);
    const other = await complete(job({ best_of: 2, n: 2, sampling: SAMPLED }), createFakeModel(), QUIET);
    expect(completions).toEqual(other.completions);
    expect(completions).toHaveLength(2);
  });

  it('computes the prompt once for all completions', async () => {
    const model = createFakeModel();
    await complete(job({ best_of: 3, n: 3, sampling: SAMPLED, maximum_tokens: 2 }), model, QUIET);
    expect(model.runs.filter(({ cached }) => !cached)).toHaveLength(1);
    expect(model.runs).toHaveLength(1 + 3);
  });

  it('tells parts that sum to each completion, always further on', async () => {
    const { output, parts, progress } = await heard(job({ best_of: 2, n: 2, sampling: SAMPLED, echo: true }));
    output.completions.forEach(({ text, tokens }, index) => {
      const own = parts.filter((part) => part.index === index);
      expect(own.map((part) => part.text).join('')).toBe(text);
      expect(own.flatMap((part) => part.tokens)).toEqual(tokens);
    });
    const done = progress.map((each) => each.done);
    expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
    expect(progress.at(-1)).toMatchObject({ done: progress.at(-1)?.total });
  });

  it('tells the first token at once, and those behind it as often as a screen is drawn', async () => {
    const { parts } = await heard(job({ maximum_tokens: 8 }));
    expect(parts.map(({ tokens }) => tokens.length)).toEqual([1, 2, 2, 2, 1]);
  });

  it('tells no text of candidates that may not be returned', async () => {
    const { parts, output } = await heard(job({ best_of: 3, n: 1, sampling: SAMPLED }));
    expect(parts).toEqual([]);
    expect(output.completions).toHaveLength(1);
    expect(output.generatedTokens).toBe(18);
  });

  it('returns the likeliest of the candidates', async () => {
    const all = await complete(job({ best_of: 4, n: 4, sampling: SAMPLED, log_probs: 0 }), createFakeModel(), QUIET);
    const [best] = (await complete(job({ best_of: 4, n: 1, sampling: SAMPLED }), createFakeModel(), QUIET)).completions;
    const sums = all.completions.map(({ tokens }) => tokens.reduce((sum, { log_probability: each }) => sum + each, 0));
    expect(best?.text).toBe(all.completions[sums.indexOf(Math.max(...sums))]?.text);
  });

  it('writes JSON of a schema, whole for each completion', async () => {
    const json = { path: 'schema', schema: '{"type":"array","items":{"enum":[1,"é"]},"minItems":1,"maxItems":2}' };
    for (const model of [createFakeModel(), { ...createFakeModel(), config: { eos_token_id: 0 } }]) {
      const wanted = { json, best_of: 3, n: 3, sampling: SAMPLED, maximum_tokens: 60 };
      const { output, parts } = await heard(job(wanted), model);
      for (const [index, { text, finish }] of output.completions.entries()) {
        expect(finish).toBe('end_of_text');
        expect([1, 2]).toContain(JSON.parse(text).length);
        const own = parts.filter((part) => part.index === index);
        expect(own.map((part) => part.text).join('')).toBe(text);
      }
    }
  });

  it('refuses JSON where other fields leave no token', async () => {
    const json = { path: 'schema', schema: '{"const":true}' };
    const exclusion = { texts: ['u'], firstTokenOnly: false };
    await expect(complete(job({ json, exclusion }), createFakeModel(), QUIET)).rejects.toThrow(
      /^schema: expected JSON that the tokens of the model can write/,
    );
  });

  it('gives way between tokens, and ends when it is cancelled', async () => {
    const released: number[] = [];
    let steps = 0;
    const checkpoint = async () => {
      if (++steps === 3) throw new DOMException('cancelled', 'AbortError');
    };
    const model = createFakeModel();
    const network = {
      ...model.network,
      run: async (run: Parameters<typeof model.network.run>[0]) => {
        const answer = await model.network.run(run);
        const { kvCache } = answer;
        return kvCache
          ? { ...answer, kvCache: { ...kvCache, release: () => void released.push(kvCache.tokens) } }
          : answer;
      },
    };
    // The stand-in knows its own handles only: without shared keys and values each pass stands alone.
    const shape = { ...model.network.shape, sharesKvCache: false };
    await expect(
      complete(job(), { ...model, network: { ...network, shape } }, { ...QUIET, checkpoint }, clock(20)),
    ).rejects.toThrow('cancelled');
    expect(steps).toBe(3);
  });

  it('continues each of several prompts as if it were alone, and numbers their parts', async () => {
    const texts = ["A table at Luigi's in Oakland.", 'An apple a day keeps the doctor away.'];
    const prompts = texts.map((text) => textPrompt(text));
    const wanted = { n: 2, best_of: 2, sampling: SAMPLED, promptAlternatives: 2 };
    const { output, parts, progress } = await heard(job({ ...wanted, prompts }));
    const alone = await Promise.all(
      prompts.map((prompt, at) => {
        const sampling = { ...SAMPLED, seed: SAMPLED.seed + 2 * at * 0x9e3779b9 }; // two candidates of each prompt
        return heard(job({ ...wanted, sampling, prompts: [prompt] }));
      }),
    );
    expect(output.completions).toEqual(alone.flatMap(({ output: { completions } }) => completions));
    expect(output.ratedPrompts).toEqual(alone.flatMap(({ output: { ratedPrompts } }) => ratedPrompts));
    expect(output.promptTokens).toBe(alone.reduce((sum, { output: { promptTokens } }) => sum + promptTokens, 0));
    output.completions.forEach(({ text }, index) =>
      expect(parts.flatMap((part) => (part.index === index ? [part.text] : [])).join('')).toBe(text),
    );
    expect(progress.at(-1)).toMatchObject({ done: progress.at(-1)?.total });
  });

  it('continues equal prompts differently, the first as if it were alone', async () => {
    const prompt = textPrompt('An apple');
    const wanted = { best_of: 2, n: 2, sampling: SAMPLED, maximum_tokens: 20 };
    const { completions } = await complete(job({ ...wanted, prompts: [prompt, prompt] }), createFakeModel(), QUIET);
    const alone = await complete(job({ ...wanted, prompts: [prompt] }), createFakeModel(), QUIET);
    expect(completions.slice(0, 2)).toEqual(alone.completions);
    expect(new Set(completions.map(({ text }) => text)).size).toBe(4);
  });

  it('writes the spaces between words that the tokens do not have', async () => {
    const json = {
      added_tokens: [],
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordPiece', unk_token: '[UNK]', vocab: { '[UNK]': 0, new: 1, york: 2, '##er': 3 } },
    };
    const model = { ...createFakeModel(), tokenizer: createTokenizer(json, {}), config: {} };
    const inclusion = { texts: ['new yorker'], firstTokenOnly: false };
    const { completions } = await complete(job({ inclusion, prompts: [textPrompt('new')] }), model, QUIET);
    expect(completions[0]?.text).toMatch(/^new yorker/);
  });

  it('penalises no token for the positions of a picture', async () => {
    const controls: [] = [];
    const image = {
      type: 'image',
      file: encodePng(8, 8, () => [1, 2, 3]),
      format: 'PNG',
      crop: null,
      controls,
    } as const;
    const text = { type: 'text', text: 'Write:', controls } as const;
    const repetition = { ...PLAIN, includesPrompt: true, frequency: { strength: 0.5, isMultiplicative: false } };
    const likeliestIs = async (items: readonly (typeof image | typeof text)[]) => {
      const fake = createFakeModel({ readsImages: true });
      const logits = Float32Array.from({ length: 4096 }, (_, id) => (id === 0 ? 1 : 0));
      const run: typeof fake.network.run = async (asked) => ({ ...(await fake.network.run(asked)), logits });
      const wanted = job({ repetition, maximum_tokens: 1, prompts: [{ path: 'prompt', items }] });
      return (await complete(wanted, { ...fake, network: { ...fake.network, run }, config: {} }, QUIET)).completions[0];
    };
    expect((await likeliestIs([image, text]))?.tokens[0]?.id).toBe(0);
  });

  it('tells parts of prompts that leave room for another number of tokens, always further on', async () => {
    const model = createFakeModel();
    const { contextTokens } = model.network.shape;
    const prompts = [textPrompt('An apple'), textPrompt('a '.repeat(contextTokens / 2 - 3)), textPrompt('A pear')];
    const { output, parts, progress } = await heard(job({ prompts, maximum_tokens: contextTokens }), model);
    output.completions.forEach(({ text }, index) =>
      expect(parts.flatMap((part) => (part.index === index ? [part.text] : [])).join('')).toBe(text),
    );
    const done = progress.map((each) => each.done);
    expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
    expect(progress.at(-1)).toMatchObject({ done: progress.at(-1)?.total });
  });

  it('rates the tokens of a prompt by rank, whether or not it is echoed', async () => {
    const { ratedPrompts, completions } = await complete(job({ promptAlternatives: 3 }), createFakeModel(), QUIET);
    const [rated = []] = ratedPrompts;
    expect(rated[0]).toMatchObject({ log_probability: NaN, rank: 0, alternatives: [] });
    for (const { rank, log_probability: rating, alternatives } of rated.slice(1)) {
      expect(alternatives).toHaveLength(3);
      expect(rank === 1).toBe(rating === alternatives[0]?.log_probability);
    }
    const echoed = await complete(job({ promptAlternatives: 3, log_probs: 1, echo: true }), createFakeModel(), QUIET);
    expect(echoed.ratedPrompts).toEqual(ratedPrompts);
    expect(echoed.completions[0]?.tokens.slice(0, rated.length)).toEqual(
      rated.map((token) => ({ ...token, alternatives: token.alternatives.slice(0, 1) })),
    );
    expect(completions[0]?.tokens.map(({ id }) => id)).toEqual(
      echoed.completions[0]?.tokens.slice(rated.length).map(({ id }) => id),
    );
  });

  it('begins a text from the mark that the configuration names, and says where there is none', async () => {
    const prompts = [textPrompt('')];
    const bare = { ...createFakeModel(), config: {} };
    const tokenizer = { ...bare.tokenizer, prefix: [] };
    await expect(complete(job({ prompts }), { ...bare, tokenizer }, QUIET)).rejects.toThrow(
      /^prompt: expected at least one token/,
    );
    const model = { ...bare, tokenizer, config: { bos_token_id: 7 } };
    const { completions, promptTokens } = await complete(job({ prompts }), model, QUIET);
    expect(completions[0]?.tokens).toHaveLength(6);
    expect(promptTokens).toBe(0);
  });

  it('ends where the model ends its text, as the configuration of writing says', async () => {
    const fake = createFakeModel();
    const { completions } = await complete(job({ maximum_tokens: 1, log_probs: 0 }), fake, QUIET);
    const [first] = completions[0]?.tokens ?? [];
    const id = fake.tokenizer.tokenize(first?.token ?? '').ids[0] ?? 0;
    const ids = Array.from({ length: 64 }, (_, place) => (id % 64) + 64 * place); // the stand-in holds all of a class equally likely
    const ending = { ...fake, generation: { config: { eos_token_id: ids }, marks: {} } };
    const { completions: ended } = await complete(job(), ending, QUIET);
    expect(ended[0]).toMatchObject({ text: '', finish: 'end_of_text' });
    const { completions: longer } = await complete(job({ minimum_tokens: 2 }), ending, QUIET);
    expect(longer[0]?.tokens.length).toBeGreaterThanOrEqual(2);
  });

  it('stops where the context ends', async () => {
    const fake = createFakeModel();
    const length = fake.tokenizer.prefix.length + fake.tokenizer.tokenize("A table at Luigi's in Oakland.").ids.length;
    const short = createFakeModel({ contextTokens: length + 2 });
    const { completions } = await complete(job({ maximum_tokens: null }), short, QUIET);
    expect(completions[0]).toMatchObject({ finish: 'maximum_tokens' });
    expect(completions[0]?.tokens).toHaveLength(2);
  });
});
