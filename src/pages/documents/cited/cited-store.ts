import { createStore, type StoreApi } from 'zustand/vanilla';
import { NO_ANSWER } from '../../../client/ask.ts';
import type { Client, Problem } from '../../../client/client.ts';
import {
  questionPrompt,
  citationBody,
  type CitedSentence,
  linksOf,
  type PassageLink,
  passageScores,
  passagesPrompt,
} from '../../../explanations/citations.ts';
import type { Progress } from '../../../contract/progress.ts';
import { createLatest, type LatestCall, problemOf } from '../../../stores/latest-request.ts';
import { memoized } from '../../../stores/memoized.ts';
import type { QaSession } from '../answers.ts';
import { trimmedAnswer, type CitedPassage, requestPlan, MAX_ANSWER, MAX_SENTENCES, sentencesIn } from './passages.ts';

/** What a server is asked. */
interface CitedQuestion {
  /** The question to the documents, whose passages these are. */
  readonly session: QaSession;
  readonly passages: readonly CitedPassage[];
  readonly model: string;
  /** Address of the server. */
  readonly upstream: string;
}

/** An answer that a server wrote. */
interface CitedAnswer extends CitedQuestion {
  /** With the white space before each; `links` is null until they are known. */
  readonly sentences: readonly { readonly text: string; readonly links: readonly PassageLink[] | null }[];
  /** The model went on. */
  readonly isCut: boolean;
  /** Requests and tokens so far. */
  readonly requests: number;
  readonly tokens: number;
}

type CitedPhase =
  | { readonly kind: 'idle' | 'stopped' | 'done' }
  /** Requests so far, and all of them; null while the server writes. */
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'failed'; readonly problem: Problem };

interface CitedState {
  readonly phase: CitedPhase;
  readonly answer: CitedAnswer | null;
  /** The question that was asked last; null before. */
  readonly session: QaSession | null;
  /** Settles when the answer is complete, or a newer question replaces it. */
  ask(question: CitedQuestion): Promise<void>;
  /** Stops; what is known by then stays. */
  cancel(): void;
}

type CitedClient = Pick<Client, 'complete' | 'explain'>;

/** The answer of a server beside the answers of a page, kept as long as these. @param page  the store of the documents page */
export const citedStoreOf = memoized((_page: object, client: CitedClient): StoreApi<CitedState> =>
  createStore<CitedState>((set, get) => {
    const latest = createLatest();
    return {
      phase: { kind: 'idle' },
      answer: null,
      session: null,
      async ask(question) {
        set({ phase: { kind: 'running', done: 0, total: null }, answer: null, session: question.session });
        const phase = await latest.run<CitedPhase, [News]>({
          request: (call) => answerOf(client, question, call),
          onProgress: set,
          onError: (error) => ({ kind: 'failed', problem: problemOf(error) }),
        });
        if (phase) set({ phase });
      },
      cancel() {
        latest.cancel();
        if (get().phase.kind === 'running') set({ phase: { kind: 'stopped' } });
      },
    };
  }),
);

type News = Partial<Pick<CitedState, 'phase' | 'answer'>>;

/** Has the server answer, and then finds the passages of each sentence. */
async function answerOf(client: CitedClient, question: CitedQuestion, call: LatestCall<[News]>): Promise<CitedPhase> {
  const { session, passages, model } = question;
  const texts = passages.map(({ text }) => text);
  const asked = questionPrompt(session.question);
  const prompt = passagesPrompt(texts, asked).join('');
  const written = await client.complete({ model, prompt, maximum_tokens: MAX_ANSWER }, { signal: call.signal });
  if (!written.ok) return { kind: 'failed', problem: written.problem };
  const { completions, num_tokens_prompt_total: read, num_tokens_generated: generated } = written.value;
  const [first] = completions;
  const { text, isCut } = trimmedAnswer(first?.completion ?? '', first?.finish_reason === 'maximum_tokens');
  const sentences = sentencesIn(text);
  if (sentences.length === 0) return { kind: 'failed', problem: NO_ANSWER };
  const unlinked = sentences.map((sentence) => ({ text: sentence, links: null }));
  const answer = { ...question, sentences: unlinked, isCut, requests: 1, tokens: read + generated };
  return linked(client, answer, { passages: texts, asked }, call);
}

/** Finds the passages of one sentence after the other. */
async function linked(
  client: CitedClient,
  answer: CitedAnswer,
  { passages, asked }: Pick<CitedSentence, 'passages' | 'asked'>,
  { signal, onProgress }: LatestCall<[News]>,
): Promise<CitedPhase> {
  const texts = answer.sentences.slice(0, MAX_SENTENCES).map(({ text }) => text);
  const total = 1 + texts.length * requestPlan(answer.passages, answer.session.question).requests;
  const sentences = [...answer.sentences];
  let { requests, tokens } = answer;
  const show = (done = 0) =>
    onProgress({
      answer: { ...answer, sentences: [...sentences], requests: requests + done, tokens },
      phase: { kind: 'running', done: requests + done, total },
    });
  show();
  for (const [at, sentence] of texts.entries()) {
    const before = asked + texts.slice(0, at).join('');
    const found = await linksFor(
      client,
      answer.model,
      { passages, asked: before, sentence },
      { signal, onRequest: show },
    );
    if (!found.ok) return { kind: 'failed', problem: found.problem };
    sentences[at] = { text: sentence, links: found.value.links };
    requests += found.value.requests;
    tokens += found.value.tokens;
    show();
  }
  return { kind: 'done' };
}

/** Finds the passages of a sentence. @param call  `onRequest` is told how many requests were answered */
async function linksFor(
  client: CitedClient,
  model: string,
  sentence: CitedSentence,
  { signal, onRequest }: { readonly signal: AbortSignal; readonly onRequest: (done: number) => void },
) {
  const explain = async (method: 'deletion' | 'insertion', before: number) => {
    const body = citationBody(model, sentence, method);
    const onProgress = ({ phase, done }: Progress) => phase === 'run' && onRequest(before + done);
    const explained = await client.explain(body, { signal, onProgress });
    if (!explained.ok) return explained;
    const { explanations, requests = 0, tokens = 0 } = explained.value;
    return { ok: true, value: { scores: passageScores(body, explanations), requests, tokens } } as const;
  };
  const deletion = await explain('deletion', 0);
  if (!deletion.ok) return deletion;
  const insertion = await explain('insertion', deletion.value.requests);
  if (!insertion.ok) return insertion;
  const [without, alone] = [deletion.value, insertion.value];
  const links = linksOf(without.scores, alone.scores);
  const spent = { requests: without.requests + alone.requests, tokens: without.tokens + alone.tokens };
  return { ok: true, value: { links, ...spent } } as const;
}
