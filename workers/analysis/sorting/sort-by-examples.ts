import type { AnalysisTasks, MeasuredAccuracy } from '../../../src/protocol/analysis-tasks.ts';
import { shuffled } from '../../kernels/seeded-random.ts';
import { type Rows, rowAt } from '../rows.ts';
import type { Turns } from '../pause.ts';
import { featuresOf, type Features } from './features.ts';
import { type Classifier, fitLogistic, probabilitiesOf } from './logistic.ts';

type Example = AnalysisTasks['classify']['input']['examples'][number];

/** Weight of the examples against the pull towards small numbers; measured in docs/decisions.md. */
const STRENGTH = 16;
const STOP = { steps: 100, tolerance: 1e-5 };
/** With more examples than this, leaving out each by itself takes long and tells no more. */
const MOST_LEFT_OUT_SINGLY = 60;
const FOLDS = 10;

/**
 * Gives each row the label that is most probable by its examples, and measures how often that is right: the examples are
 * parted, and each part is sorted by the others. So examples too get a label from examples other than themselves.
 *
 * @param labels  how many there are; each has an example
 */
export async function sortByExamples(
  rows: Rows,
  { examples, labels }: AnalysisTasks['classify']['input'],
  turns: Turns,
): Promise<AnalysisTasks['classify']['output']> {
  const classifier = fitted(rows, examples, labels);
  const every = Array.from({ length: rows.count }, (_, index) => index);
  const sorted = bestOf(probabilitiesOf(featuresAt(rows, every), classifier), labels);
  const counts = Array.from({ length: labels }, (_, label) => examples.filter((each) => each.label === label).length);
  if (labels < 2 || Math.min(...counts) < 2) return { ...sorted, measured: null };
  const measured = await leftOut(rows, examples, labels, turns, (index, label, probability) => {
    sorted.labels[index] = label;
    sorted.probabilities[index] = probability;
  });
  const total = examples.length;
  return { ...sorted, measured: { ...measured, mostFrequent: Math.max(...counts) / total, examples: total } };
}

/** Sorts each part of the examples by the others, and tells what each example got. */
async function leftOut(
  rows: Rows,
  examples: readonly Example[],
  labels: number,
  turns: Turns,
  tell: (index: number, label: number, probability: number) => void,
): Promise<Pick<MeasuredAccuracy, 'accuracy' | 'folds'>> {
  const folds = examples.length <= MOST_LEFT_OUT_SINGLY ? examples.length : FOLDS;
  const order = byLabel(examples); // so that each part has something of each label
  let right = 0;
  for (let fold = 0; fold < folds; fold++) {
    const [asked, known] = [order.filter((_, at) => at % folds === fold), order.filter((_, at) => at % folds !== fold)];
    const features = featuresAt(
      rows,
      asked.map(({ index }) => index),
    );
    const found = bestOf(probabilitiesOf(features, fitted(rows, known, labels)), labels);
    for (const [at, { index, label }] of asked.entries()) {
      tell(index, found.labels[at] ?? 0, found.probabilities[at] ?? 0);
      if (found.labels[at] === label) right++;
    }
    await turns.pause();
  }
  return { accuracy: right / examples.length, folds };
}

function byLabel(examples: readonly Example[]): Example[] {
  return shuffled(examples).sort((a, b) => a.label - b.label);
}

function fitted(rows: Rows, examples: readonly Example[], labels: number): Classifier {
  const features = featuresAt(
    rows,
    examples.map(({ index }) => index),
  );
  const own = Int32Array.from(examples, ({ label }) => label);
  return fitLogistic(features, own, labels, { ...STOP, strength: STRENGTH });
}

function featuresAt(rows: Rows, indices: readonly number[]): Features {
  return featuresOf(
    indices.map((index) => [...rowAt(rows, index)].map((value, place) => [place, value] as const)),
    rows.width,
  );
}

/** `[rows, labels]` → the most probable label of each row. */
function bestOf(all: Float64Array, count: number) {
  const rows = all.length / count;
  const [labels, probabilities] = [new Int32Array(rows), new Float32Array(rows)];
  for (let row = 0; row < rows; row++) {
    const own = all.subarray(row * count, (row + 1) * count);
    labels[row] = own.indexOf(Math.max(...own));
    probabilities[row] = own[labels[row] ?? 0] ?? 0;
  }
  return { labels, probabilities };
}
