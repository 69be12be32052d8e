import type { PredictResponse } from '../../contract/likelihood.ts';
import { targetWords } from '../../explanations/segmentation.ts';
import type { Outcome } from '../../explanations/outcome.ts';
import { requestExplanation } from '../../explanations/request.ts';
import { type FirstWord, requestFirstWords } from '../../explanations/first-words.ts';
import { likelihoodWithout } from '../../explanations/likelihood-without.ts';
import { NEUTRAL_NATS, rankedIn, type TextSection } from '../../explanations/influence.ts';
import { DEFAULT_QUESTION_SETTINGS, type Question, type Settings } from '../../explanations/question.ts';
import type { Answer, CallOptions, ModelSource } from '../../client/client.ts';
import { createLiveStore, type LiveStore } from '../../stores/live-store.ts';
import { requestSimilarity, type SimilarityFound } from '../../parts/similarity/similarity.ts';
import type { LessonTexts } from '../../parts/live/text-fields.tsx';
import { CLASS_EXAMPLES } from './class-examples.ts';

/** Where the answers of the lessons come from: a model that is loaded into the page, read once for each run of a lesson. */
export type LearnSource = ModelSource<
  'complete' | 'embed' | 'evaluate' | 'explain' | 'lens' | 'steeringConcepts' | 'predict'
>;

/** The first texts of the live examples. The models read English; a golden test checks what each text shows. */
export const FIRST_TEXTS = {
  tokens: { text: 'The lighthouse keeper of Storvik photographs 47 cormorants.' },
  attention: CLASS_EXAMPLES.choice,
  granularity: CLASS_EXAMPLES.sentences,
  sinks: {
    text: 'The box holds a hammer, a saw, a drill and a brush. Question: Which tool cuts wood? Answer: the saw.',
  },
  layers: { texts: ['I like this film.', 'I do not like this film.', 'This film pleases me.'] },
} as const satisfies Readonly<
  Record<string, LessonTexts | { readonly text: string } | { readonly texts: readonly string[] }>
>;

/** Three explanations that mislead: the target is the right answer, but not that of the model. */
export const LIMIT_EXAMPLES = {
  negation: CLASS_EXAMPLES['not-hard'],
  sentiment: CLASS_EXAMPLES.sentiment,
  knowledge: CLASS_EXAMPLES.knowledge,
} as const satisfies Readonly<Record<string, LessonTexts>>;

/** Another target for the second lesson: the prompt names it, but the model does not predict it. */
export const RIVAL_TARGET = CLASS_EXAMPLES.rival.target;

/** The live example of each lesson. */
export interface LessonStores {
  readonly tokens: LiveStore<{ readonly text: string }, TokensFound>;
  readonly attention: LiveStore<LessonTexts, AttentionFound>;
  readonly granularity: LiveStore<LessonTexts, GranularityFound>;
  readonly sinks: LiveStore<{ readonly text: string }, readonly FirstWord[]>;
  readonly layers: LiveStore<{ readonly texts: readonly string[] }, SimilarityFound>;
  readonly limits: Readonly<Record<keyof typeof LIMIT_EXAMPLES, LiveStore<LessonTexts, Outcome>>>;
}

/** The live examples, created at first use; they outlive the page, so that edits and answers are still there when it is opened again. */
export function lessonStoresOf(page: { readonly source: LearnSource; stores: LessonStores | null }): LessonStores {
  return (page.stores ??= createLessonStores(page.source));
}

function createLessonStores(source: LearnSource): LessonStores {
  const live = <Asked extends object, Found>(
    first: NoInfer<Asked>,
    request: (source: LearnSource, asked: Asked, call: CallOptions) => Promise<Answer<Found>>,
  ) =>
    createLiveStore<Asked, Found>(first, (asked, call) =>
      request({ client: source.client, model: source.model }, asked, call),
    );
  const limit = (first: LessonTexts) =>
    live(first, (once, texts: LessonTexts, call) => explainLesson(once, lessonQuestion(texts), call));
  return {
    tokens: live(FIRST_TEXTS.tokens, requestTokens),
    attention: live(FIRST_TEXTS.attention, requestAttention),
    granularity: live(FIRST_TEXTS.granularity, requestGranularity),
    sinks: live(FIRST_TEXTS.sinks, (once, { text }: { readonly text: string }, call) =>
      requestFirstWords(text, once, call),
    ),
    layers: live(FIRST_TEXTS.layers, requestSimilarity),
    limits: {
      negation: limit(LIMIT_EXAMPLES.negation),
      sentiment: limit(LIMIT_EXAMPLES.sentiment),
      knowledge: limit(LIMIT_EXAMPLES.knowledge),
    },
  };
}

