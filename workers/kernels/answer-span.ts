/** The stretch of a passage that answers best. */
export interface AnswerSpan {
  /** First and last position. */
  readonly start: number;
  readonly end: number;
  /** How much likelier it is than "no answer here", in logits. */
  readonly margin: number;
}

/** Tokens of an answer at most. @source the usual bound of SQuAD readers; Devlin et al. 2019, section 4.2 */
const LONGEST_ANSWER = 30;

/**
 * The best span of a sequence, and how far it is above the null span, which is position 0.
 *
 * @param start    logits of an answer's first position, `[positions]`
 * @param end      logits of its last position, `[positions]`
 * @param allowed  whether an answer may begin and end at a position, `[positions]`; what lies between is not asked
 * @returns        undefined when no position is allowed
 * @source         Devlin et al. 2019 (BERT), section 4.3: s_i + e_j with j ≥ i, against s_null = s_0 + e_0
 */
export function bestSpan(
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  allowed: readonly boolean[],
): AnswerSpan | undefined {
  const none = (start[0] ?? 0) + (end[0] ?? 0);
  let best: AnswerSpan | undefined;
  allowed.forEach((mayStart, i) => {
    if (!mayStart) return;
    for (let j = i; j < Math.min(i + LONGEST_ANSWER, allowed.length); j++) {
      const margin = (start[i] ?? -Infinity) + (end[j] ?? -Infinity) - none;
      if (allowed[j] && (best === undefined || margin > best.margin)) best = { start: i, end: j, margin };
    }
  });
  return best;
}

/** The smallest normal float32: a score stays above 0 even where the sigmoid does not. */
const LEAST_SCORE = 2 ** -126;

/** A number as the score of an answer, in (0, 1]. @source contract facts §1.6 */
export function score(value: number): number {
  return Math.min(Math.max(value, LEAST_SCORE), 1);
}

/** A margin as a score, in (0, 1]. */
export function scoreOfMargin(
  margin: number,
  { scale, bias }: { readonly scale: number; readonly bias: number },
): number {
  return score(1 / (1 + Math.exp(-(scale * margin + bias))));
}
