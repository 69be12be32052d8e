import type { EvaluateJob, Evaluated } from '../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import type { KvCache } from '../engine/network.ts';
import { likeliest, logProbabilityOf } from '../kernels/next-token.ts';
import type { JobContext } from './context.ts';
import { perturbationMode, sequenceControls } from './prompt/controls.ts';
import { fedIds, targetSequence, type TargetSequence } from './prompt/target-sequence.ts';

/** Scores of all tokens at the predicting positions are read in parts of so many, so that a long text takes no more memory. */
const LOGITS_AT_ONCE = 2 ** 22;

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
  for await (const part of outcomesOf(sequence, job, model)) {
    outcomes.push(...part);
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

/** In parts of consecutive target tokens; each goes on behind the last where the network can keep what it computed. */
async function* outcomesOf(sequence: TargetSequence, { controls }: EvaluateJob, model: LoadedModel) {
  const { network } = model;
  const { vocabulary, sharesKvCache } = network.shape;
  const ids = Int32Array.from(fedIds(sequence));
  const { own: factors } = await sequenceControls(model, sequence, [...ids], controls);
  const mode = perturbationMode(controls);
  const targets = sequence.target.ids;
  const rowsAtOnce = Math.max(1, Math.floor(LOGITS_AT_ONCE / vocabulary));
  let past: KvCache | undefined;
  try {
    for (let done = 0; done < targets.length; done += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, targets.length - done);
      const end = sequence.ids.length + done + rows - 1; // a token is predicted where the one before it is fed
      const start = past?.tokens ?? 0;
      const { logits, kvCache } = await network.run({
        batch: 1,
        ids: ids.subarray(start, end),
        embeddingOverrides: sequence.embeddingOverrides,
        ...(past && { cached: { kvCache: past, tokens: start } }),
        perturbation: { mode, factors: factors.subarray(0, end) },
        rows,
        logits: true,
        keepKvCache: sharesKvCache && end < ids.length,
      });
      past?.release();
      past = kvCache;
      if (!logits) throw new RangeError('the network did not answer what was asked for');
      yield targets.slice(done, done + rows).map((target, row): Outcome => {
        const scores = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
        return { logProbability: logProbabilityOf(scores, target), likeliest: likeliest(scores).id };
      });
    }
  } finally {
    past?.release();
  }
}
