import type { QaAnswer } from '../../src/contract/qa.ts';
import type { Context, DataFile, Evaluation, Figure, Row } from '../evaluation.ts';
import { answerF1, bestOver, exactMatch } from '../measures/text/answers.ts';
import { meanOf } from '../measures/mean.ts';
import { areaUnderCurve } from '../measures/ranking/ranks.ts';
import { sampleOf } from '../measures/sample.ts';
import { likeliestSentence, sharedWords } from '../measures/text/words.ts';
import { valueOf } from '../value-of.ts';
import { READER } from '../models/embedded-model.ts';
import { SQUAD_1, SQUAD_2, type SquadRow } from '../data/squad.ts';

/** An evaluation of what `/qa` answers to the questions of a file. */
function readingOf(
  file: DataFile,
  { name, title }: Pick<Evaluation, 'name' | 'title'>,
  compared: (rows: readonly SquadRow[], answers: readonly QaAnswer[]) => readonly Row[],
): Evaluation {
  const run = async (context: Context) => {
    const rows = sampleOf(await context.lines<SquadRow>(file), context.sample);
    return compared(rows, await answersTo(rows, context));
  };
  return { name, title, model: READER, needs: [file], run };
}

/** SQuAD v1.1: does `/qa` find the answer? A paragraph that is cut into chunks is answered by its best one. */
export const readingEvaluation = readingOf(
  SQUAD_1,
  { name: 'qa', title: 'SQuAD v1.1 dev (part a): answers of /qa to a question about its paragraph, in percent' },
  (rows, found) => {
    const answers = found.map(({ answer }) => answer);
    const sentences = rows.map((row) => likeliestSentence(row.question, row.context).text);
    const row = (what: string, agreement: Agreement): Row => ({
      what,
      model: agreed(agreement, answers, rows),
      baselines: { 'sentence that shares most words': agreed(agreement, sentences, rows) },
      items: rows.length,
    });
    return [row('F1', answerF1), row('exact match', exactMatch)];
  },
);

/** SQuAD v2.0: does the score of `/qa` tell questions that the paragraph answers from those that it does not? */
export const answerableEvaluation = readingOf(
  SQUAD_2,
  {
    name: 'answerable',
    title: 'SQuAD v2.0 dev (part a): does the score of /qa tell whether there is an answer? Area under the curve',
  },
  (rows, answers) => {
    const has = rows.map((row) => row.answers.length > 0);
    const area = (scores: readonly number[]) => areaUnderCurve(scores, has);
    const row: Row = {
      what: `${has.filter(Boolean).length} of the questions have an answer`,
      model: area(answers.map(({ score }) => score)),
      baselines: {
        chance: area(rows.map(() => 0)),
        'share of its words in the paragraph': area(rows.map((row) => sharedWords(row.question, row.context))),
        'in the likeliest sentence': area(rows.map((row) => likeliestSentence(row.question, row.context).share)),
      },
      items: rows.length,
    };
    return [row];
  },
);

/** One request for each question, as a user asks it. */
async function answersTo(rows: readonly SquadRow[], { client, progress }: Context): Promise<QaAnswer[]> {
  const best: QaAnswer[] = [];
  for (const { question, context } of rows) {
    const body = { query: question.trim(), documents: [{ text: context }], max_answers: 1 };
    const { answers, model_version: by } = await valueOf(client.qa(body));
    const [answer] = answers;
    if (!answer) throw new Error(`expected an answer to "${question}", got none`);
    if (!by.startsWith(`${READER} `)) throw new Error(`expected that ${READER} answers, ${by} did`);
    best.push(answer);
    progress('questions', best.length, rows.length);
  }
  return best;
}

type Agreement = (predicted: string, answer: string) => number;

/** Mean agreement with the answer that agrees most, in percent. */
function agreed(agreement: Agreement, texts: readonly string[], rows: readonly SquadRow[]): Figure {
  const values = rows.map(({ answers }, index) => {
    const given = answers.map(({ text }) => text);
    return 100 * bestOver(agreement, texts[index] ?? '', given);
  });
  return meanOf(values);
}
