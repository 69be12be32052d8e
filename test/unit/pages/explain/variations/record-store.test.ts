import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { createRecordStore } from '../../../../../src/pages/explain/variations/record-store.ts';
import { recordText } from '../../../../../src/explanations/export.ts';
import { createFakeClient, explanation, PREDICTION } from '../../../../support/fakes/fake-explain.ts';

const question = { picture: null, prompt: 'ab', target: ' a', settings: DEFAULT_QUESTION_SETTINGS };
const outcome = (version: string | null = 'm 1') => outcomeOf(question, [explanation(1)], version, PREDICTION);
const hashes = { 'config.json': 'aa' };
const recording = {
  facts: { version: 'm 1', hashes },
  userAgent: 'a test',
  now: new Date(0),
  engine: { kind: 'ready' as const, report: { backend: 'wasm', threads: 2, reason: 'it is here' } },
};
const text = () => recordText(outcome(), 'm', recording) ?? '';

function setUp() {
  const { asked, client } = createFakeClient();
  return { asked, state: createRecordStore({ client, factsOf: () => ({ hashes }) }).getState };
}
const answered = (score: number) => ({
  ok: true as const,
  value: { model_version: 'm 1', explanations: [explanation(score)] },
});

describe('recordText', () => {
  it('says what was asked, answered, and what it ran on', () =>
    expect(JSON.parse(text())).toMatchObject({
      lightwell_record: 1,
      recorded_at: '1970-01-01T00:00:00.000Z',
      exactness: 'exact',
      request: { model: 'm', prompt: 'ab', target: ' a' },
      response: { model_version: 'm 1' },
      model: { name: 'm', version: 'm 1', files: hashes },
      engine: { backend: { backend: 'wasm', threads: 2 }, user_agent: 'a test' },
    }));
  it('names no files of another version', () => {
    const other = { ...recording, facts: { version: 'm 2', hashes } };
    expect(JSON.parse(recordText(outcome(), 'm', other) ?? '')).toMatchObject({ model: { files: null } });
  });
  it('is for complete results', () => expect(recordText(outcome(null), 'm', recording)).toBeNull());
  it('is for exact results', () => {
    const item = { type: 'text' as const, scores: [{ start: 0, length: 2, score: 1 }], margins: [0.1] };
    const estimated = outcomeOf(question, [{ target: ' a', items: [item] }], 'm 1', PREDICTION);
    expect(recordText(estimated, 'm', recording)).toBeNull();
  });
});

describe('record store', () => {
  it('computes a record again, and compares', async () => {
    const { asked, state } = setUp();
    const checking = state().check({ name: 'a.json', text: text() });
    asked[0]?.options.onProgress?.({ phase: 'run', done: 1, total: 2 });
    expect(state()).toMatchObject({ name: 'a.json', phase: { kind: 'running', done: 1, total: 2 } });
    asked[0]?.settle(answered(1));
    await checking;
    expect(state().phase).toMatchObject({
      kind: 'done',
      value: { largest: 0, holds: true, hasSameFiles: true },
    });
    state().close();
    expect(state().phase).toEqual({ kind: 'idle' });
  });

  it('says that a file is no record', async () => {
    const { state } = setUp();
    await state().check({ name: 'a.json', text: '{"lightwell_record": 7}' });
    expect(state().phase).toMatchObject({
      problem: { code: 'UNREADABLE_RECORD', message: 'lightwell_record: expected 1, got 7' },
    });
  });

  it('says what the service refuses; a newer record aborts an older one', async () => {
    const { asked, state } = setUp();
    const older = state().check({ name: 'a.json', text: text() });
    const newer = state().check({ name: 'b.json', text: text() });
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    asked[1]?.settle({ ok: false, problem: { status: 408, code: 'TIMEOUT', message: 'late' } });
    await Promise.all([older, newer]);
    expect(state()).toMatchObject({ name: 'b.json', phase: { kind: 'failed', problem: { code: 'TIMEOUT' } } });
  });
});
