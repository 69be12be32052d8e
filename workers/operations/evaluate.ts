import type { EvaluateJob, Evaluated } from '../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { likeliest, logProbabilityOf } from '../kernels/tokens/next-token.ts';
import type { JobContext } from './context.ts';
import { targetLogits } from './prompt/target-logits.ts';
import { targetSequence } from './prompt/target-sequence.ts';

/** What a model makes of one expected token. */
interface Outcome {
  readonly logProbability: number;
  readonly likeliest: number;
}

/**
 * How likely a model holds a text to be behind a prompt, each token given the expected ones before it.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function evaluate(job: EvaluateJob, model: LoadedModel, context: JobContext): Promise<Evaluated> {
  const sequence = await targetSequence(job.prompt, { text: job.expected, path: 'completion_expected' }, model);
  const outcomes: Outcome[] = [];
  for await (const part of targetLogits(sequence, job.controls, model)) {
    for (const { target, logits } of part)
      outcomes.push({ logProbability: logProbabilityOf(logits, target), likeliest: likeliest(logits).id });
    context.progress({ phase: 'run', done: outcomes.length, total: sequence.target.ids.length });
    await context.checkpoint();
  }
  const said = outcomes.map(({ likeliest: id }) => id);
  return {
    logProbabilities: Float64Array.from(outcomes, ({ logProbability }) => logProbability),
    isGreedy: said.every((id, i) => id === sequence.target.ids[i]),
    completion: model.tokenizer.read(said).text,
  };
}
