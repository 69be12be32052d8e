import type { Predicted, PredictJob, ShownToken } from '../../src/protocol/target-jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { likeliest, type LikelyToken, likeliestTokens, logProbabilitiesOf } from '../kernels/tokens/next-token.ts';
import type { JobContext } from './context.ts';
import { endMarks, growingSequence } from './complete/continuation.ts';
import { perturbationMode, sequenceControls } from './prompt/controls.ts';
import { predictingSequence, type Sequence } from './prompt/sequence.ts';
import { targetLogits } from './prompt/target-logits.ts';
import { withTarget } from './prompt/target-sequence.ts';

/**
 * What a model says itself behind a prompt, greedily, and how it rates a target there. The prompt's controls count for both.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function predict(job: PredictJob, model: LoadedModel, context: JobContext): Promise<Predicted> {
  const sequence = await predictingSequence(job.prompt, model);
  const target = await rated(sequence, job, model, context);
  const tokens = await continuation(sequence, job, model, context);
  const { text } = model.tokenizer.read(tokens.map(({ id }) => id));
  return { continuation: { text, tokens: tokens.map((token) => shown(token, model)) }, target };
}

async function rated(
  prompt: Sequence,
  job: PredictJob,
  model: LoadedModel,
  context: JobContext,
): Promise<Predicted['target']> {
  if (job.target === null) return null;
  const sequence = withTarget(prompt, { text: job.target, path: 'target' }, model);
  const tokens = [];
  for await (const part of targetLogits(sequence, job.controls, model)) {
    for (const { target: id, logits } of part) {
      const logProbabilityOf = logProbabilitiesOf(logits);
      const alternatives = likeliestTokens(logits, job.alternatives, logProbabilityOf).map((token) =>
        shown(token, model),
      );
      tokens.push({ ...shown({ id, logProbability: logProbabilityOf(id) }, model), alternatives });
    }
    await context.checkpoint();
  }
  return tokens;
}

/** The likeliest token in turn, up to the first that ends the text, which is not among them, or to the context's end. */
async function continuation(
  sequence: Sequence,
  { maximumTokens, controls }: PredictJob,
  model: LoadedModel,
  context: JobContext,
): Promise<readonly LikelyToken[]> {
  const { ids, embeddingOverrides } = sequence;
  const most = Math.min(maximumTokens, model.network.shape.contextTokens - ids.length);
  const { factors } = await sequenceControls(sequence, controls, model);
  const growing = growingSequence(model.network, {
    ids,
    embeddingOverrides,
    factors,
    mode: perturbationMode(controls),
  });
  const marks = endMarks(model);
  const tokens: LikelyToken[] = [];
  try {
    while (tokens.length < most) {
      const token = likeliest(await growing.next());
      if (marks.has(token.id)) break;
      tokens.push(token);
      growing.push(token.id);
      await context.checkpoint();
    }
  } finally {
    growing.release();
  }
  return tokens;
}

function shown({ id, logProbability }: LikelyToken, { tokenizer }: LoadedModel): ShownToken {
  return { token: tokenizer.show(id), logProbability };
}
