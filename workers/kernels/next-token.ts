/**
 * The likeliest next token, of equals the first.
 *
 * @param logits      `[vocabulary]`
 * @param isExcluded  ids that are not chosen; they retain their share of the probability
 * @returns           with the natural logarithm of its probability under the softmax of all logits; id −1 where all are excluded
 */
export function likeliest(
  logits: Float32Array,
  isExcluded: (id: number) => boolean = () => false,
): { id: number; logProbability: number } {
  let id = -1;
  logits.forEach((logit, i) => {
    if ((id < 0 || logit > (logits[id] ?? 0)) && !isExcluded(i)) id = i;
  });
  return { id, logProbability: logProbabilitiesOf(logits)(id) };
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

/**
 * Natural logarithms of the tokens' probabilities under the softmax of all logits, computed in float64.
 *
 * @param logits  `[vocabulary]`; summed once
 * @returns       a function of an id; -Infinity outside the vocabulary
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
 * The rank of a token by probability: 1 for the likeliest; equals share the lowest of their ranks.
 *
 * @param logits  `[vocabulary]`
 */
export function rankOf(logits: Float32Array, id: number): number {
  const score = logits[id] ?? -Infinity;
  return 1 + logits.reduce((above, logit) => above + Number(logit > score), 0);
}
