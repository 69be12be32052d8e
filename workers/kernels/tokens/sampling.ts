import { likeliestIds } from './next-token.ts';

/** How a token is chosen. With temperature, top_k and top_p all 0 it is the likeliest. */
export interface Choice {
  /** The scores are divided by it; 0 counts as 1 where `topK` or `topP` ask for sampling. */
  readonly temperature: number;
  /** Tokens that may be chosen at most, the likeliest; 0: all. */
  readonly topK: number;
  /** The likeliest tokens whose probabilities together reach it may be chosen; 0: all. */
  readonly topP: number;
}

/** Whether the likeliest token is always chosen. */
export function isGreedy({ temperature, topK, topP }: Choice): boolean {
  return topK === 1 || (temperature === 0 && topK === 0 && topP === 0);
}

/** Less likely than the likeliest by so many nats: together such tokens have no chance that a float32 could show. */
const HOPELESS = 30;

/**
 * Chooses a token: scores are divided by the temperature, then `topK` applies, then `topP`.
 *
 * @param logits  `[vocabulary]`; −Infinity for what must not be chosen
 * @param random  in [0, 1)
 * @returns       its id; −1 where nothing may be chosen
 * @source        the hosted service's public client, `CompletionRequest`
 */
export function chosenToken(logits: Float32Array, choice: Choice, random: () => number): number {
  if (isGreedy(choice)) return likeliestId(logits);
  const ranked = rankedTokens(logits, choice);
  const shares = sharesOf(ranked, logits, choice.temperature || 1);
  const kept = choice.topP > 0 && choice.topP < 1 ? nucleus(shares, choice.topP) : shares;
  const total = kept.reduce((sum, share) => sum + share, 0);
  let rest = random() * total;
  for (const [place, share] of kept.entries()) {
    rest -= share;
    if (rest < 0) return ranked[place] ?? -1;
  }
  return ranked[kept.length - 1] ?? -1;
}

function likeliestId(logits: Float32Array): number {
  let id = -1;
  let most = -Infinity;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] ?? -Infinity;
    if (logit > most) [id, most] = [i, logit];
  }
  return id;
}

/** Ids that have a chance, the likeliest first. */
function rankedTokens(logits: Float32Array, { temperature, topK }: Choice): readonly number[] {
  const best = likeliestId(logits);
  if (best < 0) return [];
  const least = (logits[best] ?? 0) - HOPELESS * (temperature || 1);
  if (topK > 0 && topK <= 100) return likeliestIds(logits, topK).filter((id) => (logits[id] ?? -Infinity) >= least);
  const ids: number[] = [];
  for (let id = 0; id < logits.length; id++) if ((logits[id] ?? -Infinity) >= least) ids.push(id);
  ids.sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  return topK > 0 ? ids.slice(0, topK) : ids;
}

/** Probabilities under the softmax of the divided scores, `[ranked]`, in float64. */
function sharesOf(ranked: readonly number[], logits: Float32Array, temperature: number): number[] {
  const most = logits[ranked[0] ?? 0] ?? 0;
  const powers = ranked.map((id) => Math.exp(((logits[id] ?? -Infinity) - most) / temperature));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The smallest number of shares, the largest first, that reach `topP` together. */
function nucleus(shares: readonly number[], topP: number): readonly number[] {
  let reached = 0;
  const end = shares.findIndex((share) => (reached += share) >= topP);
  return end < 0 ? shares : shares.slice(0, end + 1);
}
