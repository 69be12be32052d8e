import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../../src/client/client.ts';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { faithfulnessStoreOf } from '../../../../../src/pages/explain/variations/faithfulness-store.ts';
import { PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const PROMPT = 'a b c d e';
const scores = [...PROMPT.replaceAll(' ', '')].map((_, at) => ({ start: 2 * at, length: 1, score: at }));
const items = [
  { type: 'text' as const, scores },
  { type: 'target' as const, scores: [] },
];
const outcome = ({ factor = 0.1, count = 5 } = {}) => {
  const question = { picture: null, prompt: PROMPT, target: ' a', settings: { ...DEFAULT_QUESTION_SETTINGS, factor } };
  const [text, target] = items;
  const few = text && target ? [{ ...text, scores: scores.slice(0, count) }, target] : [];
  return outcomeOf(question, [{ target: ' a', items: few }], 'm 1', PREDICTION);
};

/** The longer the prompt and the fewer its controls, the likelier the target. */
function answering(version = 'm 1'): Pick<Client, 'evaluate'> {
  return {
    evaluate: async ({ prompt }, options) => {
      options?.signal?.throwIfAborted();
      const [item] = typeof prompt === 'string' ? [] : prompt;
      const log_probability = String(item?.data).length - (item?.controls?.length ?? 0) - 20;
      const numbers = { log_perplexity: 0, log_perplexity_per_token: 0, log_perplexity_per_character: 0 };
      const result = {
        ...numbers,
        log_probability,
        correct_greedy: false,
        token_count: 1,
        character_count: 1,
        completion: '',
      };
      return { ok: true, value: { model_version: version, message: null, result, num_tokens_prompt_total: 1 } };
    },
  };
}

describe('faithfulness store', () => {
  it('runs when it is asked for, and tells how far it is', async () => {
    const store = faithfulnessStoreOf(outcome(), { client: answering(), model: 'm' });
    expect(store.getState()).toMatchObject({ canRun: true, phase: { kind: 'idle' } });
    const kinds = new Set<string>();
    store.subscribe(({ phase }) => kinds.add(phase.kind));
    await store.getState().run();
    expect([...kinds]).toEqual(['running', 'done']);
    expect(store.getState().phase).toMatchObject({ value: { sections: 5 } });
  });

  it('is not for few sections, nor for a factor of 1', () => {
    const canRun = (of: ReturnType<typeof outcome>) =>
      faithfulnessStoreOf(of, { client: answering(), model: 'm' }).getState().canRun;
    expect(canRun(outcome({ count: 3 }))).toBe(false);
    expect(canRun(outcome({ factor: 1 }))).toBe(false);
  });

  it('can be cancelled', async () => {
    const { getState } = faithfulnessStoreOf(outcome(), { client: answering(), model: 'm' });
    const running = getState().run();
    getState().cancel();
    await running;
    expect(getState().phase).toEqual({ kind: 'idle' });
  });

  it('does not test the result of another model', async () => {
    const { getState } = faithfulnessStoreOf(outcome(), { client: answering('m 2'), model: 'm' });
    await getState().run();
    expect(getState().phase).toMatchObject({ kind: 'other model' });
  });

  it('says what went wrong', async () => {
    const problem = { status: 503, code: 'QUEUE_FULL', message: 'later' };
    const client = { evaluate: () => Promise.resolve({ ok: false as const, problem }) };
    const { getState } = faithfulnessStoreOf(outcome(), { client, model: 'm' });
    await getState().run();
    expect(getState().phase).toEqual({ kind: 'failed', problem });
  });

  it('stays while its result does', () => {
    const [result, source] = [outcome(), { client: answering(), model: 'm' }];
    expect(faithfulnessStoreOf(result, source)).toBe(faithfulnessStoreOf(result, source));
  });
});
