import { describe, expect, it, vi } from 'vitest';
import type { Jobs } from '../../../../src/protocol/jobs.ts';
import type { JobPrompt } from '../../../../src/protocol/model-job.ts';
import { semanticEmbed } from '../../../../workers/operations/semantic-embed.ts';
import type { SentenceModules } from '../../../../workers/engine/loading/sentence-modules.ts';
import { createFakeEmbedder, meanOfStates, stateOf } from '../../../support/fakes/fake-embedder.ts';
import { firstModel, idsPrompt as ids, QUIET as context } from '../../../support/fakes/jobs.ts';

const tokensOf = ({ items: [item] }: JobPrompt): readonly number[] => (item?.type === 'token_ids' ? item.ids : []);

const job = (
  prompts: readonly JobPrompt[],
  change: Partial<Jobs['semanticEmbed']['input']> = {},
): Jobs['semanticEmbed']['input'] => ({
  model: firstModel(),
  prompts,
  representation: 'symmetric',
  normalize: false,
  control_log_additive: true,
  ...change,
});
const bare = (options: Parameters<typeof createFakeEmbedder>[0] = {}) =>
  createFakeEmbedder({ prompts: null, ...options });

type SentencePooling = SentenceModules['poolings'][number];

const modulesOf = (...poolings: readonly (Partial<SentencePooling> & Pick<SentencePooling, 'modes'>)[]) => {
  const plain = { countsPrompt: true, output: 'sentence_embedding' };
  return { poolings: poolings.map((pooling) => ({ ...plain, ...pooling })), steps: [] } satisfies SentenceModules;
};

function expectClose(found: ArrayLike<number> | undefined, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((x, k) => expect(found?.[k]).toBeCloseTo(x, 5));
}

