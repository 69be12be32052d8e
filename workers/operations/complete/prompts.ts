import { FailureError } from '../../../src/contract/failure.ts';
import type { CompletedToken, CompleteJob } from '../../../src/protocol/jobs.ts';
import type { JobPrompt } from '../../../src/protocol/model-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { likeliestIds, logProbabilitiesOf, rankOf } from '../../kernels/next-token.ts';
import type { TaskContext } from '../../serving/serve.ts';
import { ratedTargets } from '../predict.ts';
import { predictingSequence, type Sequence } from '../prompt/sequence.ts';
import { dialogueSequence } from './dialogue.ts';

/** What a model continues. @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY */
export async function continuedSequence(given: CompleteJob['prompts'][number], model: LoadedModel): Promise<Sequence> {
  return 'messages' in given ? dialogueSequence(given, model) : completionSequence(given, model);
}

/**
 * A prompt to be continued. An empty one begins a text: with the special ids that the model expects before a text, else with the
 * begin or end mark of its configuration.
 *
 * @throws {FailureError} as `predictingSequence`; INVALID_REQUEST for an empty prompt where the model has no such mark
 */
async function completionSequence(prompt: JobPrompt, model: LoadedModel): Promise<Sequence> {
  if (!prompt.items.every(isEmpty)) return predictingSequence(prompt, model);
  const { prefix } = model.tokenizer;
  const ids = prefix.length > 0 ? prefix : [beginMark(prompt.path, model)];
  return { path: prompt.path, ids, embeddingOverrides: [], specials: ids.length, items: [], controls: [] };
}

function isEmpty(item: JobPrompt['items'][number]): boolean {
  if (item.type === 'text') return item.text === '';
  return item.type === 'token_ids' && item.ids.length === 0;
}

function beginMark(path: string, { config, generation, network }: LoadedModel): number {
  const named = [generation?.config ?? {}, config].flatMap((each) =>
    ['bos_token_id', 'eos_token_id'].flatMap((name): unknown => Reflect.get(each, name)),
  );
  const mark = named.find((id) => typeof id === 'number' && id < network.shape.vocabulary);
  if (typeof mark === 'number') return mark;
  throw new FailureError(
    'INVALID_REQUEST',
    `${path}: expected at least one token, because the model names none that begins a text, got an empty prompt`,
  );
}

/** The text of a prompt, as its tokens write it. @throws {FailureError} INVALID_REQUEST for one with a picture */
export function promptText({ path, ids, items, embeddingOverrides }: Sequence, { tokenizer }: LoadedModel): string {
  const picture = embeddingOverrides.length > 0 ? items.findIndex(({ type }) => type === 'image') : -1;
  if (picture >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `echo: expected a prompt of text and token ids, got an image at ${path}[${picture}]`,
    );
  return items
    .map((item) =>
      item.type === 'text' ? item.tokenized.text : tokenizer.read(ids.slice(item.first, item.first + item.count)).text,
    )
    .join('');
}

/** The tokens of a prompt, each rated where the job requests that. Nothing predicts the very first id. */
export async function promptTokens(
  sequence: Sequence,
  job: CompleteJob,
  model: LoadedModel,
  context: TaskContext,
): Promise<CompletedToken[]> {
  const { ids, specials } = sequence;
  const { tokenizer } = model;
  const alternatives = Math.max(job.promptAlternatives ?? -1, job.echo ? (job.log_probs ?? -1) : -1);
  if (alternatives < 0) return job.echo ? ids.slice(specials).map((id) => unratedToken(id, tokenizer)) : [];
  const first = Math.max(1, specials);
  const target = { text: '', ids: ids.slice(first), spans: [] };
  const unrated = ids.slice(specials, first).map((id) => unratedToken(id, tokenizer));
  if (target.ids.length === 0) return unrated;
  const fed = { ...sequence, ids: ids.slice(0, -1) };
  const rate = (logits: Float32Array, id: number) => completedToken(logits, id, alternatives, tokenizer);
  const rated = await ratedTargets(
    { ...sequence, ids: ids.slice(0, first), target, fed },
    { rate, controls: job },
    model,
    context,
  );
  return [...unrated, ...rated];
}

type Tokenizer = LoadedModel['tokenizer'];

/** A token without a probability. */
export function unratedToken(id: number, { show }: Tokenizer): CompletedToken {
  return { id, token: show(id), log_probability: NaN, rank: 0, alternatives: [] };
}

/** The probability of a token, and those of the likeliest. @param logits  `[vocabulary]` */
export function completedToken(
  logits: Float32Array,
  id: number,
  alternatives: number,
  { show }: Tokenizer,
): CompletedToken {
  const logProbabilityOf = logProbabilitiesOf(logits);
  const tokenOf = (each: number) => ({ id: each, token: show(each), log_probability: logProbabilityOf(each) });
  const others = likeliestIds(logits, alternatives).map(tokenOf);
  return { ...tokenOf(id), rank: rankOf(logits, id), alternatives: others };
}
