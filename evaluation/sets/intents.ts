import { embedEach, EMBEDDER, type Embedding } from '../models/embeddings.ts';
import type { Context, DataFile, Evaluation, Row } from '../evaluation.ts';
import { featuresOf, sparseRow, type Features, type SparseRow } from '../../workers/analysis/sort-by-examples.ts';
import { MAX_FITS } from '../measures/classification/probe.ts';
import { sampleOf } from '../measures/sample.ts';
import { createTfIdf } from '../measures/classification/tf-idf.ts';
import { probeInWorker, type Probed } from '../workers/probing.ts';

/** A sentence to an assistant, and what is wanted; of the training file with its source in front, as in `clinc:`. */
interface Intent {
  readonly text: string;
  readonly label: string;
}

/** Sentences that are trained on, and others. */
interface Sides<Side> {
  readonly train: Side;
  readonly test: Side;
}

const TRAIN: DataFile = { from: 'data', path: 'pairs/intents-train.jsonl.xz' };
const TEST: DataFile = { from: 'data', path: 'eval/clinc150-test.jsonl.xz' };
const SOURCE = 'clinc:';
const SIZES: readonly (Embedding & { readonly size: number })[] = [
  { size: 5120, representation: 'symmetric' },
  { size: 128, representation: 'symmetric', compress_to_size: 128 },
];

/** CLINC150 (Larson et al. 2019): can a linear classifier read the intent of a sentence off its embedding? */
export const intentsEvaluation: Evaluation = {
  name: 'intents',
  title: 'CLINC150, 150 intents: accuracy of logistic regression on symmetric embeddings, in percent',
  model: EMBEDDER,
  needs: [TRAIN, TEST],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const sides = await read(context);
  const weigh = createTfIdf(textsOf(sides.train));
  const features = [{ name: 'TF-IDF', ...bothOf(sides, (side) => weigh(textsOf(side))) }];
  for (const { size, ...how } of SIZES) {
    const [train, test] = [
      await embedded(context, sides.train, size, how),
      await embedded(context, sides.test, size, how),
    ];
    features.push({ name: `${size} numbers`, train, test });
  }
  const [byWords, ...found] = await probed(context, sides, features);
  return found.map(({ name, accuracy, strength }) => ({
    what: `${name}, ${sides.train.length} training sentences`,
    model: 100 * accuracy,
    baselines: { 'TF-IDF, the same probe': 100 * (byWords?.accuracy ?? NaN) },
    items: sides.test.length,
    note: `strength ${strength}, of TF-IDF ${byWords?.strength}`,
  }));
}

/** A sample takes so many test sentences, and ten times as many to train on. */
async function read(context: Context): Promise<Sides<readonly Intent[]>> {
  const all = await context.lines<Intent>(TRAIN);
  const clinc = all.flatMap(({ text, label }) =>
    label.startsWith(SOURCE) ? [{ text, label: label.slice(SOURCE.length) }] : [],
  );
  const train = sampleOf(clinc, context.sample === undefined ? undefined : 10 * context.sample);
  const known = new Set(train.map(({ label }) => label));
  const test = (await context.lines<Intent>(TEST)).filter(({ label }) => known.has(label));
  return { train, test: sampleOf(test, context.sample) };
}

async function embedded(context: Context, side: readonly Intent[], size: number, how: Embedding): Promise<Features> {
  const rows: SparseRow[] = [];
  await embedEach(context, textsOf(side), how, (vector) => rows.push(sparseRow(vector)));
  return featuresOf(rows, size);
}

/** All at once, each in a worker of its own. */
function probed(
  context: Context,
  sides: Sides<readonly Intent[]>,
  features: readonly (Sides<Features> & { readonly name: string })[],
): Promise<(Probed & { readonly name: string })[]> {
  const names = [...new Set(sides.train.map(({ label }) => label))].toSorted();
  const numberOf = new Map(names.map((name, number) => [name, number]));
  const labels = bothOf(sides, (side) => Int32Array.from(side, ({ label }) => numberOf.get(label) ?? -1));
  const one = async ({ name, train, test }: (typeof features)[number]) => {
    const data = {
      train: { features: train, labels: labels.train },
      test: { features: test, labels: labels.test },
      labelCount: names.length,
    };
    const found = await probeInWorker(data, (fits) => context.progress(`fits on ${name}`, fits, MAX_FITS));
    return { name, ...found };
  };
  return Promise.all(features.map(one));
}

const bothOf = <From, To>({ train, test }: Sides<From>, of: (side: From) => To): Sides<To> => ({
  train: of(train),
  test: of(test),
});

const textsOf = (side: readonly Intent[]) => side.map(({ text }) => text);
