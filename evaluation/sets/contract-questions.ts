import type { QaFound } from '../../src/contract/qa.ts';
import { certaintyOf, isShown } from '../../src/pages/documents/answers.ts';
import { contractQuestions, type DocumentQuestion, type Part } from '../data/contract-questions.ts';
import type { Context, Evaluation, Figure, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { sampleOf } from '../measures/sample.ts';
import { isRight, type JudgedAnswer, thresholdsFor } from '../measures/text/levels.ts';
import { READER } from '../models/embedded-model.ts';
import { valueOf } from '../value-of.ts';

/** On the choosing third: half of what the reporting third may show, because so few questions vary by so much. */
const ALLOWED = { hidden: 0.03, wrong: 0.02 };

/** Does the page Documents show the right answers, call few wrong ones likely, and find nothing where there is nothing? */
export const contractQuestionsEvaluation: Evaluation = {
  name: 'contract-questions',
  title: 'Questions about office texts, by the levels of the page Documents: share in percent',
  model: READER,
  needs: [],
  run: measure,
};

interface Answered extends JudgedAnswer {
  readonly part: Part;
}

async function measure(context: Context): Promise<Row[]> {
  const questions = sampleOf(contractQuestions(), context.sample);
  const answered: Answered[] = [];
  for (const asked of questions) {
    const { text, question, answers, part } = asked;
    const found = await context.remembered(question + text, () => bestAnswer(asked, context));
    answered.push({
      part,
      isAnswerable: answers.length > 0,
      isRight: isRight(found, answers),
      score: found.score,
    });
    context.progress('questions', answered.length, questions.length);
  }
  return rowsOf(answered);
}

/** Asked as the page asks, with the position of the answer, which only progress has. */
async function bestAnswer({ text, question }: DocumentQuestion, { client }: Context) {
  const found: QaFound[] = [];
  const onProgress = (progress: { readonly found?: readonly QaFound[] | undefined }) =>
    void found.push(...(progress.found ?? []));
  await valueOf(client.qa({ query: question, documents: [{ text }], max_answers: 1 }, { onProgress }));
  const [best] = found.toSorted((a, b) => b.score - a.score);
  if (!best?.answer) throw new Error(`expected an answer with a position to "${question}", got none`);
  const { start, length } = best.answer;
  return { text: [...text].slice(start, start + length).join(''), start, score: best.score };
}

/** What is counted, and among which answers. */
const SHARES: readonly {
  readonly what: string;
  readonly among: (answer: JudgedAnswer) => boolean;
  readonly counts: (answer: JudgedAnswer) => boolean;
}[] = [
  { what: 'answerable: first answer right', among: isAnswerable, counts: (answer) => answer.isRight },
  { what: 'answerable and right: shown', among: (answer) => answer.isRight, counts: isShown },
  { what: 'answerable: right and shown', among: isAnswerable, counts: (answer) => answer.isRight && isShown(answer) },
  { what: 'answerable: nothing found', among: isAnswerable, counts: (answer) => !isShown(answer) },
  {
    what: 'unanswerable: nothing found',
    among: (answer) => !isAnswerable(answer),
    counts: (answer) => !isShown(answer),
  },
  {
    what: 'all: wrong and likely',
    among: () => true,
    counts: (answer) => !answer.isRight && certaintyOf(answer) === 'likely',
  },
];

function isAnswerable(answer: JudgedAnswer): boolean {
  return answer.isAnswerable;
}

/** The reporting third, and beside it the third on which thresholds are chosen. */
function rowsOf(answered: readonly Answered[]): Row[] {
  const partOf = (name: Part) => answered.filter(({ part }) => part === name);
  const [reported, chosen] = [partOf('reporting'), partOf('choosing')];
  const { perhaps, likely } = thresholdsFor(chosen, ALLOWED);
  return SHARES.map(({ what, among, counts }, index) => {
    const share = (answers: readonly JudgedAnswer[]): Figure =>
      meanOf(answers.filter(among).map((answer) => 100 * Number(counts(answer))));
    return {
      what,
      model: share(reported),
      baselines: { 'choosing third': share(chosen) },
      items: reported.filter(among).length,
      ...(index === 0 && { note: `the choosing third gives ${perhaps.toFixed(3)} and ${likely.toFixed(3)}` }),
    };
  });
}
