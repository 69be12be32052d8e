import { describe, expect, it, vi } from 'vitest';
import { EXAMPLES, PICTURE_EXAMPLE } from '../../../../src/explanations/examples.ts';
import { shownOutcome } from '../../../../src/pages/explain/explain-store.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import { createBufferedStorage, WRITE_INTERVAL_MS } from '../../../../src/stores/buffered-storage.ts';
import { answer, partial, setUpExact as setUp } from '../../../support/fakes/fake-explain.ts';
import { createFakeMemory, createFakePage } from '../../../support/fakes/fake-memory.ts';

describe('what the explain page keeps', () => {
  it('loses nothing on reload', async () => {
    const { state, memory, request } = setUp();
    state().edit({ prompt: 'An apple' });
    state().adjust({ granularity: 'word' });
    const run = state().run();
    (await request(0)).settle(answer(2));
    await run;
    const again = setUp(memory).state();
    expect(again.question).toEqual(state().question);
    expect(again.phase).toEqual(state().phase);
    expect(shownOutcome(again)).toEqual(shownOutcome(state()));
  });

  it('does not keep a result so large that writing it would hold the page', async () => {
    const { state, memory, request } = setUp();
    const scores = Array.from({ length: 5001 }, (_, start) => ({ start, length: 1, score: 1 }));
    const run = state().run();
    const explanations = [{ target: 'x', items: [{ type: 'text' as const, scores }] }];
    (await request(0)).settle({ ok: true, value: { model_version: 'm 1', explanations } });
    await run;
    expect(shownOutcome(state())).not.toBeNull();
    expect(shownOutcome(setUp(memory).state())).toBeNull();
  });

  const wrapped = (value: unknown) => JSON.stringify({ version: 1, value });

  it.each([
    ['damaged', '{', '{"question":1}'],
    ['of an older version', '{"picture":null,"prompt":"a","target":"b"}', '{"version":0,"value":null}'],
    ['of another shape', wrapped({ prompt: 5, target: 'b' }), wrapped({ explanations: [5] })],
  ])('begins afresh where what was kept is %s', (_name, question, outcome) => {
    const memory = createFakeMemory({ 'lightwell.explain.question': question, 'lightwell.explain.outcome': outcome });
    const { state } = setUp(memory);
    expect(state().question).toMatchObject({ picture: null, prompt: EXAMPLES[0].prompt });
    expect(shownOutcome(state())).toBeNull();
  });

  it('reads a question without a picture that cannot be one', () => {
    const question = { prompt: 'a', target: 'b', settings: { factor: 'all' } };
    const memory = createFakeMemory({
      'lightwell.explain.question': wrapped(question),
      'lightwell.explain.picture': wrapped({ name: 'a', type: 'text/html', data: '<script>' }),
    });
    expect(setUp(memory).state().question).toEqual({
      ...question,
      picture: null,
      settings: DEFAULT_QUESTION_SETTINGS,
    });
  });

  it('stores a picture once, however much is typed, and loses no keystroke when the page is left', async () => {
    vi.useFakeTimers();
    const [storage, page] = [createFakeMemory(), createFakePage()];
    const { state } = setUp(createBufferedStorage(storage, page));
    await state().take(PICTURE_EXAMPLE);
    const typed = 'Which shape is at the top left of this picture? '.repeat(4);
    for (let length = 1; length <= typed.length; length++) {
      vi.advanceTimersByTime(50);
      state().edit({ prompt: typed.slice(0, length) });
    }
    page.leave();
    vi.useRealTimers();
    const count = (field: string) => storage.writes.filter((key) => key === `lightwell.explain.${field}`).length;
    expect(count('picture')).toBe(1);
    expect(count('question')).toBeLessThanOrEqual(2 + (typed.length * 50) / WRITE_INTERVAL_MS);
    expect(storage.kept.get('lightwell.explain.question')?.length).toBeLessThan(1000);
    expect(setUp(storage).state().question).toEqual(state().question);
  });

  it('does not store a picture again after a reload', async () => {
    const memory = createFakeMemory();
    await setUp(memory).state().take(PICTURE_EXAMPLE);
    const { state } = setUp(memory);
    state().edit({ prompt: 'What is it?' });
    expect(memory.writes.filter((key) => key.endsWith('picture'))).toHaveLength(1);
    expect(setUp(memory).state().question.picture).toEqual(state().question.picture);
  });

  it('keeps the result of a picture, whose bytes are not in it', async () => {
    const memory = createFakeMemory();
    const { state, request } = setUp(memory);
    await state().take(PICTURE_EXAMPLE);
    const run = state().run();
    (await request(0)).settle(answer(2));
    await run;
    expect(memory.kept.get('lightwell.explain.outcome')).not.toContain(state().question.picture?.data);
    state().edit({ picture: null });
    expect(setUp(memory).state().outcome).toEqual(state().outcome);
  });

  it('keeps the older result while a newer one is incomplete', async () => {
    const { state, memory, request } = setUp();
    const run = state().run();
    (await request(0)).settle(answer(2));
    await run;
    const pending = state().run();
    (await request(1)).options.onProgress?.({ phase: 'run', done: 1, total: 4, partial: [partial(3)] });
    state().cancel();
    await pending;
    expect(shownOutcome(state())).toMatchObject({ modelVersion: null });
    expect(shownOutcome(setUp(memory).state())).toMatchObject({
      modelVersion: 'm 1',
      influence: { prompt: [{ total: 2 }] },
    });
  });
});
