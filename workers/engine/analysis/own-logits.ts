import type { Analysis } from './analysis.ts';
import { ElementType } from '../codec/element-type.ts';
import type { Model } from '../codec/model-proto.ts';

/**
 * The logits of a file as it was exported, where its own graph can take a step behind keys and values: it has them, and no input
 * that a run of the rewritten graph does not know.
 *
 * @param file  inputs and outputs before anything was rewritten
 * @returns     the output's name; undefined where only the rewritten graph can take the step
 */
export function ownLogits(
  { inputs, outputs }: Pick<Model, 'inputs' | 'outputs'>,
  { flow, kvCache, inputs: known, roundsTogether }: Analysis,
): string | undefined {
  if (kvCache.length === 0 || roundsTogether) return undefined;
  if (known.some(({ role }) => role === 'embeddings')) return undefined;
  const fed = new Set([...known.map(({ name }) => name), ...kvCache.map(({ input }) => input)]);
  if (!inputs.every(({ name }) => fed.has(name))) return undefined;
  const logits = outputs.find(({ name }) => name === flow.sink);
  return logits?.type === ElementType.float32 ? logits.name : undefined;
}
