import type { MarginConstants } from '../../../../src/models/model.ts';
import type { Margins } from '../../../../src/protocol/target-jobs.ts';

/** Share of estimates that a margin is to cover. */
const COVERAGE = 0.9;

/** Fewer errors than this say nothing about a share of nine in ten. */
export const LEAST_ERRORS = 9;

/** A section that was estimated. */
export interface Estimate {
  /** Scores of the target's tokens. */
  readonly row: Float64Array;
  /** Sum of the scores of rows that were left out. */
  readonly left: number;
  /** Exact scores, where they are known too. */
  readonly exact?: Float64Array | undefined;
}

/** What the measure of an error is multiplied by. */
type Constants = Pick<MarginConstants, 'whole' | 'tokens'>;

/** What an error is measured by: the usual score and what was left out, their geometric mean. */
interface Scale {
  of(estimate: Estimate, token: number | 'whole'): number;
}

/**
 * How far estimates may be off: nine in ten are not further from the exact scores. An error grows with the usual score of the
 * prompt and with what the rows that were left out pass on; how much is measured for each model. Without that measurement it
 * is what covers nine in ten of the errors known here, which are of the largest scores and so wider than needed.
 *
 * @param asked  estimates whose margins are wanted
 * @param all    all estimates of the explanation, with exact scores where they are known
 * @source       split conformal prediction, Papadopoulos et al. 2002, of errors divided by an estimate of their size
 */
export function marginsOf(
  asked: readonly Estimate[],
  all: readonly Estimate[],
  constants: Constants | undefined,
): Margins {
  const scale = scaleOf(all);
  const width = all[0]?.row.length ?? 0;
  const { whole, tokens } = constants ?? fromErrors(all, scale, width);
  return {
    isCalibrated: constants !== undefined,
    whole: Float64Array.from(asked, (each) => whole * scale.of(each, 'whole')),
    tokens: Float64Array.from(
      asked.flatMap((each) => Array.from({ length: width }, (_, token) => tokens * scale.of(each, token))),
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
  return { of: ({ left }, token) => Math.sqrt(Math.max(0, left) * usualOf(token)) };
}

function fromErrors(all: readonly Estimate[], scale: Scale, width: number): Constants {
  const known = all.filter(({ exact, left }) => exact && left > 0);
  const ratios = (token: number | 'whole') =>
    known.map((each) => {
      const error = Math.abs(valueIn(each.row, token) - valueIn(each.exact ?? each.row, token));
      return error / Math.max(scale.of(each, token), Number.MIN_VALUE);
    });
  return {
    whole: coveringRatio(ratios('whole')),
    tokens: coveringRatio(Array.from({ length: width }, (_, token) => ratios(token)).flat()),
  };
}

/** The number that nine in ten do not exceed, with one more for the unknown next one; of few the largest, of none 0. */
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
