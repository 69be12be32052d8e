import { DECODER } from '../models/embedded-model.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf, mostFrequent } from '../measures/mean.ts';
import { answersFrom, MOST_FREQUENT, sampledScenes } from '../data/pictures.ts';

/** Are questions about one object of a picture answered? */
export const pictureQuestionsEvaluation: Evaluation = {
  name: 'picture-questions',
  title: 'Questions to /qa on such a picture: share that is answered exactly',
  model: DECODER,
  needs: [],
  run: measure,
};

/** A question with what was answered. */
interface Asked {
  readonly kind: string;
  readonly answer: string;
  readonly said: string;
}

async function measure(context: Context): Promise<Row[]> {
  const { scenes } = await sampledScenes(context);
  const answers = await answersFrom(context, scenes, ({ question }) => question.text);
  const asked = scenes.map(({ question }, index): Asked => ({ ...question, said: answers[index] ?? '' }));
  const kinds = [...new Set(asked.map(({ kind }) => kind))].sort();
  const byKind = kinds.map((kind) => ({ kind, questions: asked.filter((each) => each.kind === kind) }));
  const guesses = new Map(
    byKind.map(({ kind, questions }) => [kind, mostFrequent(questions.map(({ answer }) => answer))]),
  );
  const row = (what: string, questions: readonly Asked[]): Row => ({
    what,
    model: meanOf(questions.map(({ answer, said }) => Number(answer === said))),
    baselines: { [MOST_FREQUENT]: meanOf(questions.map(({ kind, answer }) => Number(answer === guesses.get(kind)))) },
    items: questions.length,
  });
  return [row('all', asked), ...byKind.map(({ kind, questions }) => row(kind, questions))];
}
