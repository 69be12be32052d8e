import { FailureError } from '../../src/contract/failure.ts';
import type { Jobs } from '../../src/protocol/jobs.ts';
import type { LoadedModel } from '../engine/engine.ts';
import { type KvCache, type NetworkAnswer, requested } from '../engine/network.ts';
import { likeliestIds, logProbabilitiesOf } from '../kernels/next-token.ts';
import { endMarks, greedyContinuation } from './complete/continuation.ts';
import type { TaskContext } from '../serving/serve.ts';
import { predictingSequence, type Sequence, sequenceControls, tokenizeWithin, tooLong } from './prompt/sequence.ts';

type Tokenizer = LoadedModel['tokenizer'];
type RatedToken = NonNullable<Jobs['predict']['output']['target']>[number];
type Controls = Parameters<typeof sequenceControls>[1];

/**
 * The model's greedy continuation of a prompt, and its ratings of a target. The prompt's controls apply to both.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function predict(
  job: Jobs['predict']['input'],
  model: LoadedModel,
  context: TaskContext,
): Promise<Jobs['predict']['output']> {
  const sequence = await predictingSequence(job.prompt, model);
  const target =
    typeof job.target !== 'string'
      ? null
      : await ratedTargets(
          withTarget(sequence, { text: job.target, path: 'target' }, model),
          { rate: (logits, id) => ratedToken(logits, id, job.alternatives, model.tokenizer), controls: job },
          model,
          context,
        );
  const { ids, embeddingOverrides } = sequence;
  const { mode, factors } = await sequenceControls(sequence, job, model);
  const marks = endMarks(model);
  const tokens = await greedyContinuation(
    model.network,
    { ids, embeddingOverrides, mode, factors },
    {
      maximumTokens: Math.min(job.maximum_tokens, model.network.shape.contextTokens - ids.length),
      isEnd: (id) => marks.has(id),
      checkpoint: () => context.checkpoint(),
    },
  );
  const { read, show } = model.tokenizer;
  const { text } = read(tokens.map(({ id }) => id));
  const shown = tokens.map(({ id, logProbability }) => ({ token: show(id), log_probability: logProbability }));
  return { continuation: { text, tokens: shown }, target };
}

/**
 * The probability of a text after a prompt, each token given the expected ones before it.
 *
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function evaluate(
  job: Jobs['evaluate']['input'],
  model: LoadedModel,
  context: TaskContext,
): Promise<Jobs['evaluate']['output']> {
  const prompt = await predictingSequence(job.prompt, model);
  const sequence = withTarget(prompt, { text: job.completion_expected, path: 'completion_expected' }, model);
  const targets = sequence.target.ids;
  const logProbabilities: number[] = [];
  const greedy: number[] = [];
  for await (const [, answer] of targetParts(sequence, job, model)) {
    requested(answer.logProbabilities).forEach((value) => logProbabilities.push(value));
    requested(answer.likeliest).forEach((value, at) => at % 2 === 0 && greedy.push(value)); // between them, logarithms
    context.progress({ phase: 'run', done: greedy.length, total: targets.length });
    await context.checkpoint();
  }
  return {
    logProbabilities: Float64Array.from(logProbabilities),
    likeliest: {
      completion: model.tokenizer.read(greedy).text,
      isGreedy: greedy.every((id, i) => id === targets[i]),
    },
    promptTokens: prompt.ids.length - prompt.specials,
  };
}

/** A prompt followed by the tokens of a target. */
export interface TargetSequence extends Sequence {
  readonly target: ReturnType<Tokenizer['tokenize']>;
  /** Both as they are fed: without the target's last token, and with the target as the item after the prompt's. */
  readonly fed: Sequence;
}

/**
 * Adds a target to a prompt; the last target token is predicted, never fed.
 *
 * @param target  with its field of the request, for messages
 * @throws {FailureError} INVALID_REQUEST for a target without tokens, PROMPT_TOO_LONG
 */
