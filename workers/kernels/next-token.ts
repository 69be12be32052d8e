import type { CompleteJob } from '../../src/protocol/jobs.ts';

/**
 * The likeliest next token, of equals the first.
 *
 * @param logits      `[vocabulary]`
 * @param isExcluded  ids that are not chosen; they retain their share of the probability
 * @returns           with the natural logarithm of its probability under the softmax of all logits; id −1 where the others are −Infinity
 */
export function likeliest(
  logits: Float32Array,
  isExcluded?: (id: number) => boolean,
): { id: number; logProbability: number } {
  const id = likeliestId(logits, isExcluded);
  return { id, logProbability: logProbabilitiesOf(logits)(id) };
}

/**
 * Ids of the likeliest next tokens, the likeliest first; of equals the first in the vocabulary.
 *
 * @param logits  `[vocabulary]`
 * @param count   a smaller vocabulary gives as many as it has
 */
export function likeliestIds(logits: Float32Array, count: number): number[] {
  const best: number[] = []; // in order, never longer than `count`
  if (count === 0) return best;
  logits.forEach((logit, id) => {
    if (best.length === count && logit <= (logits[best.at(-1) ?? 0] ?? 0)) return;
    const at = best.findIndex((other) => logit > (logits[other] ?? 0));
    best.splice(at < 0 ? best.length : at, 0, id);
    best.length = Math.min(best.length, count);
  });
  return best;
}

/**
 * Natural logarithms of the tokens' probabilities under the softmax of all logits, computed in float64.
 *
 * @param logits  `[vocabulary]`; summed once
 * @returns       a function of an id; -Infinity outside the vocabulary
 */
export function logProbabilitiesOf(logits: Float32Array): (id: number) => number {
  const most = logits[likeliestId(logits)] ?? 0;
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - most);
  const logTotal = Math.log(total);
  return (id) => (logits[id] ?? -Infinity) - most - logTotal;
}

/** Rank by probability, from 1; equals share the lowest of their ranks. @param logits `[vocabulary]` */
export function rankOf(logits: Float32Array, id: number): number {
  const score = logits[id] ?? -Infinity;
  return 1 + logits.reduce((above, logit) => above + Number(logit > score), 0);
}

type SamplingSettings = Omit<CompleteJob['sampling'], 'seed'>;

/** Whether the likeliest token is always chosen. */
export function isGreedy({ temperature, topK, topP }: SamplingSettings): boolean {
  return topK === 1 || (temperature === 0 && topK === 0 && topP === 0);
}

/** Tokens less likely than the likeliest by more nats are left out: together their probability is below float32. */
const MAX_NATS = 30;

/**
 * Chooses a token: scores are divided by the temperature, then `topK` applies, then `topP`.
 *
 * @param logits  `[vocabulary]`; −Infinity for tokens that must not be chosen
 * @param random  in [0, 1)
 * @returns       its id; −1 where no token may be chosen
 * @source        the hosted service's public client, `CompletionRequest`
 */
export function chosenToken(logits: Float32Array, choice: SamplingSettings, random: () => number): number {
  if (isGreedy(choice)) return likeliestId(logits);
  const ranked = rankedTokens(logits, choice);
  const shares = sharesOf(ranked, logits, choice.temperature || 1);
  const nucleus = choice.topP > 0 && choice.topP < 1 ? nucleusOf(shares, choice.topP) : shares;
  let rest = random() * nucleus.reduce((sum, share) => sum + share, 0);
  const chosen = nucleus.findIndex((share) => (rest -= share) < 0);
  return ranked[chosen < 0 ? nucleus.length - 1 : chosen] ?? -1;
}

/** Id of the likeliest token, of equals the first; −1 where all are excluded or −Infinity. @param logits `[vocabulary]` */
export function likeliestId(logits: Float32Array, isExcluded?: (id: number) => boolean): number {
  let id = -1;
  let most = -Infinity;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] ?? -Infinity;
    if (logit > most && !isExcluded?.(i)) {
      id = i;
      most = logit;
    }
  }
  return id;
}

function rankedTokens(logits: Float32Array, { temperature, topK }: SamplingSettings): readonly number[] {
  const best = likeliestId(logits);
  if (best < 0) return [];
  const least = (logits[best] ?? 0) - MAX_NATS * (temperature || 1);
  if (topK > 0 && topK <= 100) return likeliestIds(logits, topK).filter((id) => (logits[id] ?? -Infinity) >= least);
  const ids: number[] = [];
  for (let id = 0; id < logits.length; id++) if ((logits[id] ?? -Infinity) >= least) ids.push(id);
  ids.sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  return topK > 0 ? ids.slice(0, topK) : ids;
}

