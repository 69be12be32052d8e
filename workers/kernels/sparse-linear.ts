import { seededRandom } from './seeded-random.ts';

/** Which sections of a prompt are kept: 1 for each that is, `[sections]`. */
export type SectionSubset = Uint8Array<ArrayBuffer>;

/**
 * Different subsets of sections. The first keeps all; the others keep each section with a probability of one half.
 *
 * @param most  subsets; fewer where there are no more
 * @returns     the same for the same counts; all subsets where `most` allows that
 */
export function randomSubsets(sections: number, most: number): SectionSubset[] {
  const random = seededRandom(sections);
  const found = new Map<string, SectionSubset>();
  let next = new Uint8Array(sections).fill(1);
  while (found.size < Math.min(most, 2 ** sections)) {
    found.set(next.join(''), next);
    next = Uint8Array.from({ length: sections }, () => Number(random() < 0.5));
  }
  return [...found.values()];
}

/** A linear model of values on subsets. */
interface SparseLinear {
  /** What keeping each section adds, `[sections]`. */
  readonly effects: Float64Array;
  /** Nine in ten effects are not further from those of a model with many more subsets, if the rest of the values is like noise. */
  readonly margin: number;
}

/** Parts of a cross validation. */
const FOLDS = 5;

/** Strengths of the penalty that are tried, from the one that leaves no effect down to a thousandth of it. */
const STRENGTHS = Array.from({ length: 20 }, (_, step) => 1000 ** (-step / 19));

/** Half the width of the middle nine tenths of a normal distribution, in standard deviations. */
const NINE_IN_TEN = 1.645;

/**
 * Least squares with a penalty on the sum of the effects' sizes; its strength is chosen by cross validation. The margin follows
 * from the error on subsets that were held out: an effect is about the difference of the means of two halves.
 *
 * @param kept    subsets, `[values]`, at least 5
 * @param values  of each of them
 * @source LASSO, Tibshirani 1996; as a surrogate of ablations: ContextCite, Cohen-Wang et al. 2024 (arXiv:2409.00729), section 3
 */
export function fitSparseLinear(kept: readonly SectionSubset[], values: readonly number[]): SparseLinear {
  const all = centred(kept, values);
  if (isComplete(kept)) return { effects: lassoPath(all, [0])[0]?.effects ?? new Float64Array(0), margin: 0 };
  const pulls = all.columns.map((column) => Math.abs(productOf(column, all.residuals)) / values.length);
  const strengths = STRENGTHS.map((share) => share * Math.max(...pulls));
  const errors = new Float64Array(strengths.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const isHeldOut = (_: unknown, at: number) => at % FOLDS === fold;
    const isUsed = (_: unknown, at: number) => at % FOLDS !== fold;
    const path = lassoPath(centred(kept.filter(isUsed), values.filter(isUsed)), strengths);
    const [rest, restKept] = [values.filter(isHeldOut), kept.filter(isHeldOut)];
    path.forEach(({ predict }, at) => {
      errors[at] = rest.reduce((sum, value, i) => sum + (value - predict(restKept[i])) ** 2, errors[at] ?? 0);
    });
  }
  const best = errors.indexOf(Math.min(...errors));
  const { effects = new Float64Array(0) } = lassoPath(all, strengths.slice(0, best + 1)).at(-1) ?? {};
  const deviation = Math.sqrt((errors[best] ?? 0) / values.length);
  return { effects, margin: (NINE_IN_TEN * 2 * deviation) / Math.sqrt(values.length) };
}

/** Whether these are all subsets that there are: then nothing is left to estimate, and nothing is penalised. */
export function isComplete(kept: readonly SectionSubset[]): boolean {
  return kept.length === 2 ** (kept[0]?.length ?? 0);
}

/** Columns and values without their means. */
interface Centred {
  /** `[sections]` of float64 `[values]`. */
  readonly columns: readonly Float64Array[];
  readonly means: readonly number[];
  readonly mean: number;
  readonly residuals: Float64Array;
}

function centred(kept: readonly SectionSubset[], values: readonly number[]): Centred {
  const mean = meanOf(values);
  const raw = Array.from({ length: kept[0]?.length ?? 0 }, (_, section) => kept.map((each) => each[section] ?? 0));
  const means = raw.map(meanOf);
  const columns = raw.map((column, section) => Float64Array.from(column, (one) => one - (means[section] ?? 0)));
  return { columns, means, mean, residuals: Float64Array.from(values, (value) => value - mean) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sweeps over all effects, at most, and the largest change after which no more follow, as a share of the largest effect. */
const SWEEPS = { most: 100, change: 1e-4 };

/**
 * Models for falling strengths, each found by coordinate descent from the one before.
 *
 * @source Friedman, Hastie and Tibshirani 2010, "Regularization paths for generalized linear models", section 2
 */
function lassoPath({ columns, means, mean, residuals }: Centred, strengths: readonly number[]) {
  const left = residuals.slice();
  const effects = new Float64Array(columns.length);
  const squares = columns.map((column) => productOf(column, column));
  return strengths.map((strength) => {
    for (let sweep = 0; sweep < SWEEPS.most; sweep++) {
      let [change, largest] = [0, 0];
      columns.forEach((column, section) => {
        const [before, square] = [effects[section] ?? 0, squares[section] ?? 0];
        if (square === 0) return; // kept in all subsets, or in none
        const pull = productOf(column, left) + square * before;
        const after = (Math.sign(pull) * Math.max(0, Math.abs(pull) - strength * left.length)) / square;
        if (after !== before) subtract(left, column, after - before);
        effects[section] = after;
        [change, largest] = [Math.max(change, Math.abs(after - before)), Math.max(largest, Math.abs(after))];
      });
      if (change <= SWEEPS.change * largest) break;
    }
    const own = effects.slice();
    const predict = (kept: SectionSubset | undefined) =>
      own.reduce((sum, effect, section) => sum + effect * ((kept?.[section] ?? 0) - (means[section] ?? 0)), mean);
    return { effects: own, predict };
  });
}

function subtract(from: Float64Array, column: Float64Array, factor: number): void {
  for (let at = 0; at < from.length; at++) from[at] = (from[at] ?? 0) - factor * (column[at] ?? 0);
}

function productOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
