import { createRelevance } from '../../workers/kernels/passages.ts';
import { embedAll, embedEach, EMBEDDER } from '../models/embeddings.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { nearnessTo, rankOf, recallAt } from '../measures/ranking/nearness.ts';
import { sampleOf } from '../measures/sample.ts';
import { SQUAD_1, type SquadRow } from '../data/squad.ts';

/** SQuAD questions: is the paragraph that answers one found among all paragraphs, of all questions? */
export const retrievalEvaluation: Evaluation = {
  name: 'retrieval',
  title: 'SQuAD v1.1 dev (part a): the paragraph of a question among all paragraphs, by query and document embeddings',
  model: EMBEDDER,
  needs: [SQUAD_1],
  run: measure,
};

const SIZES = [{ size: 5120 }, { size: 128, compress_to_size: 128 }] as const;

async function measure(context: Context): Promise<Row[]> {
  const all = await context.lines<SquadRow>(SQUAD_1);
  const paragraphs = [...new Set(all.map((row) => row.context))];
  const placeOf = new Map(paragraphs.map((paragraph, place) => [paragraph, place]));
  const asked = sampleOf(all, context.sample).map((row) => ({
    question: row.question.trim(),
    right: placeOf.get(row.context) ?? -1,
  }));
  const matching = createRelevance(paragraphs);
  const byWords = asked.map(({ question, right }, index) => {
    context.progress('questions by BM25', index + 1, asked.length);
    return rankOf(matching(question), right);
  });
  const rows: Row[] = [];
  for (const { size, ...compressed } of SIZES) {
    const near = nearnessTo(await embedAll(context, paragraphs, { representation: 'document', ...compressed }));
    const ranks: number[] = [];
    const questions = asked.map(({ question }) => question);
    await embedEach(context, questions, { representation: 'query', ...compressed }, (vector, index) => {
      ranks.push(rankOf(near(vector), asked[index]?.right ?? -1));
    });
    for (const among of [10, 1])
      rows.push({
        what: `recall@${among} of ${paragraphs.length}, ${size} numbers`,
        model: recallAt(among, ranks),
        baselines: { BM25: recallAt(among, byWords) },
        items: asked.length,
      });
  }
  return rows;
}
