import { DECODER } from '../models/embedded-model.ts';
import type { Context, Evaluation, Row } from '../evaluation.ts';
import { meanOf } from '../measures/mean.ts';
import { massOn, type TileMass } from '../measures/pictures/tile-mass.ts';
import { sampledScenes } from '../data/pictures.ts';
import type { Scene } from '../data/scene-set.ts';
import { valueOf } from '../value-of.ts';

/** Do the tiles that support an answer lie on the object that the question is about? */
export const pictureAtmanEvaluation: Evaluation = {
  name: 'picture-atman',
  title: 'AtMan on such a picture: share of the positive scores on the tiles of the object that is asked for',
  model: DECODER,
  needs: [],
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const { scenes } = await sampledScenes(context);
  const found: TileMass[] = [];
  for (const scene of scenes) {
    found.push(await massOf(context, scene));
    context.progress('explanations', found.length, scenes.length);
  }
  const area = meanOf(found.map((each) => each.area));
  const mass = meanOf(found.map((each) => each.mass));
  const top = meanOf(found.map(({ holdsTop }) => Number(holdsTop)));
  const baselines = { 'share of the tiles': area };
  return [
    {
      what: 'share of the scores',
      model: mass,
      baselines,
      items: found.length,
      note: `${ratio(mass, area)} times as much`,
    },
    { what: 'greatest score lies there', model: top, baselines, items: found.length },
  ];
}

function ratio(one: { readonly value: number }, other: { readonly value: number }): string {
  return (one.value / other.value).toFixed(1);
}

async function massOf({ client }: Context, { picture, question, tiles }: Scene): Promise<TileMass> {
  const { explanations } = await valueOf(
    client.explain({
      model: DECODER,
      prompt: [
        { type: 'image', data: picture },
        { type: 'text', data: `Question: ${question.text}\nAnswer:` },
      ],
      target: ` ${question.answer}`,
      prompt_granularity: { type: 'token' },
    }),
  );
  const item = explanations[0]?.items[0];
  if (item?.type !== 'image') throw new RangeError(`expected scores of a picture, got ${item?.type ?? 'nothing'}`);
  return massOn(item.scores, tiles);
}