export function withTarget(
  prompt: Sequence,
  { text, path }: { text: string; path: string },
  model: LoadedModel,
): TargetSequence {
  const limit = model.network.shape.contextTokens;
  const target = tokenizeWithin(model.tokenizer, text, { path, limit });
  if (target.ids.length === 0)
    throw new FailureError('INVALID_REQUEST', `${path}: expected at least one token, got an empty string`);
  const item = { type: 'token_ids', first: prompt.ids.length, count: target.ids.length } as const;
  const fed = { ...prompt, ids: [...prompt.ids, ...target.ids.slice(0, -1)], items: [...prompt.items, item] };
  const { length } = fed.ids;
  if (length > limit) throw tooLong(`prompt and ${path}`, `${length + 1 - fed.specials}`, limit + 1 - fed.specials);
  return { ...prompt, target, fed };
}

/** Logits are read in parts of at most this length, so that a long text or a large vocabulary takes no more memory. */
export const LOGITS_AT_ONCE = 2 ** 22;

/**
 * Rates each target token, given all before it, in parts of consecutive tokens. Each part continues the last one where the network
 * can share keys and values.
 *
 * @param wantsLogits  instead of `logProbabilities` and `likeliest`; a GPU copies them back
 * @returns            tokens, and an answer with a row for each
 */
async function* targetParts(
  sequence: TargetSequence,
  controls: Controls,
  model: LoadedModel,
  wantsLogits = false,
): AsyncGenerator<readonly [targets: readonly number[], answer: NetworkAnswer]> {
  const { network } = model;
  const { vocabulary, sharesKvCache } = network.shape;
  const ids = Int32Array.from(sequence.fed.ids);
  const { mode, factors } = await sequenceControls(sequence.fed, controls, model);
  const targets = sequence.target.ids;
  const rowsAtOnce = Math.max(1, Math.floor(LOGITS_AT_ONCE / vocabulary));
  let past: KvCache | undefined;
  try {
    for (let done = 0; done < targets.length; done += rowsAtOnce) {
      const part = targets.slice(done, done + rowsAtOnce);
      const end = sequence.ids.length + done + part.length - 1; // a token is predicted where the one before it is fed
      const start = past?.tokens ?? 0;
      const answer = await network.run({
        batch: 1,
        ids: ids.subarray(start, end),
        embeddingOverrides: sequence.embeddingOverrides,
        ...(past && { cached: { kvCache: past, tokens: start } }),
        perturbation: { mode, factors: factors.subarray(0, end) },
        rows: part.length,
        ...(wantsLogits ? { logits: true } : { targets: Int32Array.from(part), likeliest: true }),
        keepKvCache: sharesKvCache && end < ids.length,
      });
      past?.release();
      past = answer.kvCache;
      yield [part, answer];
    }
  } finally {
    past?.release();
  }
}

/**
 * The probability of a token, and those of the likeliest.
 *
 * @param logits        `[vocabulary]`
 * @param alternatives  how many of the likeliest tokens are listed; 0: none
 */
export function ratedToken(logits: Float32Array, id: number, alternatives: number, { show }: Tokenizer): RatedToken {
  const logProbabilityOf = logProbabilitiesOf(logits);
  const rated = (each: number) => ({ token: show(each), log_probability: logProbabilityOf(each) });
  return { ...rated(id), alternatives: likeliestIds(logits, alternatives).map(rated) };
}

/** Rates each target token, given all before it, with a checkpoint after each part. */
export async function ratedTargets<Rated>(
  sequence: TargetSequence,
  { rate, controls }: { rate: (logits: Float32Array, id: number) => Rated; controls: Controls },
  model: LoadedModel,
  context: TaskContext,
): Promise<Rated[]> {
  const tokens: Rated[] = [];
  const { vocabulary } = model.network.shape;
  for await (const [targets, answer] of targetParts(sequence, controls, model, true)) {
    const logits = requested(answer.logits);
    targets.forEach((target, row) =>
      tokens.push(rate(logits.subarray(row * vocabulary, (row + 1) * vocabulary), target)),
    );
    await context.checkpoint();
  }
  return tokens;
}
