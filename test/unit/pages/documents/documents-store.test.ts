import { describe, expect, it } from 'vitest';
import type { Answer, CallOptions, Client } from '../../../../src/client/client.ts';
import type { QaResponse } from '../../../../src/contract/qa.ts';
import { type ReadDocument, type ReadOptions, UnreadableFile } from '../../../../src/files/document.ts';
import { answersIn, unansweredIn } from '../../../../src/pages/documents/answers.ts';
import { createDocumentsStore } from '../../../../src/pages/documents/documents-store.ts';
import { eventually } from '../../../support/eventually.ts';
import { readyText } from '../../../support/files/ready-text.ts';

/** A request that waits for its answer. */
interface Request {
  readonly body: Parameters<Client['qa']>[0];
  readonly options: CallOptions;
  settle(answer: Answer<QaResponse>): void;
}

const DONE: Answer<QaResponse> = { ok: true, value: { model_version: 'r 1', answers: [] } };

/** A reading that waits for its end. */
interface Read {
  readonly name: string;
  readonly options: ReadOptions;
  end(result: ReadDocument | Error): void;
}

function setUp({ isSlow = false } = {}) {
  const asked: Request[] = [];
  const reads: Read[] = [];
  const qa: Client['qa'] = (body, options = {}) =>
    new Promise((resolve, reject) => {
      asked.push({ body, options, settle: resolve });
      options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const store = createDocumentsStore({ qa }, (file, options) =>
    isSlow
      ? new Promise((resolve, reject) => {
          const end = (result: ReadDocument | Error) => (result instanceof Error ? reject(result) : resolve(result));
          reads.push({ name: file.name, options, end });
        })
      : file.text().then((text) => readyText(0, text, file.name).document),
  );
  return { store, state: store.getState, asked, reads };
}

const file = (name: string, text = `${name} came.`) => new File([text], name);

/** What progress tells of a passage that is the whole of a document. */
function found(document: number, score: number, length: number) {
  const span = { start: 0, length };
  return { document, score, answer: { start: 0, length: 1 }, sentence: span, evidence: span };
}

const progress = (...each: ReturnType<typeof found>[]) => ({ phase: 'run' as const, done: 1, total: 1, found: each });

describe('the list', () => {
  it('reads files one after the other, and says how far each is', async () => {
    const { state, reads } = setUp({ isSlow: true });
    const added = state().add([file('a.pdf'), file('b.txt'), file('c.md')]);
    expect(reads.map(({ name }) => name)).toEqual(['a.pdf']);
    reads[0]?.options.onProgress?.(1, 4);
    expect(state().list[0]?.reading).toEqual({ kind: 'reading', share: 0.25 });
    reads[0]?.end(readyText(0, 'A.').document);
    await eventually(() => expect(reads).toHaveLength(2));
    expect(state()).toMatchObject({ shown: 1, list: [{ reading: { kind: 'ready' } }, {}, {}] });
    reads[1]?.end(new UnreadableFile('encrypted', ''));
    await eventually(() => expect(reads).toHaveLength(3));
    expect(state().list[1]?.reading).toEqual({ kind: 'unreadable', problem: 'encrypted' });
    reads[2]?.end(readyText(0, 'C.').document);
    await added;
  });

  it('stops reading what is removed, and reads it again when it comes back', async () => {
    const { state, reads } = setUp({ isSlow: true });
    void state().add([file('a.pdf'), file('b.txt')]);
    state().remove(1);
    expect(reads[0]?.options.signal?.aborted).toBe(true);
    reads[0]?.end(new Error('aborted'));
    await eventually(() => expect(reads.map(({ name }) => name)).toEqual(['a.pdf', 'b.txt']));
    reads[1]?.end(readyText(0, 'B.').document);
    state().undo();
    await eventually(() => expect(reads.map(({ name }) => name)).toEqual(['a.pdf', 'b.txt', 'a.pdf']));
    expect(state()).toMatchObject({ removed: [], list: [{ id: 1 }, { id: 2 }] });
  });

  it('shows another document when the one that is shown is removed', async () => {
    const { state } = setUp();
    await state().add([file('a.md'), file('b.md')]);
    state().remove(1);
    expect(state().shown).toBe(2);
    state().remove(2);
    expect(state().shown).toBeNull();
    state().undo();
    expect(state().shown).toBe(2);
    state().undo();
    expect(state().list.map(({ id }) => id)).toEqual([1, 2]);
    state().undo(); // there is nothing any more
    expect(state().list).toHaveLength(2);
  });
});

describe('a question', () => {
  it('goes to all documents, and the best answer is shown', async () => {
    const { state, asked } = setUp();
    await state().add([file('a.md', 'Anna.'), file('b.md', 'Berta.')]);
    state().edit(' Who? ');
    const asking = state().ask();
    expect(state().phase.kind).toBe('running');
    await eventually(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.body).toMatchObject({ query: 'Who?', documents: [{ text: 'Anna.' }, { text: 'Berta.' }] });
    asked[0]?.options.onProgress?.(progress(found(0, 0.6, 5), found(1, 0.9, 6)));
    asked[0]?.settle(DONE);
    await asking;
    expect(state().phase.kind).toBe('done');
    expect(answersIn(state()).map(({ document, score }) => [document, score])).toEqual([
      [2, 0.9],
      [1, 0.6],
    ]);
    expect(state()).toMatchObject({ shown: 2, chosen: { document: 2 }, history: ['Who?'] });
  });

  it.each([
    [0.4, 1],
    [0.06, undefined],
  ])('with the best score %d shows the document %s', async (score, shown) => {
    const { state, asked } = setUp();
    await state().add([file('a.md', 'Anna.')]);
    state().edit('Who?');
    const asking = state().ask();
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.options.onProgress?.(progress(found(0, score, 5)));
    asked[0]?.settle(DONE);
    await asking;
    expect(state().chosen?.document).toBe(shown);
    expect(answersIn(state())).toHaveLength(1);
  });

  it('waits for files that are being read', async () => {
    const { state, asked, reads } = setUp({ isSlow: true });
    void state().add([file('a.md')]);
    state().edit('Who?');
    void state().ask();
    expect(state().phase).toEqual({ kind: 'running', isReading: true, progress: null });
    reads[0]?.end(readyText(0, 'Anna.').document);
    await eventually(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.body.documents).toEqual([{ text: 'Anna.' }]);
  });

  it('is aborted by the next one and by a cancel, which keeps what was found', async () => {
    const { state, asked } = setUp();
    await state().add([file('a.md', 'Anna.')]);
    state().edit('Who?');
    const first = state().ask();
    await eventually(() => expect(asked).toHaveLength(1));
    state().edit('When?');
    const second = state().ask();
    await eventually(() => expect(asked).toHaveLength(2));
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    asked[1]?.options.onProgress?.(progress(found(0, 0.6, 5)));
    await eventually(() => expect(answersIn(state())).toHaveLength(1));
    state().cancel();
    await Promise.all([first, second]);
    expect(state()).toMatchObject({ phase: { kind: 'stopped' }, asked: { question: 'When?', read: { done: 1 } } });
    expect(answersIn(state())).toHaveLength(1);
    expect(state().history).toEqual(['When?', 'Who?']);
  });

  it('is not asked without words or documents', async () => {
    const { state, asked } = setUp();
    state().edit('Who?');
    await state().ask();
    await state().add([file('a.md')]);
    state().edit('  ');
    await state().ask();
    expect(asked).toEqual([]);
  });

  it('says what went wrong', async () => {
    const { state, asked } = setUp();
    await state().add([file('a.md')]);
    state().edit('Who?');
    const asking = state().ask();
    await eventually(() => expect(asked).toHaveLength(1));
    const problem = { status: 408, code: 'TIMEOUT', message: 'too long' };
    asked[0]?.settle({ ok: false, problem });
    await asking;
    expect(state().phase).toEqual({ kind: 'failed', problem });
  });

  it('leaves answers of removed documents out until they come back, and counts documents that came later', async () => {
    const { state, asked } = setUp();
    await state().add([file('a.md', 'Anna.')]);
    state().edit('Who?');
    const asking = state().ask();
    await eventually(() => expect(asked).toHaveLength(1));
    asked[0]?.options.onProgress?.(progress(found(0, 0.9, 5)));
    asked[0]?.settle(DONE);
    await asking;
    expect(unansweredIn(state())).toBe(0);
    await state().add([file('b.md')]);
    expect(unansweredIn(state())).toBe(1);
    state().remove(1);
    expect(answersIn(state())).toEqual([]);
    state().undo();
    expect(answersIn(state())).toHaveLength(1);
  });
});

describe('the example', () => {
  it('is asked its first question', async () => {
    const { state, asked } = setUp();
    const taking = state().takeExample();
    await eventually(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.body.query).toBe('Who is liable for damage?');
    expect(state().suggestions.get(1)).toContain('When does the agreement end?');
    asked[0]?.settle(DONE);
    await taking;
  });
});

describe('suggested questions', () => {
  const rent = file('a.md', 'The rent is 950 euros, and is due to be paid.');

  it('are of one document, and remain when others are added and removed', async () => {
    const { state, asked } = setUp();
    await state().add([rent]);
    const suggesting = state().suggest(1, new AbortController().signal);
    await eventually(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ body: { query: 'How much is the rent?' }, options: { nice: true } });
    asked[0]?.options.onProgress?.(progress({ ...found(0, 0.9, 34), answer: { start: 12, length: 9 } }));
    asked[0]?.settle(DONE);
    await suggesting;
    await state().add([file('b.md')]);
    state().remove(1);
    expect([...state().suggestions]).toEqual([[1, ['How much is the rent?']]]);
    state().undo();
    await state().suggest(1, new AbortController().signal);
    expect(asked, 'each document is searched once').toHaveLength(1);
  });

  it('are looked for again where a question of the user came first', async () => {
    const { state, asked } = setUp();
    await state().add([rent]);
    const stopped = new AbortController();
    const suggesting = state().suggest(1, stopped.signal);
    await eventually(() => expect(asked).toHaveLength(1));
    stopped.abort();
    await expect(suggesting).rejects.toThrow('aborted');
    void state().suggest(1, new AbortController().signal);
    await eventually(() => expect(asked).toHaveLength(2));
  });
});