/** The model of a lesson is in the page, so that nothing is sent to a server. */
function explainLesson(
  { client, model }: LearnSource,
  question: Question,
  call: CallOptions,
): Promise<Answer<Outcome>> {
  return requestExplanation(client, question, { ...call, model, upstream: null });
}

const MAX_DELETED = 4;

/** An explanation by word, and the effect of deleting its strongest words. */
export interface AttentionFound {
  readonly outcome: Outcome;
  /** The strongest first. */
  readonly deleted: readonly Deleted[];
}

/** Explains the target by word, then deletes the strongest words one at a time. */
export async function requestAttention(
  source: LearnSource,
  texts: LessonTexts,
  call: CallOptions,
): Promise<Answer<AttentionFound>> {
  const answer = await explainLesson(source, lessonQuestion(texts), call);
  if (!answer.ok) return answer;
  const outcome = answer.value;
  const strongest = rankedIn(outcome.influence.prompt, 'whole').filter(({ total }) => Math.abs(total) >= NEUTRAL_NATS);
  const deleted = await deletions(source, outcome, strongest.slice(0, MAX_DELETED), call);
  return { ok: true, value: { outcome, deleted } };
}

/** The same question by word and by sentence, and the effect of deleting each sentence. */
export interface GranularityFound {
  readonly words: Outcome;
  readonly sentences: Outcome;
  readonly deleted: readonly Deleted[];
}

const MAX_DELETED_SENTENCES = 8;

/** Explains the target by word and by sentence, then deletes the sentences one at a time. */
export async function requestGranularity(
  source: LearnSource,
  texts: LessonTexts,
  call: CallOptions,
): Promise<Answer<GranularityFound>> {
  const words = await explainLesson(source, lessonQuestion(texts), call);
  if (!words.ok) return words;
  const sentences = await explainLesson(source, lessonQuestion(texts, { granularity: 'sentence' }), call);
  if (!sentences.ok) return sentences;
  const parts = sentences.value.influence.prompt.slice(0, MAX_DELETED_SENTENCES);
  const deleted = await deletions(source, sentences.value, parts, call);
  return { ok: true, value: { words: words.value, sentences: sentences.value, deleted } };
}

/** Number of tokens that the model writes after the text. */
const WRITTEN = 6;

/** The tokens of a text, and those that the model would write next. */
export interface TokensFound {
  readonly words: readonly { readonly text: string; readonly tokens: readonly string[] }[];
  readonly tokenCount: number;
  /** The likeliest next tokens, one after the other. */
  readonly written: PredictResponse['continuation']['tokens'];
}

/** Requests the tokens of a text, and those that the model would write after it. */
export async function requestTokens(
  source: LearnSource,
  { text }: { readonly text: string },
  { signal }: CallOptions,
): Promise<Answer<TokensFound>> {
  const call = { ...(signal && { signal }) };
  const { model } = source;
  const [read, written] = await Promise.all([
    source.client.embed({ model, prompt: text, layers: [0], tokens: true }, call),
    source.client.predict({ model, prompt: text, maximum_tokens: WRITTEN }, call),
  ]);
  if (!read.ok) return read;
  if (!written.ok) return written;
  const tokens = read.value.tokens ?? [];
  const words = targetWords(tokens, text).map((word) => ({
    text: word.text,
    tokens: tokens.slice(word.first, word.first + word.count),
  }));
  return { ok: true, value: { words, tokenCount: tokens.length, written: written.value.continuation.tokens } };
}

/** The texts as a question of the Explain page. */
export function lessonQuestion({ prompt, target }: LessonTexts, settings: Partial<Settings> = {}): Question {
  return { picture: null, prompt, target, settings: { ...DEFAULT_QUESTION_SETTINGS, ...settings } };
}

interface Deleted {
  readonly section: TextSection;
  /** Log-likelihood that the whole target loses, nats; negative if it gains. */
  readonly loss: number;
}

/** Deletes sections one at a time. Those whose call fails are left out; without a likelihood of the target, all are. */
async function deletions(
  source: LearnSource,
  outcome: Outcome,
  sections: readonly TextSection[],
  { signal }: CallOptions,
): Promise<Deleted[]> {
  const whole = outcome.prediction?.target?.log_probability;
  if (whole === undefined) return [];
  const deleted: Deleted[] = [];
  for (const section of sections) {
    const left = await likelihoodWithout(section, outcome, source, signal);
    if (left !== null) deleted.push({ section, loss: whole - left });
  }
  return deleted;
}
