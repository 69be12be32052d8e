import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../../../src/client/client.ts';
import { citedStoreOf } from '../../../../../src/pages/documents/cited/cited-store.ts';
import { requestPlan } from '../../../../../src/pages/documents/cited/passages.ts';
import {
  type Answering,
  closeServers,
  completionServer,
  continued,
  echoed,
  likelihoodOf,
} from '../../../../support/remote/completion-server.ts';
import { connectPage, pageWith } from '../../../../support/remote/upstream-page.ts';

const SESSION = { question: 'Who pays?', answers: [], read: null, documents: new Set<number>() };
const ASKED = '\nQuestion: Who pays?\nAnswer:';
const PASSAGES = ['Damage is paid by Ada Brook, a tenant.', 'The sun shines.'];
const SENTENCES = [' Ada Brook, a tenant.', ' Nobody else.'];
const SPAN = { start: 0, length: 1 };

afterEach(() => {
  closeServers();
  vi.restoreAllMocks();
});

/** A server that answers with two sentences, and the store of a page that asks it. */
async function setUp(answering: Answering, maxTokens?: number) {
  const server = await completionServer(answering);
  await connectPage(server.address, 'key');
  const router = pageWith({ address: server.address, ...(maxTokens !== undefined && { maxTokens }) });
  const store = citedStoreOf({}, createClient(router));
  const phases: unknown[] = [];
  store.subscribe(({ phase }) => void phases.push(phase));
  const found = { document: 1, score: 1, answer: SPAN, sentence: SPAN, passage: SPAN };
  const passages = PASSAGES.map((text) => ({ found, text, command: null }));
  const ask = () => store.getState().ask({ session: SESSION, passages, model: 'm', upstream: server.address });
  return { ...server, store, passages, phases, ask };
}

const right: Answering = (asked) => (asked.echo ? echoed(asked) : continued(asked, SENTENCES.join('')));

/** The effect of a passage on a sentence, by the server's own formula. */
function effectOf(sentence: string, before: string, kept: readonly number[], others: readonly number[]): number {
  const prompt = (passages: readonly number[]) => passages.map((at) => `${PASSAGES[at]}\n\n`).join('') + ASKED + before;
  return likelihoodOf(prompt(kept), sentence) - likelihoodOf(prompt(others), sentence);
}

describe('an answer of a server', () => {
  it('links each sentence to its passages, with as many requests as were planned', async () => {
    const { store, asked, passages, phases, ask } = await setUp(right);
    await ask();
    const { phase, answer } = store.getState();
    expect(phase).toEqual({ kind: 'done' });
    expect(answer?.sentences.map(({ text }) => text)).toEqual(SENTENCES);
    const [first, second] = answer?.sentences ?? [];
    expect(first?.links?.map(({ passage }) => passage)).toEqual([0]);
    expect(first?.links?.[0]?.necessity).toBeCloseTo(effectOf(SENTENCES[0] ?? '', '', [0, 1], [1]), 10);
    expect(first?.links?.[0]?.sufficiency).toBeCloseTo(effectOf(SENTENCES[0] ?? '', '', [0], []), 10);
    expect(second?.links).toEqual([]); // without support
    const planned = 1 + 2 * requestPlan(passages, SESSION.question).requests;
    expect([asked.length, answer?.requests]).toEqual([planned, planned]);
    expect(answer?.tokens).toBeGreaterThan(planned);
    expect(phases).toContainEqual({ kind: 'running', done: planned, total: planned });
  });

  it('reads nothing for the sentence that follows it', async () => {
    const { asked, ask } = await setUp(right);
    await ask();
    const own = asked.filter(({ echo }) => echo).slice(0, 7);
    expect(own.filter(({ prompt }) => prompt.includes('Nobody'))).toEqual([]);
  });

  it.each<[string, Answering, string, number | undefined]>([
    ['is away', (_, response) => void response.writeHead(401).end('{}'), 'ENGINE_UNAVAILABLE', undefined],
    ['says nothing', (asked) => continued(asked, ' '), 'NO_ANSWER', undefined],
    ['may read no more', right, 'INVALID_REQUEST', 60],
  ])('that %s is named, and nothing is shown', async (_, answering, code, maxTokens) => {
    const { store, ask } = await setUp(answering, maxTokens);
    await ask();
    expect(store.getState()).toMatchObject({ phase: { kind: 'failed', problem: { code } }, answer: null });
  });

  it('that fails later keeps its answer, and says which sentences were not examined', async () => {
    const { store, ask } = await setUp((asked, response, count) =>
      count > 8 ? void response.writeHead(401).end('{}') : right(asked, response, count),
    );
    await ask();
    const { phase, answer } = store.getState();
    expect(phase).toMatchObject({ kind: 'failed', problem: { code: 'ENGINE_UNAVAILABLE' } });
    expect(answer?.sentences.map(({ links }) => links?.length ?? null)).toEqual([1, null]);
  });

  it('is asked nothing more once it is stopped', async () => {
    const { store, asked, ask } = await setUp((one, response, count) => {
      if (count === 4) store.getState().cancel();
      return right(one, response, count);
    });
    await ask();
    expect(store.getState()).toMatchObject({ phase: { kind: 'stopped' }, answer: { requests: 1 } });
    const { length } = asked;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toHaveLength(length);
    expect(length).toBeLessThan(8);
  });
});
