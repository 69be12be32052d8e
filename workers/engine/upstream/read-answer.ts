import { isRecord } from '../../../src/contract/records.ts';

/** The JSON that a server sends. */
export type JsonAnswer = Readonly<Record<string, unknown>>;

/** A text whose end is rated. */
export interface WholeText {
  readonly prompt: string;
  readonly target: string;
}

/** A token as a server rates it, given those before it. */
interface RatedTargetToken {
  readonly text: string;
  /** Natural logarithm. */
  readonly logProbability: number;
}

/** The tokens of a target. */
export interface RatedText {
  readonly tokens: readonly RatedTargetToken[];
  readonly promptTokens: number;
  /** Tokens that the server has read and written. */
  readonly spent: number;
}

/** What a server has written. */
export interface WrittenText {
  readonly text: string;
  readonly tokens: readonly (RatedTargetToken & { readonly id: unknown })[];
  /** It stopped only because it was to write no more. */
  readonly isCut: boolean;
  readonly promptTokens: number;
  /** As in `RatedText`. */
  readonly spent: number;
}

/** An answer that does not say what was asked for. */
export class Unreadable extends Error {}

/** The log-probabilities that a server adds to a text that it repeats. @throws {Unreadable} */
export function readEcho(answer: JsonAnswer, text: WholeText): RatedText {
  const { choice, usage } = partsOf(answer);
  const all = tokensOf(choice);
  if (usage.read !== undefined && usage.read > all.length)
    throw new Unreadable(`expected ${usage.read} tokens, as the answer counts them, got ${all.length}`);
  return ratedEnd(all.slice(0, usage.read ?? all.length), text, usage);
}

/** The text that a server has written, with its tokens. @throws {Unreadable} */
export function readWritten(answer: JsonAnswer): WrittenText {
  const { choice, usage } = partsOf(answer);
  const { text, finish_reason: finish } = choice;
  if (typeof text !== 'string') throw new Unreadable('the answer has no text');
  if (finish !== 'length' && finish !== 'stop')
    throw new Unreadable(
      `expected a text that ends with finish_reason "length" or "stop", got ${JSON.stringify(finish)}`,
    );
  const tokens = tokensOf(choice).map((each) => ({
    text: String(each.text),
    logProbability: logProbabilityIn(each.logProbability),
    id: each.id,
  }));
  const promptTokens = usage.read ?? 0;
  return { text, tokens, isCut: finish === 'length', promptTokens, spent: promptTokens + tokens.length };
}

/** The tokens of a text, and whether each is whole characters; undefined where the answer has none. */
export function readTokens({ tokens }: JsonAnswer) {
  if (!isList(tokens)) return undefined;
  // Bytes in place of a text are a part of a character.
  const found = tokens.flatMap((each) => {
    const id = isRecord(each) ? countOf(each['id']) : undefined;
    return isRecord(each) && id !== undefined ? { id, isWhole: typeof each['piece'] === 'string' } : [];
  });
  return found.length > 0 && found.length === tokens.length ? found : undefined;
}

/** The log-probabilities of a target that a server was made to write. @param ids  its tokens @throws {Unreadable} */
export function readForced(answer: JsonAnswer, { target }: WholeText, ids: readonly number[]): RatedText {
  const { text, tokens, promptTokens, spent } = readWritten(answer);
  if (text === target && tokens.length === ids.length && tokens.every(({ id }, at) => id === ids[at]))
    return { tokens, promptTokens, spent };
  throw new Unreadable(`expected the ${ids.length} tokens of ${JSON.stringify(target)}, got ${JSON.stringify(text)}`);
}

/** The log-probabilities of the prompt's tokens that vLLM gives. @throws {Unreadable} */
export function readPromptLogProbabilities(answer: JsonAnswer, text: WholeText): RatedText {
  const { choice, usage } = partsOf(answer);
  const found = choice['prompt_logprobs'] ?? answer['prompt_logprobs'];
  if (!isList(found)) throw new Unreadable('the answer has no log-probabilities of the prompt');
  if (usage.read !== undefined && usage.read !== found.length)
    throw new Unreadable(`expected ${usage.read} log-probabilities, got ${found.length}`);
  const all = found.map((entries) => {
    if (!isRecord(entries)) return { text: '', logProbability: null }; // the first
    // The token itself, and the likeliest one where that is another.
    const ranked = Object.values(entries).filter(isRecord);
    const own = ranked.toSorted((a, b) => Number(b['rank']) - Number(a['rank']))[0] ?? {};
    return { text: own['decoded_token'], logProbability: own['logprob'] };
  });
  return ratedEnd(all, text, usage);
}

