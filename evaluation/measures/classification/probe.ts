import {
  accuracyOf,
  type Classifier,
  type Features,
  fitLogistic,
  rowsAt,
} from '../../../workers/analysis/sort-by-examples.ts';
import { shuffled } from '../../../workers/kernels/seeded-random.ts';

/** Rows with the label of each, 0 to `labelCount` − 1. */
export interface Labelled {
  readonly features: Features;
  readonly labels: Int32Array;
}

/** What a probe is made of. */
export interface ProbeData {
  readonly train: Labelled;
  readonly test: Labelled;
  readonly labelCount: number;
}

/** A linear probe: multinomial logistic regression, measured. Both answer with the share of rows that get their own label. */
export interface Probe {
  /**
   * Fitted to four fifths of the training rows, measured on the others. It begins where the fit before it ended, which is
   * quicker when strengths grow.
   */
  heldOut(strength: number): number;
  /** Fitted to all training rows, measured on the test rows. It begins at 0, whatever was fitted before. */
  tested(strength: number): number;
}

const STOP = { steps: 200, tolerance: 1e-5 };
/** One in so many rows of each label is held out. */
const HELD_OUT_ONE_IN = 5;

/** A probe of these rows; nothing is fitted yet. */
export function createProbe({ train, test, labelCount }: ProbeData): Probe {
  const { held, kept } = splitRows(train.labels);
  const [part, rest] = [labelledAt(train, kept), labelledAt(train, held)];
  let last: Classifier | undefined;
  const fit = ({ features, labels }: Labelled, strength: number, begin?: Classifier) =>
    fitLogistic(features, labels, labelCount, { ...STOP, strength, ...(begin && { begin }) });
  return {
    heldOut: (strength) => accuracyOf(rest.features, rest.labels, (last = fit(part, strength, last))),
    tested: (strength) => accuracyOf(test.features, test.labels, fit(train, strength)),
  };
}

/** Tried from weak to strong. */
const STRENGTHS = [16, 64, 256, 1024, 4096];

/** How many fits a probe takes at most: one for each strength, and the last. */
export const MAX_FITS = STRENGTHS.length + 1;

/**
 * The strength that does best; the search ends at the first that does worse than the one before it. Where nothing could be
 * held out (accuracies NaN), the weakest.
 */
export async function bestStrength(heldOut: (strength: number) => Promise<number>): Promise<number> {
  let [best, chosen, before] = [-Infinity, STRENGTHS[0] ?? NaN, -Infinity];
  for (const strength of STRENGTHS) {
    const accuracy = await heldOut(strength);
    if (accuracy > best) [best, chosen] = [accuracy, strength];
    if (accuracy < before) break;
    before = accuracy;
  }
  return chosen;
}

/** Row numbers: a fifth of each label's, drawn by a fixed seed, and the others. */
export function splitRows(labels: Int32Array): { readonly held: number[]; readonly kept: number[] } {
  const byLabel = new Map<number, number[]>();
  for (const row of shuffled([...labels.keys()])) {
    const label = labels[row] ?? -1;
    byLabel.set(label, [...(byLabel.get(label) ?? []), row]);
  }
  const rows = [...byLabel.values()];
  const held = new Set(rows.flatMap((own) => own.slice(0, Math.floor(own.length / HELD_OUT_ONE_IN))));
  const [isHeld, isKept] = [(row: number) => held.has(row), (row: number) => !held.has(row)];
  return { held: [...labels.keys()].filter(isHeld), kept: [...labels.keys()].filter(isKept) };
}

function labelledAt({ features, labels }: Labelled, rows: readonly number[]): Labelled {
  return { features: rowsAt(features, rows), labels: Int32Array.from(rows, (row) => labels[row] ?? -1) };
}
