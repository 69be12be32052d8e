import { DECODER } from '../models/embedded-model.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { ATTRIBUTES, hitsOf, majorityOf, readCaption, type Hits } from '../measures/pictures/captions.ts';
import { meanOf } from '../measures/mean.ts';
import { answersFrom, MOST_FREQUENT, sampledScenes } from '../data/pictures.ts';

/** Are the objects of a picture named, with size, colour, shape and place? No pair of shape and colour was in training. */
export const captionsEvaluation: Evaluation = {
  name: 'captions',
  title: 'Captions by /qa of pictures with unseen pairs of shape and colour: share that is exactly right',
  model: DECODER,
  needs: [],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const { words, scenes } = await sampledScenes(context);
  const captions = await answersFrom(context, scenes, () => 'What is in the picture?');
  const usual = majorityOf(scenes.flatMap(({ objects }) => objects));
  const pictures = scenes.map(({ objects }, index) => {
    const said = readCaption(captions[index] ?? '', words);
    const guess = objects.map(() => usual);
    return {
      hits: hitsOf(objects, said),
      guessed: hitsOf(objects, guess),
      isWhole: said.length === objects.length,
    };
  });
  const rowOf = (what: string, read: (hits: Hits) => readonly boolean[]): Row =>
    row(
      what,
      pictures.flatMap(({ hits }) => hits.flatMap(read)),
      pictures.flatMap(({ guessed }) => guessed.flatMap(read)),
    );
  const captionIsRight = (hits: readonly Hits[]) => hits.every(isRight);
  return [
    rowOf('all attributes', (hits) => Object.values(hits)),
    ...ATTRIBUTES.map((attribute) => rowOf(attribute, (hits) => [hits[attribute]])),
    rowOf('whole objects', (hits) => [isRight(hits)]),
    row(
      'whole captions',
      pictures.map(({ hits, isWhole }) => isWhole && captionIsRight(hits)),
      pictures.map(({ guessed }) => captionIsRight(guessed)),
    ),
  ];
}

function isRight(hits: Hits): boolean {
  return Object.values(hits).every(Boolean);
}

function row(what: string, right: readonly boolean[], guessed: readonly boolean[]): Row {
  const share = (values: readonly boolean[]) => meanOf(values.map(Number));
  return { what, model: share(right), baselines: { [MOST_FREQUENT]: share(guessed) }, items: right.length };
}
