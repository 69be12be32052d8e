import type { CompleteJob } from '../../../src/protocol/likelihood/complete-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { arePenalties, penalise } from '../../kernels/tokens/penalties.ts';
import { chosenToken } from '../../kernels/tokens/sampling.ts';
import { isExcluded, isIncluded, mayEnd, type Written } from '../../kernels/tokens/text-bias.ts';
import { endMarks } from './continuation.ts';

/** A completion as far as it is written. */
export interface Progressed extends Written {
  readonly ids: readonly number[];
}

/** Chooses the next token of a completion, or `null` where the text ends. */
export type Choose = (logits: Float32Array, written: Progressed, random: () => number) => number | null;

/** What a job's choices depend on. */
type ChoiceJob = Pick<
  CompleteJob,
  'choice' | 'repetition' | 'logitBias' | 'inclusion' | 'exclusion' | 'minimumTokens' | 'stopSequences'
>;

/**
 * Penalties come first, then the bias of ids, then texts that are asked for or not wanted; what is left is sampled.
 *
 * @param prompt  ids of the prompt
 */
export function createChooser(job: ChoiceJob, prompt: readonly number[], model: LoadedModel): Choose {
  const marks = endMarks(model);
  const changes = [penaltiesOf(job, prompt, model), biasOf(job), textsOf(job, model, marks), lengthOf(job, marks)];
  const needed = changes.filter((change) => change !== null);
  return (logits, written, random) => {
    const scores = needed.length === 0 ? logits : logits.slice();
    for (const change of needed) change(scores, written);
    const id = chosenToken(scores, job.choice, random);
    return id < 0 || marks.has(id) ? null : id;
  };
}

/** Changes scores in place, `[vocabulary]`. */
type Change = (scores: Float32Array, written: Progressed) => void;

function penaltiesOf({ repetition }: ChoiceJob, prompt: readonly number[], { tokenizer }: LoadedModel): Change | null {
  if (!arePenalties(repetition)) return null;
  const besides = tokenizer.tokenize(repetition.bias).ids;
  const exceptions = new Set(repetition.exceptions.flatMap((text) => tokenizer.tokenize(text).ids));
  const before = repetition.includesPrompt ? prompt : [];
  return (scores, { ids }) =>
    penalise(scores, repetition, {
      ids: repetition.includesCompletion ? [...before, ...ids] : before,
      besides,
      exceptions,
    });
}

function biasOf({ logitBias }: ChoiceJob): Change | null {
  if (logitBias.length === 0) return null;
  return (scores) => {
    for (const [id, bias] of logitBias) if (id < scores.length) scores[id] = (scores[id] ?? -Infinity) + bias;
  };
}

function textsOf(
  { inclusion, exclusion }: ChoiceJob,
  { tokenizer }: LoadedModel,
  marks: ReadonlySet<number>,
): Change | null {
  if (!inclusion && !exclusion) return null;
  const pieces = Array.from({ length: tokenizer.vocabulary }, (_, id) => tokenizer.show(id));
  const isAllowed = (id: number, written: Progressed) => {
    if (marks.has(id)) return !inclusion || mayEnd(inclusion, written);
    const piece = pieces[id] ?? '';
    return (
      (!inclusion || isIncluded(inclusion, written, piece)) && !(exclusion && isExcluded(exclusion, written, piece))
    );
  };
  return (scores, written) => {
    for (let id = 0; id < scores.length; id++) if (!isAllowed(id, written)) scores[id] = -Infinity;
  };
}

function lengthOf({ minimumTokens }: ChoiceJob, marks: ReadonlySet<number>): Change | null {
  if (minimumTokens === 0) return null;
  return (scores, { tokens }) => {
    if (tokens < minimumTokens) for (const id of marks) scores[id] = -Infinity;
  };
}
