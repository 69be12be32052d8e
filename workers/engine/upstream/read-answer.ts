import { isRecord } from '../../../src/contract/records.ts';

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
  /** Tokens that the server has read and written. */
  readonly spent: number;
}

/** What a server has written. */
export interface WrittenText {
  readonly text: string;
  readonly tokens: readonly RatedTargetToken[];
  /** It stopped only because it was to write no more. */
  readonly isCut: boolean;
  readonly promptTokens: number;
  /** As in `RatedText`. */
  readonly spent: number;
}

/** An answer that does not say what was asked for. */
export class Unreadable extends Error {}

/** The log-probabilities that a server adds to a text that it repeats. @throws {Unreadable} */
export function readEcho(answer: Readonly<Record<string, unknown>>, text: WholeText): RatedText {
  const { choice, usage } = partsOf(answer);
  const { texts, values } = tokensOf(choice);
  if (usage.read !== undefined && usage.read > texts.length)
    throw new Unreadable(`expected ${usage.read} tokens, as the answer counts them, got ${texts.length}`);
  const all = texts.map((each, at) => ({ text: each, logProbability: values[at] }));
  return ratedEnd(all.slice(0, usage.read ?? all.length), text, usage);
}

/** The text that a server has written, with its tokens. @throws {Unreadable} */
export function readWritten(answer: Readonly<Record<string, unknown>>): WrittenText {
  const { choice, usage } = partsOf(answer);
  const { text, finish_reason: finish } = choice;
  if (typeof text !== 'string') throw new Unreadable('the answer has no text');
  if (finish !== 'length' && finish !== 'stop')
    throw new Unreadable(
      `expected a text that ends with finish_reason "length" or "stop", got ${JSON.stringify(finish)}`,
    );
  const { texts, values } = tokensOf(choice);
  const tokens = texts.map((each, at) => ({ text: String(each), logProbability: logProbabilityIn(values[at]) }));
  const promptTokens = usage.read ?? 0;
  return { text, tokens, isCut: finish === 'length', promptTokens, spent: promptTokens + tokens.length };
}

/** The log-probabilities of the prompt's tokens that vLLM gives. @throws {Unreadable} */
export function readPromptLogProbabilities(answer: Readonly<Record<string, unknown>>, text: WholeText): RatedText {
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

function partsOf(answer: Readonly<Record<string, unknown>>) {
  const choices = answer['choices'];
  const choice: unknown = isList(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) throw new Unreadable('the answer has no choice');
  const { prompt_tokens: read, completion_tokens: written } = isRecord(answer['usage']) ? answer['usage'] : {};
  const usage: Usage = { read: countOf(read), written: countOf(written) ?? 0 };
  return { choice, usage };
}

function tokensOf(choice: Readonly<Record<string, unknown>>) {
  const found = isRecord(choice['logprobs']) ? choice['logprobs'] : {};
  const [texts, values] = [found['tokens'], found['token_logprobs']];
  if (!isList(texts) || !isList(values)) throw new Unreadable('the answer has no log-probabilities');
  if (texts.length !== values.length)
    throw new Unreadable(`expected a log-probability for each of ${texts.length} tokens, got ${values.length}`);
  return { texts, values };
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

/**
 * The tokens at the end of a text that are its target. All tokens together must be the text, but for white space, which some
 * tokenizers change, and one token before it.
 *
 * @throws {Unreadable} for tokens of another text, a token across the target's beginning, or a value that is not a log-probability
 */
function ratedEnd(
  all: readonly { readonly text: unknown; readonly logProbability: unknown }[],
  { prompt, target }: WholeText,
  { read, written }: Usage,
): RatedText {
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
  return { tokens, spent: (read ?? all.length) + written };
}

function logProbabilityIn(value: unknown): number {
  if (typeof value === 'number' && value <= MAX_LOG_PROBABILITY && value !== -Infinity) return Math.min(0, value);
  throw new Unreadable(`expected a log-probability of each token, got ${JSON.stringify(value)}`);
}
