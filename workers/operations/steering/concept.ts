import { FailureError } from '../../../src/contract/failure.ts';
import { sha256Of } from '../../../src/fetching/hash.ts';
import type { JobPrompt, SteeringConcept, SteeringConceptJob } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { requested } from '../../engine/network.ts';
import type { TaskContext } from '../../serving/serve.ts';
import { predictingSequence } from '../prompt/sequence.ts';

/**
 * The mean of positive − negative over the pairs, of the hidden states after a layer, each the mean over its text's tokens. Its id
 * is the hash of its numbers.
 *
 * @throws {FailureError} INVALID_REQUEST for a layer out of range or pairs without a difference, PROMPT_TOO_LONG
 * @source Panickssery et al. 2023, arXiv:2312.06681, section 3; Zou et al. 2023, arXiv:2310.01405, section 3.1
 */
export async function steeringConcept(
  job: SteeringConceptJob,
  model: LoadedModel,
  context: TaskContext,
): Promise<SteeringConcept> {
  const { layers, width } = model.network.shape;
  const layer = job.layer ?? Math.ceil(layers / 2);
  if (layer > layers)
    throw new FailureError('INVALID_REQUEST', `layer: expected one from 1 to ${layers}, got ${layer}`);
  const sum = new Float64Array(width);
  for (const [index, { positive, negative }] of job.examples.entries()) {
    await context.checkpoint();
    const states = [await stateOf(positive, layer, model), await stateOf(negative, layer, model)] as const;
    for (let at = 0; at < width; at++) sum[at] = (sum[at] ?? 0) + (states[0][at] ?? 0) - (states[1][at] ?? 0);
    context.progress({ phase: 'run', done: index + 1, total: job.examples.length });
  }
  const vector = Float32Array.from(sum, (value) => value / job.examples.length);
  if (vector.every((value) => value === 0))
    throw new FailureError(
      'INVALID_REQUEST',
      'examples: expected texts that differ, got the same states for both sides',
    );
  const name = new TextEncoder().encode(`${job.model.version} ${layer} `);
  const numbers = new Uint8Array(vector.buffer);
  const bytes = new Uint8Array(name.length + numbers.length);
  bytes.set(name);
  bytes.set(numbers, name.length);
  return { id: await sha256Of(bytes), layer, layers, vector };
}

/** The mean state of a text's tokens after a layer, `[width]`; special ids in front do not count. */
async function stateOf(text: JobPrompt, layer: number, model: LoadedModel): Promise<Float32Array> {
  const { ids, specials } = await predictingSequence(text, model);
  const weights = new Float32Array(ids.length).fill(1 / (ids.length - specials), specials);
  const { pooled } = await model.network.run({ batch: 1, ids: Int32Array.from(ids), pooling: { weights, pools: 1 } });
  const { width } = model.network.shape;
  return requested(pooled).subarray(layer * width, (layer + 1) * width);
}
