import { DECODER } from '../models/embedded-model.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import prompts from '../data/everyday-prompts.json' with { type: 'json' };
import { meanOf } from '../measures/mean.ts';
import { sampleOf } from '../measures/sample.ts';
import { wordsOf } from '../measures/text/words.ts';
import { valueOf } from '../value-of.ts';

/** A prompt whose answer follows from it, and whether greedy completion gives the answer. */
interface Asked {
  readonly kind: string;
  readonly right: boolean;
  /** Chance that a word of the prompt, drawn at random, is the answer's first word. */
  readonly chance: number;
}

/** Does the decoder itself say what a reader would? The prompts were written before the training and are no part of it. */
export const everydayEvaluation: Evaluation = {
  name: 'everyday',
  title: 'Everyday prompts: share whose answer greedy completion gives, word for word',
  model: DECODER,
  needs: [],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const drawn = sampleOf(prompts, context.sample);
  const asked: Asked[] = [];
  for (const { kind, prompt, answer } of drawn) {
    const { result } = await valueOf(context.client.evaluate({ model: DECODER, prompt, completion_expected: answer }));
    asked.push({ kind, right: result.correct_greedy === true, chance: chanceOf(prompt, answer) });
    context.progress('prompts', asked.length, drawn.length);
  }
  const row = (what: string, of: readonly Asked[]): Row => ({
    what,
    model: meanOf(of.map(({ right }) => Number(right))),
    baselines: { 'a word of the prompt at random': meanOf(of.map(({ chance }) => chance)) },
    items: of.length,
  });
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  return [
    row('all', asked),
    ...kinds.map((kind) =>
      row(
        kind,
        asked.filter((each) => each.kind === kind),
      ),
    ),
  ];
}

function chanceOf(prompt: string, answer: string): number {
  const [first] = wordsOf(answer);
  const words = wordsOf(prompt);
  return words.filter((word) => word === first).length / words.length;
}
