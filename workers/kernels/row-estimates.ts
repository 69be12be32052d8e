import type { Margins } from '../../src/protocol/jobs.ts';

/** Attention of an unmodified pass, as a network shows it: of each pair of positions the greatest weight of any head. */
interface SeenAttention {
  /** All layers but the last, `[layers − 1, tokens, tokens]`. */
  readonly earlier: Float32Array;
  /** Last layer, of the positions that predict, `[rows, tokens]`. */
  readonly last: Float32Array;
}

interface Change {
  /** First of them. */
  readonly start: number;
  /** Change of each position's factor, ≥ 0, `[tokens]`. */
  readonly change: ArrayLike<number>;
}

/**
 * Chooses the rows that estimate each change: by attention, else by distance, see `chooseRows`.
 *
 * @param attention   undefined where the network does not show it
 * @param tokens      positions of the sequence
 * @param predicting  positions at its end that predict
 * @param spend       positions that all changes together may compute
 */
export function rowsFor(
  changes: readonly Change[],
  attention: SeenAttention | undefined,
  { tokens, predicting, spend }: { tokens: number; predicting: number; spend: number },
): RowChoice[] {
  const count = tokens - predicting;
  const starts = changes.map(({ start }) => Math.min(start, count));
  const scores = attention ? rowScores(attention, tokens, changes) : nearbyRowScores(count, starts);
  return chooseRows(scores, starts, { spend, predicting });
}

/**
 * How much of each change every position before those that predict passes on: the attention that it pays to the changed
 * positions, summed up to each layer, times the share of the last rows' input that comes from it in the layers above.
 *
 * @param tokens  positions of the sequence
 * @returns       float32 `[tokens − rows]` for each change, 0 before it; the unit is arbitrary
 * @source        the flow of attention, Abnar and Zuidema 2020 (arXiv:2005.00928), in first order; docs/how-it-works.md
 */
export function rowScores(attention: SeenAttention, tokens: number, changes: readonly Change[]): Float32Array[] {
  const layers = attention.earlier.length / tokens ** 2;
  const reading = importances(attention, tokens);
  const count = tokens - attention.last.length / tokens;
  return changes.map(({ start, change }) => {
    const scores = new Float32Array(count);
    const columns = Array.from(change, (_, column) => column).filter((column) => change[column] !== 0);
    for (let row = Math.max(0, start); row < count; row++) {
      let paid = 0;
      for (let layer = 0; layer < layers; layer++) {
        const at = (layer * tokens + row) * tokens;
        for (const column of columns)
          if (column <= row) paid += (change[column] ?? 0) * (attention.earlier[at + column] ?? 0);
        scores[row] = (scores[row] ?? 0) + paid * (reading[layer + 1]?.[row] ?? 0);
      }
    }
    return scores;
  });
}

/** The share of the predicting rows' input that comes from each position before each layer: half by attention, half by the residual stream. */
function importances({ earlier, last }: SeenAttention, tokens: number): Float64Array[] {
  const layers = earlier.length / tokens ** 2;
  const rows = last.length / tokens;
  const shares: Float64Array[] = [];
  let above = new Float64Array(tokens).fill(1, tokens - rows);
  shares[layers + 1] = above;
  for (let layer = layers; layer >= 0; layer--) {
    const [weights, first] = layer === layers ? [last, tokens - rows] : [earlier, 0];
    const offset = layer === layers ? 0 : layer * tokens;
    const below = above.map((value) => value / 2);
    for (let row = first; row < tokens; row++) {
      const value = above[row] ?? 0;
      if (value === 0) continue;
      const at = (offset + row - first) * tokens;
      let sum = 0;
      for (let column = 0; column <= row; column++) sum += weights[at + column] ?? 0;
      const share = sum > 0 ? value / (2 * sum) : 0;
      for (let column = 0; column <= row; column++)
        below[column] = (below[column] ?? 0) + share * (weights[at + column] ?? 0);
    }
    shares[layer] = below;
    above = below;
  }
  return shares;
}

/**
 * Scores without attention: the positions right after a change pass most of it on, and the last ones collect the input of the
 * rows that predict. Measured, docs/benchmarks.md.
 */
export function nearbyRowScores(count: number, starts: readonly number[]): Float32Array[] {
  return starts.map((start) =>
    Float32Array.from({ length: count }, (_, row) => (row < start ? 0 : 1 / (1 + row - start) + 1 / (count - row) / 2)),
  );
}

interface RowChoice {
  /** Positions before those that predict, ascending. */
  readonly rows: readonly number[];
  /** Rows, those that predict included. */
  readonly cost: number;
  /** These are all rows that the section can change: the result is exact. */
  readonly isWhole: boolean;
  /** Sum of the scores of rows that were left out. */
  readonly omitted: number;
}

