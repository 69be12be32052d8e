/** The rows that estimate a section. */
export interface Choice {
  /** Positions in front of those that predict, ascending. */
  readonly rows: readonly number[];
  /** Rows that predict included. */
  readonly cost: number;
  /** These are all that the section can change: the result is exact. */
  readonly isWhole: boolean;
  /** Sum of the scores of rows that were left out. */
  readonly left: number;
}

/** Where so much of what lies behind a section is chosen, the rest goes along. */
const NEARLY_WHOLE = 0.8;
const HALVINGS = 30;

/**
 * Chooses rows by one threshold for all sections, so that all together cost no more than what may be spent. Rows that predict
 * are always computed, even where they alone cost more.
 *
 * @param scores  of each section and position in front of those that predict, `[sections][count]`
 * @param starts  first position that each section changes, at most `count`
 * @param spend   positions, those that predict included; there are `predicting` of them for each section
 */
export function chooseRows(
  scores: readonly Float32Array[],
  starts: readonly number[],
  { spend, predicting }: { readonly spend: number; readonly predicting: number },
): Choice[] {
  const choiceWith = (threshold: number) => (score: Float32Array, section: number) =>
    choice(score, starts[section] ?? 0, { threshold, predicting });
  let [low, high] = [0, scores.reduce((most, score) => score.reduce((a, b) => Math.max(a, b), most), 0)];
  for (let i = 0; i < HALVINGS; i++) {
    const threshold = (low + high) / 2;
    const cost = scores.reduce((sum, score, section) => sum + costWith(score, starts[section] ?? 0, threshold), 0);
    if (cost + predicting * scores.length > spend) low = threshold;
    else high = threshold;
  }
  return scores.map(choiceWith(high));
}

/** Rows in front of those that predict. */
function costWith(score: Float32Array, start: number, threshold: number): number {
  let chosen = 0;
  for (let row = start; row < score.length; row++) if ((score[row] ?? 0) > threshold) chosen++;
  const behind = score.length - start;
  return chosen >= NEARLY_WHOLE * behind ? behind : chosen;
}

function choice(
  score: Float32Array,
  start: number,
  { threshold, predicting }: { readonly threshold: number; readonly predicting: number },
): Choice {
  const behind = Array.from({ length: score.length - start }, (_, i) => start + i);
  const above = behind.filter((row) => (score[row] ?? 0) > threshold);
  const isWhole = above.length >= NEARLY_WHOLE * behind.length;
  const rows = isWhole ? behind : above;
  const sum = (of: readonly number[]) => of.reduce((total, row) => total + (score[row] ?? 0), 0);
  return { rows, cost: rows.length + predicting, isWhole, left: isWhole ? 0 : sum(behind) - sum(rows) };
}
