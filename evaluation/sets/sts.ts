import { rankCorrelation } from '../../src/client/faithfulness/measures.ts';
import { embedAll, embedWords, EMBEDDER } from '../models/embeddings.ts';
import type { Context, DataFile, Evaluation, Row } from '../evaluation.ts';
import { cosine } from '../measures/ranking/cosine.ts';
import { sampleOf } from '../measures/sample.ts';

/** Two sentences and how alike people found them, 0 to 5. */
interface Pair {
  readonly a: string;
  readonly b: string;
  readonly score: number;
}

const FILE: DataFile = { from: 'data', path: 'eval/sts-dev.jsonl.xz' };

/** STS Benchmark dev (Cer et al. 2017): do cosines order pairs of sentences as people do? */
export const stsEvaluation: Evaluation = {
  name: 'sts',
  title: 'STS Benchmark dev, symmetric: Spearman correlation of cosines with human scores',
  model: EMBEDDER,
  needs: [FILE],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const pairs = sampleOf(await context.lines<Pair>(FILE), context.sample);
  const texts = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const agreement = (vectors: readonly Float32Array[]) => {
    const of = new Map(texts.map((text, index) => [text, vectors[index] ?? new Float32Array(0)]));
    const cosines = pairs.map(({ a, b }) => cosine(of.get(a) ?? [], of.get(b) ?? []));
    return rankCorrelation(
      cosines,
      pairs.map(({ score }) => score),
    );
  };
  const symmetric = { representation: 'symmetric' } as const;
  const words = agreement(await embedWords(context, texts));
  const whole = agreement(await embedAll(context, texts, symmetric));
  const short = agreement(await embedAll(context, texts, { ...symmetric, compress_to_size: 128 }));
  const baselines = { 'mean of its word embeddings': words };
  const drop = `${(100 * (1 - short / whole)).toFixed(1)} % less than 5120`;
  return [
    { what: '5120 numbers', model: whole, baselines, items: pairs.length },
    { what: '128 numbers', model: short, baselines, items: pairs.length, note: drop },
  ];
}