/** From this share of the positions after a section on, all are chosen. */
const NEARLY_WHOLE = 0.8;
const HALVINGS = 30;

/**
 * Chooses rows by one threshold for all sections, so that together they cost at most `spend`. Rows that predict are always
 * computed, even where they alone cost more.
 *
 * @param scores  of each section and position before those that predict, `[sections][count]`
 * @param starts  first position that each section changes, at most `count`
 * @param spend   positions, those that predict included; there are `predicting` of them for each section
 */
export function chooseRows(
  scores: readonly Float32Array[],
  starts: readonly number[],
  { spend, predicting }: { spend: number; predicting: number },
): RowChoice[] {
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

function costWith(score: Float32Array, start: number, threshold: number): number {
  let chosen = 0;
  for (let row = start; row < score.length; row++) if ((score[row] ?? 0) > threshold) chosen++;
  const after = score.length - start;
  return chosen >= NEARLY_WHOLE * after ? after : chosen;
}

function choice(
  score: Float32Array,
  start: number,
  { threshold, predicting }: { threshold: number; predicting: number },
): RowChoice {
  const after = Array.from({ length: score.length - start }, (_, i) => start + i);
  const above = after.filter((row) => (score[row] ?? 0) > threshold);
  const isWhole = above.length >= NEARLY_WHOLE * after.length;
  const rows = isWhole ? after : above;
  const sum = (of: readonly number[]) => of.reduce((total, row) => total + (score[row] ?? 0), 0);
  return { rows, cost: rows.length + predicting, isWhole, omitted: isWhole ? 0 : sum(after) - sum(rows) };
}

const COVERAGE = 0.9;

/** A section that was estimated. */
interface Estimate {
  /** Scores of the target's tokens. */
  readonly row: Float64Array;
  /** Sum of the scores of rows that were left out. */
  readonly omitted: number;
  /** Exact scores, where they are known too. */
  readonly exact?: Float64Array | undefined;
}

/** Factors of the scale of an error. */
interface Constants {
  readonly whole: number;
  readonly tokens: number;
}

/** The scale of an estimate's error: the geometric mean of the usual score and the scores of the rows left out. */
type Scale = (estimate: Estimate, token: number | 'whole') => number;

/**
 * Margins of estimates: nine in ten are within them of the exact scores. An error grows with the usual score of the prompt and
 * with the scores of the rows that were left out, by constants that are measured for each model. Without them the margin
 * covers nine in ten of the errors known here, which are of the largest scores and so wider than needed.
 *
 * @param estimates  those that get margins
 * @param all        all estimates of the explanation, with exact scores where they are known
 * @source           split conformal prediction, Papadopoulos et al. 2002, of errors divided by an estimate of their size
 */
export function marginsOf(
  estimates: readonly Estimate[],
  all: readonly Estimate[],
  constants: Constants | undefined,
): Margins {
  const scale = scaleOf(all);
  const width = all[0]?.row.length ?? 0;
  const { whole, tokens } = constants ?? fromErrors(all, scale, width);
  return {
    isCalibrated: constants !== undefined,
    whole: Float64Array.from(estimates, (each) => whole * scale(each, 'whole')),
    tokens: Float64Array.from(
      estimates.flatMap((each) => Array.from({ length: width }, (_, token) => tokens * scale(each, token))),
    ),
  };
}

function scaleOf(all: readonly Estimate[]): Scale {
  const usual = new Map<number | 'whole', number>();
  const usualOf = (token: number | 'whole') => {
    const known = usual.get(token) ?? median(all.map(({ row }) => Math.abs(valueIn(row, token))));
    usual.set(token, known);
    return known;
  };
  return ({ omitted }, token) => Math.sqrt(Math.max(0, omitted) * usualOf(token));
}

function fromErrors(all: readonly Estimate[], scale: Scale, width: number): Constants {
  const known = all.filter(({ exact, omitted }) => exact && omitted > 0);
  const ratios = (token: number | 'whole') =>
    known.map((each) => {
      const error = Math.abs(valueIn(each.row, token) - valueIn(each.exact ?? each.row, token));
      return error / Math.max(scale(each, token), Number.MIN_VALUE);
    });
  return {
    whole: coveringRatio(ratios('whole')),
    tokens: coveringRatio(Array.from({ length: width }, (_, token) => ratios(token)).flat()),
  };
}

/** The number that nine in ten do not exceed, counting the unknown next one; of few the largest, of none 0. */
export function coveringRatio(ratios: readonly number[]): number {
  const sorted = ratios.toSorted((a, b) => a - b);
  const rank = Math.ceil(COVERAGE * (sorted.length + 1));
  return sorted[Math.min(rank, sorted.length) - 1] ?? 0;
}

function valueIn(row: Float64Array, token: number | 'whole'): number {
  return token === 'whole' ? row.reduce((sum, score) => sum + score, 0) : (row[token] ?? 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