/** Probabilities under the softmax of the scores divided by the temperature, `[ranked]`, in float64. */
function sharesOf(ranked: readonly number[], logits: Float32Array, temperature: number): number[] {
  const most = logits[ranked[0] ?? 0] ?? 0;
  const powers = ranked.map((id) => Math.exp(((logits[id] ?? -Infinity) - most) / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The smallest number of shares, the largest first, that reach `topP` together. */
function nucleusOf(shares: readonly number[], topP: number): readonly number[] {
  let reached = 0;
  const end = shares.findIndex((share) => (reached += share) >= topP);
  return end < 0 ? shares : shares.slice(0, end + 1);
}

type Penalties = Pick<CompleteJob['repetition'], 'presence' | 'frequency' | 'sequence' | 'sequenceLength'>;

/**
 * Applies penalties to the scores in place. The service publishes the meaning of the fields, but no formula of the
 * multiplicative form; the formula of Keskar et al. is used.
 *
 * @param logits      `[vocabulary]`
 * @param ids         before the token that is chosen, in order
 * @param unordered   further ids that count as occurring
 * @param exceptions  ids that are not penalised
 * @source the hosted service's public client, `CompletionRequest`; Keskar et al. 2019 (CTRL, arXiv:1909.05858), section 4.1
 */
export function penalise(
  logits: Float32Array,
  { presence, frequency, sequence, sequenceLength }: Penalties,
  {
    ids,
    unordered,
    exceptions,
  }: {
    ids: readonly number[];
    unordered: readonly number[];
    exceptions: ReadonlySet<number>;
  },
): void {
  const counts = new Map<number, number>();
  for (const id of [...ids, ...unordered]) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) {
    if (exceptions.has(id) || id >= logits.length) continue;
    lower(logits, id, presence, 1);
    lower(logits, id, frequency, count);
  }
  if (sequence.strength === 0) return;
  for (const id of repeating(ids, sequenceLength)) if (!exceptions.has(id)) lower(logits, id, sequence, 1);
}

function lower(
  logits: Float32Array,
  id: number,
  { strength, isMultiplicative }: Penalties['presence'],
  times: number,
): void {
  const logit = logits[id] ?? -Infinity;
  const factor = 1 + strength * times;
  if (!isMultiplicative) logits[id] = logit - strength * times;
  else logits[id] = logit > 0 ? logit / factor : logit * factor;
}

/** Ids that would complete a sequence of `length` which occurs in `ids` already. */
function repeating(ids: readonly number[], length: number): ReadonlySet<number> {
  const tail = ids.slice(ids.length - (length - 1));
  if (tail.length < length - 1) return new Set();
  return new Set(
    ids.filter((_, end) => end >= tail.length && tail.every((id, i) => ids[end - tail.length + i] === id)),
  );
}

type TextBias = NonNullable<CompleteJob['inclusion']>;

interface Written {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Whether a token may be added to a completion, by the texts that it must consist of and those that it must not contain.
 *
 * @returns a function of the token's text, null: the completion ends; what depends only on the text so far is computed once
 */
export function isTextAllowed(
  { inclusion, exclusion }: Pick<CompleteJob, 'inclusion' | 'exclusion'>,
  written: Written,
): (piece: string | null) => boolean {
  const isLast = !inclusion || mayEnd(inclusion, written);
  const isNext = inclusion && isIncluded(inclusion, written);
  return (piece) => {
    if (piece === null) return isLast;
    return (!isNext || isNext(piece)) && !(exclusion && isExcluded(exclusion, written, piece));
  };
}

/** Whether a token continues one of the texts that are allowed; after a whole one any of them may begin. */
export function isIncluded({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written): (piece: string) => boolean {
  if (firstTokenOnly && tokens > 0) return (piece) => piece !== '';
  const open = firstTokenOnly ? [''] : [...openIn(texts, text)];
  const rests = open.flatMap((begun) =>
    texts.flatMap((option) => (option.startsWith(begun) ? option.slice(begun.length) : [])),
  );
  return (piece) => piece !== '' && rests.some((rest) => rest.startsWith(piece));
}

/** Whether the text so far consists of whole allowed texts. */
export function mayEnd({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written): boolean {
  return firstTokenOnly ? tokens > 0 : text !== '' && openIn(texts, text).has('');
}

/** Whether a completion with the token contains an excluded text, or begins as one where only the first token is checked. */
export function isExcluded({ texts, firstTokenOnly }: TextBias, { text, tokens }: Written, piece: string): boolean {
  if (piece === '') return false;
  if (firstTokenOnly)
    return tokens === 0 && texts.some((option) => option.startsWith(piece) || piece.startsWith(option));
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  const end = text.slice(Math.max(0, text.length - longest + 1)) + piece;
  return texts.some((option) => end.includes(option));
}

/** Beginnings of allowed texts that a text may end in, after whole ones; '' where it ends with a whole one. */
function openIn(texts: readonly string[], text: string): ReadonlySet<string> {
  let open = new Set(['']);
  for (const character of text) {
    const begun = [...open].map((rest) => rest + character);
    const longer = begun.filter((rest) => texts.some((option) => option !== rest && option.startsWith(rest)));
    open = new Set([...longer, ...(begun.some((rest) => texts.includes(rest)) ? [''] : [])]);
  }
  return open;
}
