import { loadScenes, type Scene } from '../../data/scene-set.ts';
import { shuffled } from '../../../workers/kernels/seeded-random.ts';
import type { Context, Evaluation, Row } from '../../evaluation.ts';
import { DECODER, loadTokenizer } from '../../models/embedded-model.ts';
import { keyOf, type Measured, measureBudgets } from './found.ts';

/** The same of the tiles of pictures and the tokens of their question. */
export const pictureBudgetEvaluation: Evaluation = {
  name: 'picture-budget',
  title: 'Explanations within a budget, of pictures by tile and of their questions by token',
  model: DECODER,
  needs: [],
  onlyWhenNamed: true,
  recorded: true,
  run: measure,
};

async function measure(context: Context): Promise<Row[]> {
  const scenes = shuffled((await loadScenes()).scenes).slice(0, context.sample);
  const { tokenize, prefix } = await loadTokenizer(DECODER);
  for (const [index, scene] of scenes.entries()) {
    const target = ` ${scene.question.answer}`;
    const behind = tokenize(target).ids.length - 1;
    const key = await keyOf(index, `${scene.question.text}${target}, tiles ${Object.values(scene.tiles).join(' ')}`);
    await context.remembered(key, () => measureOne(context, scene, { target, behind, before: prefix.length }));
    context.progress('pictures', index + 1, scenes.length);
  }
  return [];
}

/** Every section is one position, so costs follow from how many there are. */
function measureOne(
  { client }: Context,
  { picture, question }: Scene,
  { target, behind, before }: { readonly target: string; readonly behind: number; readonly before: number },
): Promise<Measured> {
  const body = {
    model: DECODER,
    target,
    prompt: [
      { type: 'image' as const, data: picture },
      { type: 'text' as const, data: `Question: ${question.text}\nAnswer:` },
    ],
    prompt_granularity: { type: 'token' as const },
  };
  return measureBudgets(client, body, async (items) => {
    const sections = items.reduce((sum, { type, scores }) => sum + (type === 'target' ? 0 : scores.length), 0);
    const costs = Array.from({ length: sections }, (_, at) => sections - at + behind);
    return { costs, unmodified: before + sections + behind };
  });
}