interface Usage {
  /** Tokens of the prompt. */
  readonly read: number | undefined;
  readonly written: number;
}

function partsOf(answer: JsonAnswer) {
  const choices = answer['choices'];
  const choice: unknown = isList(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) throw new Unreadable('the answer has no choice');
  const { prompt_tokens: read, completion_tokens: written } = isRecord(answer['usage']) ? answer['usage'] : {};
  const usage: Usage = { read: countOf(read), written: countOf(written) ?? 0 };
  return { choice, usage };
}

/** Its tokens, as they are written in OpenAI's completions, or in its dialogues and by llama.cpp, which has ids besides. */
function tokensOf(choice: JsonAnswer): readonly ListedToken[] {
  const { tokens: texts, token_logprobs: values, content } = isRecord(choice['logprobs']) ? choice['logprobs'] : {};
  if (isList(content)) {
    const entries = content.map((entry) => (isRecord(entry) ? entry : {}));
    return entries.map(({ token, logprob, id }) => ({ text: token, logProbability: logprob, id }));
  }
  if (!isList(texts) || !isList(values)) throw new Unreadable('the answer has no log-probabilities');
  if (texts.length !== values.length)
    throw new Unreadable(`expected a log-probability for each of ${texts.length} tokens, got ${values.length}`);
  return texts.map((text, at) => ({ text, logProbability: values[at] }));
}

/** A token, not checked. */
interface ListedToken {
  readonly text: unknown;
  readonly logProbability: unknown;
  readonly id?: unknown;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Characters of a special token before a text, or of a first token that a server does not show. */
const MAX_FIRST = 32;

/** Rounding may make a certain token a little likelier than certain. */
const MAX_LOG_PROBABILITY = 1e-3;

/** Lower values stand for a probability of 0: llama.cpp sends the lowest float in place of -Infinity. */
const MIN_LOG_PROBABILITY = -1e6;

/**
 * The tokens at the end of a text that are its target. All tokens together must be the text, but for white space, which some
 * tokenizers change, and one token before it.
 *
 * @throws {Unreadable} for tokens of another text, a token across the target's beginning, or a value that is not a log-probability
 */
function ratedEnd(all: readonly ListedToken[], { prompt, target }: WholeText, { read, written }: Usage): RatedText {
  const texts = all.map(({ text }) => (typeof text === 'string' ? text : ''));
  const [whole, joined] = [prompt + target, texts.join('')].map((text) => text.replaceAll(/\s/g, '')) as [
    string,
    string,
  ];
  const isWhole = joined.endsWith(whole) || (texts[0] === '' && joined !== '' && whole.endsWith(joined));
  if (!isWhole || Math.abs(joined.length - whole.length) > MAX_FIRST)
    throw new Unreadable(
      `expected the tokens of the text, got those of another: ${JSON.stringify(texts.join('').slice(-40))}`,
    );
  let [first, end] = [all.length, ''];
  while (end.length < target.length && first > 0) end = `${texts[--first] ?? ''}${end}`;
  if (end !== target)
    throw new Unreadable(
      `expected the target to begin where a token begins, got the tokens ${JSON.stringify(texts.slice(first))}`,
    );
  const tokens = all.slice(first).map(({ logProbability }, at) => ({
    text: texts[first + at] ?? '',
    logProbability: logProbabilityIn(logProbability),
  }));
  return { tokens, promptTokens: first, spent: (read ?? all.length) + written };
}

function logProbabilityIn(value: unknown): number {
  if (typeof value === 'number' && value <= MAX_LOG_PROBABILITY && value > MIN_LOG_PROBABILITY)
    return Math.min(0, value);
  throw new Unreadable(`expected a log-probability of each token, got ${JSON.stringify(value)}`);
}
