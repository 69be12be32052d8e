import { eventually } from '../../../support/eventually.ts';
import { describe, expect, it } from 'vitest';
import { EXAMPLES, PICTURE_EXAMPLE } from '../../../../src/explanations/examples.ts';
import { createExplainStore, shownOutcome } from '../../../../src/pages/explain/explain-store.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import {
  answer,
  createFakeClient,
  partial,
  setUpExact as setUp,
  setUpExplain,
} from '../../../support/fakes/fake-explain.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';

describe('explain store', () => {
  it('starts with the first example and no result', () => {
    const { state } = setUpExplain();
    expect(state().question).toMatchObject({ prompt: EXAMPLES[0].prompt, target: '' });
    expect(state().phase.kind).toBe('idle');
    expect(shownOutcome(state())).toBeNull();
  });

  it('takes an example with its picture and its cut, and takes them out with the next', async () => {
    const { state } = setUp();
    state().adjust({ factor: 0.5 });
    await state().take(PICTURE_EXAMPLE);
    expect(state().question).toMatchObject({
      picture: { type: 'image/png' },
      prompt: PICTURE_EXAMPLE.prompt,
      settings: { granularity: 'token', similarity: 0.7, factor: 0.5 },
    });
    await state().take(EXAMPLES[0]);
    expect(state().question).toMatchObject({
      picture: null,
      target: EXAMPLES[0].target,
      settings: { granularity: 'word', similarity: null, factor: 0.5 },
    });
  });

  it('puts back what an example has replaced, until the example is edited', async () => {
    const { state } = setUpExplain();
    state().edit({ prompt: 'mine' });
    await state().take(PICTURE_EXAMPLE);
    state().undo();
    expect(state().question).toMatchObject({ prompt: 'mine', picture: null, settings: DEFAULT_QUESTION_SETTINGS });
    expect(state().replaced).toBeNull();
    expect(state().phase).toEqual({ kind: 'idle' });
    await state().take(EXAMPLES[0]);
    state().edit({ target: ' other' });
    state().undo();
    expect(state().question.target).toBe(' other');
  });

  it('puts back the result too, and aborts what the example has asked', async () => {
    const { state, asked, request } = setUp();
    const first = state().run();
    (await request(0)).settle(answer(2));
    await first;
    const outcome = shownOutcome(state());
    await state().take(PICTURE_EXAMPLE);
    const second = state().run();
    await request(1);
    state().undo();
    await second;
    expect(asked[1]?.options.signal?.aborted).toBe(true);
    expect(state().phase).toEqual({ kind: 'done', outcome });
    expect(shownOutcome(state())).toBe(outcome);
  });

  it('has nothing to put back when the example stands there already', async () => {
    const { state } = setUpExplain();
    await state().take({ ...EXAMPLES[0], target: '' });
    expect(state().replaced).toBeNull();
    state().edit({ prompt: 'mine' });
    await state().take(EXAMPLES[0]);
    await state().take(EXAMPLES[0]);
    expect(state().replaced).toMatchObject({ question: { prompt: 'mine' } });
  });

  it('runs to an outcome', async () => {
    const { state, request } = setUp();
    const run = state().run();
    expect(state().phase.kind).toBe('running');
    (await request(0)).settle(answer(2));
    await run;
    expect(state().phase.kind).toBe('done');
    expect(shownOutcome(state())).toMatchObject({ modelVersion: 'm 1', influence: { prompt: [{ total: 2 }] } });
  });

  it('shows partial results while it runs', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).options.onProgress?.({ phase: 'run', done: 1, total: 4, partial: [partial(3)] });
    expect(state().phase).toMatchObject({ kind: 'running', progress: { done: 1, total: 4 } });
    expect(shownOutcome(state())).toMatchObject({ modelVersion: null, influence: { prompt: [{ total: 3 }] } });
    (await request(0)).settle(answer(2));
    await run;
  });

  it('keeps the newest partial result when a later step has none', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).options.onProgress?.({ phase: 'run', done: 1, total: 4, partial: [partial(3)] });
    (await request(0)).options.onProgress?.({ phase: 'run', done: 2, total: 4 });
    const kept = { progress: { done: 2 }, partial: { influence: { prompt: [{ total: 3 }] } } };
    await eventually(() => expect(state().phase).toMatchObject(kept));
    (await request(0)).settle(answer(2));
    await run;
  });

  it('aborts the older request, whose answer never shows', async () => {
    const { state, asked, request } = setUp();
    const older = state().run();
    const first = await request(0);
    state().edit({ target: ' newer' });
    state().adjust({ isTargetExact: true });
    const newer = state().run();
    expect(first.options.signal?.aborted).toBe(true);
    first.settle(answer(1));
    (await request(1)).settle(answer(2));
    await Promise.all([older, newer]);
    expect(asked[1]?.target).toBe(' newer');
    expect(shownOutcome(state())).toMatchObject({ influence: { prompt: [{ total: 2 }] } });
  });

  it('explains the model’s own answer, and shows it while it is written', async () => {
    const { state, request } = setUpExplain();
    const run = state().run();
    const { target, settle } = await request(0);
    expect(target).toBe(' b');
    expect(state().phase).toMatchObject({ kind: 'running', written: ' b' });
    settle(answer(2));
    await run;
    expect(shownOutcome(state())).toMatchObject({ asked: '', question: { target: ' b' } });
    expect(state().question.target).toBe('');
  });

  it('reads a new target as the model expects, and a picture by similar tiles', () => {
    const { state } = setUp();
    expect(state().question.settings.isTargetExact).toBe(true);
    state().edit({ target: ' other', picture: { name: 'p', type: 'image/png', data: '' } });
    expect(state().question.settings).toMatchObject({ isTargetExact: false, granularity: 'token', similarity: 0.7 });
    state().edit({ picture: null });
    expect(state().question.settings).toMatchObject({ granularity: 'word', similarity: null });
  });

  it('keeps what it has found when it is cancelled', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).options.onProgress?.({ phase: 'run', done: 1, total: 4, partial: [partial(3)] });
    state().cancel();
    await run;
    expect(state().phase.kind).toBe('stopped');
    expect(shownOutcome(state())).toMatchObject({ modelVersion: null, influence: { prompt: [{ total: 3 }] } });
  });

  it('ignores progress that comes after a cancel', async () => {
    const { state, request } = setUp();
    const run = state().run();
    const { options } = await request(0);
    state().cancel();
    options.onProgress?.({ phase: 'run', done: 1, total: 4, partial: [partial(3)] });
    await run;
    expect(state().phase.kind).toBe('stopped');
    expect(shownOutcome(state())).toBeNull();
  });

  it('shows a problem until the question changes', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).settle({ ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message: '' } });
    await run;
    expect(state().phase.kind).toBe('failed');
    state().edit({ prompt: 'shorter' });
    expect(state().phase.kind).toBe('idle');
  });

  it('keeps the last result beside a problem', async () => {
    const { state, request } = setUp();
    const first = state().run();
    (await request(0)).settle(answer(2));
    await first;
    const second = state().run();
    (await request(1)).settle({ ok: false, problem: { status: 503, code: 'DEVICE_LOST', message: 'gone' } });
    await second;
    expect(state().phase).toMatchObject({ kind: 'failed', problem: { code: 'DEVICE_LOST' } });
    expect(shownOutcome(state())).toMatchObject({ influence: { prompt: [{ total: 2 }] } });
  });

  it.each([
    ['DEVICE_LOST', 'idle'],
    ['MODEL_UNAVAILABLE', 'idle'],
    ['PROMPT_TOO_LONG', 'failed'],
  ])('shows a %s as %s once the model can answer', async (code, kind) => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).settle({ ok: false, problem: { status: 503, code, message: '' } });
    await run;
    state().modelReady();
    expect(state().phase.kind).toBe(kind);
  });

  it('shows nothing of another text while the first sections are on their way', async () => {
    const { state, request } = setUp();
    const first = state().run();
    (await request(0)).settle(answer(2));
    await first;
    void state().run();
    expect(shownOutcome(state())).not.toBeNull();
    state().edit({ target: ' other' });
    void state().run();
    expect(shownOutcome(state())).toBeNull();
  });

  it('makes a problem of a connection that breaks', async () => {
    const down = () => Promise.reject(new TypeError('network down'));
    const client = { complete: down, evaluate: down, explain: down, predict: down };
    const store = createExplainStore({ client, model: 'm' }, createFakeMemory());
    await store.getState().run();
    expect(store.getState().phase).toMatchObject({ problem: { code: 'CONNECTION', message: 'network down' } });
  });

  it('asks nothing while something is missing', async () => {
    const { state, asked } = setUp();
    state().edit({ prompt: '' });
    await state().run();
    expect(asked).toEqual([]);
    expect(state().phase.kind).toBe('idle');
  });

  it('puts a shared question before the remembered one, and hides the result of another', async () => {
    const { state, memory, request } = setUp();
    const run = state().run();
    (await request(0)).settle(answer(2));
    await run;
    const shared = { picture: null, prompt: 'a', target: 'b', settings: DEFAULT_QUESTION_SETTINGS };
    const opened = createExplainStore({ client: createFakeClient().client, model: 'm' }, memory, shared).getState();
    expect(opened.question).toEqual(shared);
    expect(shownOutcome(opened)).toBeNull();
  });

  it('takes settings alone from a link without texts', () => {
    const { state } = setUp();
    const before = state().question;
    const settings = { ...DEFAULT_QUESTION_SETTINGS, factor: 0.5 };
    state().open({ settings });
    expect(state().question).toEqual({ ...before, settings });
  });

  it('opens a question in the middle of another one, and keeps the result only if it answers it', async () => {
    const { state, request } = setUp();
    const run = state().run();
    (await request(0)).settle(answer(2));
    await run;
    const [first, outcome] = [state().question, shownOutcome(state())];
    state().open(first);
    expect(shownOutcome(state())).toBe(outcome);
    const pending = state().run();
    const second = await request(1);
    state().open({ picture: null, prompt: 'a', target: 'b', settings: DEFAULT_QUESTION_SETTINGS });
    expect(second.options.signal?.aborted).toBe(true);
    expect(state().phase).toEqual({ kind: 'idle' });
    expect(state().question.prompt).toBe('a');
    expect(shownOutcome(state())).toBeNull();
    second.settle(answer(2));
    await pending;
    expect(shownOutcome(state())).toBeNull();
  });
});
