/** A token and how likely it is. */
export interface LikelyToken {
  readonly id: number;
  /** Natural logarithm of its probability. */
  readonly logProbability: number;
}

/**
 * The likeliest next token.
 *
 * @param logits    `[vocabulary]`
 * @param excluded  ids that are not to be chosen; they keep their share of the probability
 * @returns         its probability under the softmax of all logits; of equals the first
 */
export function likeliest(logits: Float32Array, excluded: ReadonlySet<number> = new Set()): LikelyToken {
  let id = -1;
  logits.forEach((logit, i) => {
    if (!excluded.has(i) && (id < 0 || logit > (logits[id] ?? 0))) id = i;
  });
  return { id, logProbability: logProbabilityOf(logits, id) };
}

/**
 * The likeliest next tokens, as `likeliestIds` ranks them.
 *
 * @param logProbability  `logProbabilitiesOf(logits)`, where it is needed for other tokens too
 */
export function likeliestTokens(
  logits: Float32Array,
  count: number,
  logProbability = logProbabilitiesOf(logits),
): LikelyToken[] {
  return likeliestIds(logits, count).map((id) => ({ id, logProbability: logProbability(id) }));
}

/**
 * Ids of the likeliest next tokens, the likeliest first; of equals the first in the vocabulary.
 *
 * @param logits  `[vocabulary]`
 * @param count   at least 1; a smaller vocabulary gives as many as it has
 */
export function likeliestIds(logits: Float32Array, count: number): number[] {
  const best: number[] = []; // in order, never longer than `count`
  logits.forEach((logit, id) => {
    if (best.length === count && logit <= (logits[best.at(-1) ?? 0] ?? 0)) return;
    const at = best.findIndex((other) => logit > (logits[other] ?? 0));
    best.splice(at < 0 ? best.length : at, 0, id);
    best.length = Math.min(best.length, count);
  });
  return best;
}

/** Natural logarithm of a token's probability, as `logProbabilitiesOf` says. */
export function logProbabilityOf(logits: Float32Array, id: number): number {
  return logProbabilitiesOf(logits)(id);
}

/**
 * Natural logarithms of the tokens' probabilities under the softmax of all logits, computed in float64.
 *
 * @param logits  `[vocabulary]`; summed up once, however many tokens are asked for
 * @returns       of an id's; -Infinity outside the vocabulary
 */
export function logProbabilitiesOf(logits: Float32Array): (id: number) => number {
  let most = -Infinity;
  for (const logit of logits) most = Math.max(most, logit);
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - most);
  const logTotal = Math.log(total);
  return (id) => (logits[id] ?? -Infinity) - most - logTotal;
}

/**
 * The place of a token when all are sorted by probability: 1 for the likeliest; equals share the first place of them.
 *
 * @param logits  `[vocabulary]`
 */
export function rankOf(logits: Float32Array, id: number): number {
  const own = logits[id] ?? -Infinity;
  return 1 + logits.reduce((above, logit) => above + Number(logit > own), 0);
}