describe('semanticEmbed', () => {
  it('computes prompts of different lengths together as alone, in their order', async () => {
    const prompts = [ids([5, 9, 7, 3]), ids([1, 2, 3, 4, 5]), ids([8, 8, 8, 1]), ids([9, 9, 2, 1])];
    const fake = bare();
    const { vectors, num_tokens_prompt_total: tokenCount } = await semanticEmbed(job(prompts), fake, context);
    prompts.forEach((prompt, i) => expectClose(vectors[i], meanOfStates(tokensOf(prompt))));
    expect(tokenCount).toBe(17);
    expect(fake.runs.length).toBeLessThan(prompts.length);
    expect([...(fake.runs[0]?.lengths ?? [])]).toContain(4);
  });

  it('joins equal lengths alone where the network does not take padding', async () => {
    const prompts = [ids([5, 9, 7]), ids([1, 2]), ids([8, 8, 8]), ids([1, 1, 1, 1])];
    const fake = bare({ takesPadding: false });
    const { vectors } = await semanticEmbed(job(prompts), fake, context);
    prompts.forEach((prompt, i) => expectClose(vectors[i], meanOfStates(tokensOf(prompt))));
    expect(fake.runs.map(({ batch }) => batch).toSorted()).toEqual([1, 1, 2]);
    expect(fake.runs.every(({ lengths }) => lengths === undefined)).toBe(true);
  });

  it('puts what the folder says for the representation in front, and does not count it', async () => {
    const prompts = { symmetric: '', query: 'find: ', passage: 'text: ' };
    const runsOf = async (representation: Jobs['semanticEmbed']['input']['representation']) => {
      const fake = createFakeEmbedder({ prompts });
      const { num_tokens_prompt_total: tokenCount } = await semanticEmbed(
        job([ids([5])], { representation }),
        fake,
        context,
      );
      expect(tokenCount).toBe(1);
      return [...(fake.runs[0]?.ids ?? [])];
    };
    const { tokenizer } = createFakeEmbedder();
    expect(await runsOf('symmetric')).toEqual([5]);
    expect(await runsOf('query')).toEqual([...tokenizer.tokenize('find:').ids, 5]);
    expect(await runsOf('document')).toEqual([...tokenizer.tokenize('text:').ids, 5]); // as E5 models call it
  });

  it('lets controls act on attention and weigh in the pooling, squared as in the mean of /embed', async () => {
    const fake = bare();
    const { vectors } = await semanticEmbed(job([ids([5, 9], [{ index: 0, factor: 0.5 }])]), fake, context);
    expect(fake.runs[0]?.perturbation).toEqual({ mode: 'additive', factors: Float64Array.of(0.5, 1) });
    expect([...(fake.runs[0]?.tokenWeights ?? [])]).toEqual([0.25, 1]);
    expectClose(vectors[0], meanOfStates([5, 9], [0.125, 1]));
  });

  it('does not let the controls of one prompt reach another', async () => {
    const prompts = [ids([5, 9], [{ index: 0, factor: 0 }]), ids([5, 9])];
    const { vectors } = await semanticEmbed(
      job(prompts, { contextual_control_threshold: 0, control_log_additive: false }),
      bare(),
      context,
    );
    expectClose(vectors[1], meanOfStates([5, 9]));
  });

  it.each(['last_hidden_state', 'in the graph'])(
    'averages states where the network does not pool: %s',
    async (where) => {
      const fake = bare({ poolsItself: false });
      const prompts = [ids([5, 9, 7, 2], [{ index: 1, factor: 0 }]), ids([1, 2, 3])];
      const network = where === 'in the graph' ? poolingInside(fake.network) : fake.network;
      const { vectors } = await semanticEmbed(job(prompts), { ...fake, network }, context);
      const unit = (vector: readonly number[]) => vector.map((x) => x / Math.hypot(...vector));
      expectClose(vectors[0], unit(meanOfStates([5, 7, 2])));
      expectClose(vectors[1], unit(meanOfStates([1, 2, 3])));
    },
  );

  it.each<[SentencePooling['modes'], readonly number[]]>([
    [['cls'], stateOf(5)],
    [['last_token'], stateOf(7)],
    [['mean'], meanOfStates([5, 9, 7])],
    [
      ['last_token', 'cls'],
      [...stateOf(7), ...stateOf(5)],
    ],
  ])('pools as modules.json says: %j', async (modes, expected) => {
    const fake = bare({ poolsItself: false });
    const sentenceModules = modulesOf({ modes });
    const prompts = [ids([5, 9, 7]), ids([1, 2, 3, 4, 8])];
    const { vectors } = await semanticEmbed(job(prompts), { ...fake, sentenceModules }, context);
    expectClose(vectors[0], expected);
    const [alone] = (await semanticEmbed(job([ids([1, 2, 3, 4, 8])]), { ...fake, sentenceModules }, context)).vectors;
    expectClose(vectors[1], [...(alone ?? [])]);
  });

  it('pools queries by their own pooling where the folder has one', async () => {
    const sentenceModules: SentenceModules = {
      ...modulesOf({ modes: ['cls'] }, { modes: ['mean'], output: 'query_embedding' }),
      steps: ['normalize'],
    };
    const vectorOf = async (representation: Jobs['semanticEmbed']['input']['representation']) => {
      const fake = { ...bare({ poolsItself: false }), sentenceModules };
      return (await semanticEmbed(job([ids([5, 9])], { representation }), fake, context)).vectors[0];
    };
    const unit = (vector: readonly number[]) => vector.map((x) => x / Math.hypot(...vector));
    expectClose(await vectorOf('document'), unit(stateOf(5)));
    expectClose(await vectorOf('symmetric'), unit(stateOf(5)));
    expectClose(await vectorOf('query'), unit(meanOfStates([5, 9])));
  });

  it('leaves the instruction out of the pooling where the folder says so', async () => {
    const fake = createFakeEmbedder({ poolsItself: false, prompts: { query: 'find: ' } });
    const sentenceModules = modulesOf({ modes: ['mean'], countsPrompt: false });
    const one = job([ids([5, 9])], { representation: 'query' });
    expectClose((await semanticEmbed(one, { ...fake, sentenceModules }, context)).vectors[0], meanOfStates([5, 9]));
  });

  it('sends what is pooled through the dense layers behind it', async () => {
    const fake = bare({ poolsItself: false, width: 2 });
    const weights = Float32Array.of(0, 1, 2, 0);
    const dense = { weights, bias: Float32Array.of(1, 0), activation: (x: number) => 3 * x };
    const sentenceModules = { ...modulesOf({ modes: ['cls'] }), steps: [dense] };
    const { vectors } = await semanticEmbed(job([ids([5, 9])]), { ...fake, sentenceModules }, context);
    const [a = 0, b = 0] = stateOf(5, 2);
    expectClose(vectors[0], [3 * (b + 1), 6 * a]);
  });

  it('takes the prompt that is the default where the folder has none for the representation', async () => {
    const fake = createFakeEmbedder({ prompts: { query: 'find: ', other: 'same: ' } });
    const sentenceConfig = { ...fake.sentenceConfig, default_prompt_name: 'other' };
    await semanticEmbed(job([ids([5])]), { ...fake, sentenceConfig }, context);
    expect([...(fake.runs[0]?.ids ?? [])]).toEqual([...fake.tokenizer.tokenize('same:').ids, 5]);
  });

  it('keeps the leading dimensions, of length 1 only when asked', async () => {
    const full = await semanticEmbed(job([ids([5, 9])]), bare(), context);
    const short = await semanticEmbed(
      job([ids([5, 9])], { cut: { path: 'compress_to_size', size: 128 } }),
      bare(),
      context,
    );
    expect([...(short.vectors[0] ?? [])]).toEqual([...(full.vectors[0]?.slice(0, 128) ?? [])]);
    const unit = await semanticEmbed(
      job([ids([5, 9])], { cut: { path: 'compress_to_size', size: 128 }, normalize: true }),
      bare(),
      context,
    );
    expect(Math.hypot(...(unit.vectors[0] ?? []))).toBeCloseTo(1, 6);
  });

  it('stops between two batches when it is cancelled', async () => {
    const fake = bare({ takesPadding: false });
    const prompts = [ids([1]), ids([1, 2]), ids([1, 2, 3])];
    const checkpoint = vi.fn(async () => {
      if (fake.runs.length === 1) throw new DOMException('cancelled', 'AbortError');
    });
    await expect(semanticEmbed(job(prompts), fake, { ...context, checkpoint })).rejects.toThrow('cancelled');
    expect(fake.runs).toHaveLength(1);
  });

  it('tells how many prompts are done', async () => {
    const progress = vi.fn();
    await semanticEmbed(job([ids([1]), ids([1, 2, 3, 4, 5, 6])]), bare({ takesPadding: false }), {
      ...context,
      progress,
    });
    expect(progress.mock.calls).toEqual([[{ phase: 'run', done: 1, total: 2 }], [{ phase: 'run', done: 2, total: 2 }]]);
  });
});

type Network = ReturnType<typeof createFakeEmbedder>['network'];

/** The same without an output of its own: states are pooled by the weights of the run, as the rewritten graph does. */
function poolingInside(network: Network): Network {
  return {
    ...network,
    shape: { ...network.shape, outputs: [] },
    async run(run) {
      const { outputs } = await network.run(run);
      const states = outputs?.['last_hidden_state']?.values ?? new Float32Array(0);
      const { width, layers } = network.shape;
      const tokens = run.ids.length / run.batch;
      const pooled = new Float32Array(run.batch * (layers + 1) * width);
      states.forEach((state, i) => {
        const [row, position] = [Math.floor(i / width / tokens), Math.floor(i / width) % tokens];
        const at = (row * (layers + 1) + layers) * width + (i % width);
        pooled[at] = (pooled[at] ?? 0) + state * (run.pooling?.weights[row * tokens + position] ?? 0);
      });
      return { pooled };
    },
  };
}
