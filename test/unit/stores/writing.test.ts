import { describe, expect, it } from 'vitest';
import type { CallOptions, Client } from '../../../src/client/client.ts';
import type { FinishReason } from '../../../src/contract/complete.ts';
import { createWriting, MAX_WRITTEN_TOKENS, type Writing, writingStoreOf } from '../../../src/stores/writing.ts';

const DEVICE = { backend: 'wasm', threads: 2, reason: 'measured' };

/** Writes two parts, then what is said to come of it. */
function sourceOf(end: FinishReason | 'refuses', version = 'm') {
  const bodies: Parameters<Client['complete']>[0][] = [];
  const complete = async (body: Parameters<Client['complete']>[0], { onProgress }: CallOptions = {}) => {
    bodies.push(body);
    for (const completion of [' there', ' was'])
      onProgress?.({ phase: 'run', done: 1, total: 3, written: [{ index: 0, completion }] });
    if (end === 'refuses') return { ok: false as const, problem: { status: 503, code: 'OUT_OF_MEMORY', message: '' } };
    const completions = [{ index: 0, completion: ' there was a fox', finish_reason: end }];
    return {
      ok: true as const,
      value: { completions, model_version: version, num_tokens_prompt_total: 4, num_tokens_generated: 4 },
    };
  };
  return { bodies, source: { client: { complete }, home: { deviceOf: async () => DEVICE } } };
}

describe('a model that is tried', () => {
  it('shows what it has written so far, then the whole with its end', async () => {
    const { bodies, source } = sourceOf('end_of_text');
    const { store, draft } = createWriting(source, 'm');
    store.getState().edit({ prompt: 'Once' });
    await store.getState().run();
    expect(bodies).toEqual([{ model: 'm', prompt: 'Once', maximum_tokens: MAX_WRITTEN_TOKENS }]);
    expect(draft.getState()).toEqual({ prompt: 'Once', text: ' there was' });
    expect(store.getState().last).toEqual({
      asked: { prompt: 'Once' },
      found: { text: ' there was a fox', tokens: 4, end: 'end_of_text', place: null, device: DEVICE },
    });
  });

  it('names the engine that wrote, and no device', async () => {
    const { store } = createWriting(sourceOf('end_of_text', 'm @ https://engine.example/m').source, 'm');
    await store.getState().run();
    expect(store.getState().last?.found).toMatchObject({ place: 'https://engine.example/m', device: null });
  });

  it('keeps the text of a model that is gone', async () => {
    const { source } = sourceOf('end_of_text');
    const deviceOf = () => Promise.reject(new Error('gone'));
    const { store } = createWriting({ ...source, home: { deviceOf } }, 'm');
    await store.getState().run();
    expect(store.getState().last?.found).toMatchObject({ text: ' there was a fox', device: null });
  });

  it('begins its draft again with each request, and says what went wrong', async () => {
    const { store, draft } = createWriting(sourceOf('refuses').source, 'm');
    await store.getState().run();
    await store.getState().run();
    expect(draft.getState().text).toBe(' there was');
    expect(store.getState().phase).toMatchObject({ kind: 'failed', problem: { code: 'OUT_OF_MEMORY' } });
  });

  it('keeps what was typed for each model', () => {
    const page = { ...sourceOf('end_of_text').source, writings: new Map<string, Writing>() };
    writingStoreOf(page, 'a').store.getState().edit({ prompt: 'typed' });
    expect(writingStoreOf(page, 'a').store.getState().asked.prompt).toBe('typed');
    expect(writingStoreOf(page, 'b').store.getState().asked.prompt).not.toBe('typed');
  });
});
