import type { LensResponse } from '../../contract/likelihood.ts';
import { FRAGMENT } from '../../contract/code-points.ts';
import type { Answer, CallOptions, ModelSource } from '../../client/client.ts';
import type { LessonTexts } from '../../parts/live/text-fields.tsx';
import { requestSteering, STEERING_EXAMPLE, type SteeringFound, type SteeringQuestion } from './steering.ts';
import { createLiveStore, type LiveStore } from '../../stores/live-store.ts';
import { cosine, requestSimilarity, type SimilarityFound } from '../../parts/similarity/similarity.ts';

/** Example texts to compare, by their name in the words; the first set is shown at first. The models read English. */
export const TEXT_SETS = [
  {
    name: 'topics',
    texts: ['The train leaves at nine.', 'The train leaves at ten.', 'My cat sleeps all day.'],
  },
  {
    name: 'negation',
    texts: ['I like this film.', 'I do not like this film.', 'This film pleases me.'],
  },
  {
    name: 'order',
    texts: ['The dog bites the man.', 'The man bites the dog.', 'A hound snaps at a person.'],
  },
  {
    name: 'bank',
    texts: [
      'The bank lends money to the farmer.',
      'The farmer sits on the bank of the river.',
      'The credit union gives the farmer a loan.',
    ],
  },
] as const;

/** The prompt of the logit lens at first. */
export const LENS_EXAMPLE = {
  prompt: 'Elena has a green bicycle.\nQuestion: What colour is the bicycle?\nAnswer:',
  target: ' green',
};

/** Where the answers come from. */
export type InsideSource = ModelSource<'embed' | 'lens' | 'steeringConcepts' | 'evaluate' | 'complete'>;

/** The questions of the Inside page, with their answers. */
export interface InsideStores {
  readonly similarity: LiveStore<{ readonly texts: readonly string[] }, SimilarityFound>;
  readonly tokens: LiveStore<TokensQuestion, TokenGrid>;
  /** A prompt, and a text whose first token is ranked at each layer; empty: none. */
  readonly lens: LiveStore<LessonTexts, LensResponse>;
  readonly steering: LiveStore<SteeringQuestion, SteeringFound>;
}

/** The stores of the page, created at first use; they outlive the page, so that texts and answers are still there when it is opened again. */
export function insideStoresOf(page: { readonly source: InsideSource; stores: InsideStores | null }): InsideStores {
  return (page.stores ??= createInsideStores(page.source));
}

function createInsideStores(source: InsideSource): InsideStores {
  const [{ texts }] = TEXT_SETS;
  const [a, b]: readonly string[] = texts;
  return {
    similarity: createLiveStore({ texts }, (question, call) => requestSimilarity(source, question, call)),
    tokens: createLiveStore({ a, b, layer: 0 }, (question, call) => requestTokenGrid(source, question, call)),
    lens: createLiveStore(LENS_EXAMPLE, (question, call) => requestLens(source, question, call)),
    steering: createLiveStore(STEERING_EXAMPLE, (question, call) => requestSteering(source, question, call)),
  };
}

/** Last tokens of the prompt to predict after, and likeliest tokens of each layer. */
const POSITIONS = 6;
const ALTERNATIVES = 5;

/** Requests what each layer would predict after the last tokens of the prompt. */
function requestLens({ client, model }: InsideSource, { prompt, target }: LessonTexts, { signal }: CallOptions) {
  const body = { model, prompt, positions: POSITIONS, alternatives: ALTERNATIVES, target: target || null };
  return client.lens(body, { ...(signal && { signal }) });
}

/** Most tokens of a text to compare: each costs a request, and a larger table is hard to read. */
export const MAX_TOKENS = 24;

interface TokensQuestion {
  readonly a: string;
  readonly b: string;
  readonly layer: number;
}

interface KnownTokens {
  /** Text of each known hidden state: several tokens joined where one ends within a character or a word piece. */
  readonly texts: readonly string[];
  /** Whether the text has more tokens. */
  readonly isCut: boolean;
}

/** How similar the tokens of two texts are at a layer. */
export interface TokenGrid {
  readonly a: KnownTokens;
  readonly b: KnownTokens;
  /** Cosine similarities, `[token of a][token of b]`. */
  readonly cosines: readonly (readonly number[])[];
}

/**
 * Compares the tokens of two texts. A decoder's token sees nothing after it, so its hidden state is that of the last
 * token of the text up to there, which `/embed` gives. Where the text up to a token has a different tokenization, the
 * token is joined to the next one.
 */
export async function requestTokenGrid(
  source: ModelSource<'embed'>,
  { a, b, layer }: TokensQuestion,
  call: CallOptions,
): Promise<Answer<TokenGrid>> {
  const [first, second] = [await requestStates(source, a, layer, call), await requestStates(source, b, layer, call)];
  if (!first.ok) return first;
  if (!second.ok) return second;
  const cosines = first.value.states.map((row) => second.value.states.map((column) => cosine(row, column)));
  return { ok: true, value: { a: first.value.known, b: second.value.known, cosines } };
}

/** @returns hidden states `[known tokens][width]` */
async function requestStates(
  { client, model }: ModelSource<'embed'>,
  text: string,
  layer: number,
  { signal }: CallOptions,
): Promise<Answer<{ readonly known: KnownTokens; readonly states: readonly (readonly number[])[] }>> {
  const call = { ...(signal && { signal }) };
  const whole = await client.embed({ model, prompt: text, layers: [layer], tokens: true }, call);
  if (!whole.ok) return whole;
  const tokens = whole.value.tokens ?? [];
  const [texts, states]: [string[], number[][]] = [[], []];
  let joined = '';
  for (let end = 1; end <= Math.min(tokens.length, MAX_TOKENS); end++) {
    joined += tokens[end - 1] ?? '';
    const prompt = tokens.slice(0, end).join('');
    if (prompt.includes(FRAGMENT)) continue; // ends within a character
    const answer = await client.embed({ model, prompt, layers: [layer], pooling: ['last_token'], tokens: true }, call);
    if (!answer.ok) return answer;
    if (answer.value.tokens?.join('\n') !== tokens.slice(0, end).join('\n')) continue;
    texts.push(joined);
    states.push(answer.value.embeddings[`layer_${layer}`]?.last_token ?? []);
    joined = '';
  }
  return { ok: true, value: { known: { texts, isCut: joined !== '' || tokens.length > MAX_TOKENS }, states } };
}
