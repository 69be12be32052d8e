import type { LoadedModel } from '../../../workers/engine/engine.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import { jsonConstraint } from '../../../workers/operations/complete/json/constraint.ts';

interface RandomTextOptions {
  readonly seed: number;
  readonly most?: number;
}

/**
 * A text of tokens that are drawn at random among those that a schema leaves, as a model of random weights writes it.
 *
 * @returns null where it does not end within `most` tokens
 */
export function randomText(
  schema: unknown,
  { tokenizer }: Pick<LoadedModel, 'tokenizer'>,
  { seed, most = 400 }: RandomTextOptions,
): string | null {
  const random = seededRandom(seed);
  const end = tokenizer.vocabulary; // a mark of its own
  const constraint = jsonConstraint({ schema: JSON.stringify(schema), path: 'schema' }, { tokenizer }, new Set([end]));
  const ids: number[] = [];
  while (ids.length < most) {
    const scores = new Float32Array(end + 1);
    constraint.exclude(scores, ids);
    const left = [...scores.keys()].filter((id) => scores[id] === 0);
    const id = left[Math.floor(random() * left.length)] ?? -1;
    if (id < 0) constraint.checkWhole();
    if (id < 0 || id === end) return tokenizer.read(ids).text;
    ids.push(id);
  }
  return null;
}
