import { describe, expect, it } from 'vitest';
import type { Answer, CallOptions } from '../../../src/client/client.ts';
import { createLiveStore } from '../../../src/stores/live-store.ts';

interface Waiting {
  readonly text: string;
  readonly options: CallOptions;
  settle(answer: Answer<number>): void;
  fail(error: Error): void;
}

/** A store whose answers the test gives. */
function setUp() {
  const waiting: Waiting[] = [];
  const store = createLiveStore<{ text: string }, number>(
    { text: 'first' },
    ({ text }, options) =>
      new Promise((settle, fail) => {
        waiting.push({ text, options, settle, fail });
        options.signal?.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
      }),
  );
  return { waiting, store, state: store.getState };
}

const value = (number: number): Answer<number> => ({ ok: true, value: number });

describe('createLiveStore', () => {
  it('keeps the newest answer with what it answers', async () => {
    const { waiting, state } = setUp();
    const running = state().run();
    expect(state().phase).toEqual({ kind: 'running', progress: null });
    waiting[0]?.options.onProgress?.({ phase: 'run', done: 1, total: 4 });
    expect(state().phase).toMatchObject({ progress: { done: 1 } });
    waiting[0]?.settle(value(7));
    await running;
    state().edit({ text: 'second' });
    expect(state()).toMatchObject({ asked: { text: 'second' }, phase: { kind: 'idle' } });
    expect(state().last).toEqual({ asked: { text: 'first' }, found: 7 });
  });

  it('aborts an older request, whose answer counts no more', async () => {
    const { waiting, state } = setUp();
    const older = state().run();
    state().edit({ text: 'second' });
    const newer = state().run();
    expect(waiting[0]?.options.signal?.aborted).toBe(true);
    waiting[1]?.settle(value(2));
    await Promise.all([older, newer]);
    expect(state().last).toEqual({ asked: { text: 'second' }, found: 2 });
  });

  it('stays as it was when it is cancelled', async () => {
    const { waiting, state } = setUp();
    const running = state().run();
    state().cancel();
    await running;
    expect(waiting[0]?.options.signal?.aborted).toBe(true);
    expect(state()).toMatchObject({ phase: { kind: 'idle' }, last: null });
  });

  it('says what went wrong until the question changes, a lost connection too', async () => {
    const { waiting, state } = setUp();
    const refused = state().run();
    waiting[0]?.settle({ ok: false, problem: { status: 400, code: 'PROMPT_TOO_LONG', message: 'long' } });
    await refused;
    expect(state().phase).toMatchObject({ kind: 'failed', problem: { code: 'PROMPT_TOO_LONG' } });
    state().edit({ text: 'short' });
    expect(state().phase.kind).toBe('idle');
    const lost = state().run();
    waiting[1]?.fail(new TypeError('gone'));
    await lost;
    expect(state().phase).toMatchObject({ kind: 'failed', problem: { code: 'CONNECTION', message: 'gone' } });
  });
});

describe('what was replaced', () => {
  it('comes back, once', () => {
    const { state } = setUp();
    state().replace({ text: 'an example' });
    expect(state()).toMatchObject({ asked: { text: 'an example' }, replaced: { text: 'first' } });
    state().undo();
    expect(state()).toMatchObject({ asked: { text: 'first' }, replaced: null });
    state().undo();
    expect(state().asked).toEqual({ text: 'first' });
  });

  it('is forgotten once the new question was edited: undo would lose that', () => {
    const { state } = setUp();
    state().replace({ text: 'an example' });
    state().edit({ text: 'an example of mine' });
    expect(state().replaced).toBeNull();
  });
});
