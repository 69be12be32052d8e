import { FailureError, messageOf } from '../../../src/contract/failure.ts';
import type { CompletedToken, CompleteJob, Completion, Jobs } from '../../../src/protocol/jobs.ts';
import { shortText } from '../../../src/contract/shown.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { isGreedy } from '../../kernels/next-token.ts';
import { seededRandom } from '../../kernels/seeded-random.ts';
import type { TaskContext } from '../../serving/serve.ts';
import { ratedTargets, ratedToken } from '../predict.ts';
import { predictingSequence, type Sequence, sequenceControls, tokenizeWithin, tooLong } from '../prompt/sequence.ts';
import { growingSequence } from './continuation.ts';
import { createSampler, writtenText } from './sampler.ts';

/** Distance between the seeds of two completions of a job. @source the golden ratio × 2³², as hash functions use it */
const SEED_STEP = 0x9e3779b9;

/**
 * Continues a prompt, once for each candidate of the job. The prompt is computed once, and its controls apply to every token
 * that is written.
 *
 * @param now  the clock of the throttle between parts, and so between checkpoints
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function complete(
  job: CompleteJob,
  model: LoadedModel,
  context: TaskContext,
  now = () => performance.now(),
): Promise<Jobs['complete']['output']> {
  const sequence = job.messages
    ? await dialogueSequence(job.messages, model)
    : await completionSequence(job.prompt, model);
  const { ids, specials, embeddingOverrides } = sequence;
  const { mode, factors } = await sequenceControls(sequence, job, model);
  const echo = job.echo ? await echoed(sequence, job, model, context) : null;
  const steering = factors.some((factor) => factor !== 1) ? factors : undefined;
  const prompt = growingSequence(model.network, { ids, embeddingOverrides, mode, factors: steering });
  const room = model.network.shape.contextTokens - ids.length;
  const limit = Math.min(job.maximum_tokens ?? room, room);
  const choose = createSampler(job, ids, model);
  const output = createOutput(job, limit, echo, context);
  const written = await writeCandidates({ job, model, context, now, prompt, limit, choose, output });
  return {
    completions: best(written, job).map((each) => withEcho(each, echo)),
    promptTokens: ids.length - specials,
    generatedTokens: written.reduce((sum, { tokens }) => sum + tokens.length, 0),
  };
}

interface Writing {
  readonly job: CompleteJob;
  readonly model: LoadedModel;
  readonly context: TaskContext;
  readonly now: () => number;
  readonly prompt: ReturnType<typeof growingSequence>;
  /** Maximum tokens of a completion. */
  readonly limit: number;
  readonly choose: ReturnType<typeof createSampler>;
  readonly output: ReturnType<typeof createOutput>;
}

/** Writes each candidate; where the choice is greedy, all equal the first. */
async function writeCandidates(writing: Writing): Promise<Completion[]> {
  const { job, prompt, limit, output } = writing;
  const written: Completion[] = [];
  try {
    for (let index = 0; index < job.best_of; index++) {
      const [first] = written;
      if (first && isGreedy(job.sampling)) {
        written.push(first);
        output.finish(index, first.text, first.tokens);
        continue;
      }
      if (limit > 0) await prompt.next();
      written.push(await writeOne(index, writing));
    }
  } finally {
    prompt.release();
  }
  return written;
}

async function writeOne(
  index: number,
  { job, model, context, now, prompt, limit, choose, output }: Writing,
): Promise<Completion> {
  const random = seededRandom(job.sampling.seed + index * SEED_STEP);
  const text = writtenText(model.tokenizer, job.stop_sequences);
  const tokens: CompletedToken[] = [];
  const ids: number[] = [];
  const sequence = prompt.fork();
  const isTimeToSend = createThrottle(now);
  let finish: Completion['finish'] = 'maximum_tokens';
  try {
    while (ids.length < limit) {
      const logits = await sequence.next();
      const id = choose(logits, { ids, text: text.raw, tokens: ids.length }, random);
      if (id === null) {
        finish = 'end_of_text';
        break;
      }
      ids.push(id);
      text.push(id);
      tokens.push(rated(id, logits, job, model));
      sequence.push(id);
      if (text.isStopped) {
        finish = 'stop_sequence_reached';
        break;
      }
      if (!isTimeToSend()) continue;
      output.step(index, text.fresh(false), tokens);
      await context.checkpoint();
    }
  } finally {
    sequence.release();
  }
  output.finish(index, text.fresh(true), tokens);
  return { text: text.text, rawText: text.raw, tokens, finish };
}

/** Log-probabilities are computed only where they are used: with a large vocabulary that takes as long as a pass of a small network. */
function rated(id: number, logits: Float32Array, job: CompleteJob, { tokenizer }: LoadedModel): CompletedToken {
  const isRated = typeof job.log_probs === 'number' || job.best_of > job.n;
  if (isRated) return ratedToken(logits, id, job.log_probs ?? 0, tokenizer);
  return { token: tokenizer.show(id), log_probability: NaN, alternatives: [] };
}

/** The `n` that are likeliest per token, in the order in which they were written. */
function best(written: readonly Completion[], { n }: CompleteJob): readonly Completion[] {
  if (written.length <= n) return written;
  const mean = ({ tokens }: Completion) =>
    tokens.reduce((sum, token) => sum + token.log_probability, 0) / Math.max(1, tokens.length);
  const likeliest = new Set(written.toSorted((a, b) => mean(b) - mean(a)).slice(0, n));
  return written.filter((each) => likeliest.has(each)).slice(0, n);
}

function withEcho(completion: Completion, echo: Echo | null): Completion {
  if (!echo) return completion;
  const { text, rawText, tokens } = completion;
  return { ...completion, text: echo.text + text, rawText: echo.text + rawText, tokens: [...echo.tokens, ...tokens] };
}

/**
 * Milliseconds between two parts of a text: about a frame of the screen. With a message and a checkpoint for each token a small
 * network would spend a tenth of its time on them.
 */
const PART_MS = 16;

/** @returns a function, called after each token, that decides whether to send a part; the first token is sent at once */
function createThrottle(now: () => number): () => boolean {
  let sentMs = -Infinity;
  return () => {
    const nowMs = now();
    if (nowMs - sentMs < PART_MS) return false;
    sentMs = nowMs;
    return true;
  };
}

/**
 * Sends the text of a job's completions as it is written, only where every candidate is returned: which of several will be is
 * unknown before the end. `tokens` are those of the completion so far.
 */
function createOutput(
  { best_of: candidates, n: returned }: CompleteJob,
  limit: number,
  echo: Echo | null,
  { listens, progress }: TaskContext,
) {
  const total = candidates * (limit + 1);
  let sent = 0; // tokens
  let begun = -1;
  const send = (index: number, text: string, tokens: readonly CompletedToken[], done: number) => {
    if (!listens) return;
    const isFirst = begun < index;
    if (isFirst) [begun, sent] = [index, 0];
    const before = isFirst && echo ? echo : { text: '', tokens: [] };
    const part = { index, text: before.text + text, tokens: [...before.tokens, ...tokens.slice(sent)] };
    const isSent = candidates === returned && (part.text !== '' || part.tokens.length > 0);
    sent = tokens.length;
    progress({ phase: 'run', done, total, ...(isSent && { completed: [part] }) });
  };
  return {
    step: (index: number, fresh: string, tokens: readonly CompletedToken[]) =>
      send(index, fresh, tokens, index * (limit + 1) + tokens.length),
    finish: (index: number, fresh: string, tokens: readonly CompletedToken[]) =>
      send(index, fresh, tokens, (index + 1) * (limit + 1)),
  };
}

/**
 * A prompt to be continued. An empty one begins a text: with the special ids that the model expects before a text, else with the
 * begin or end mark of its configuration.
 *
 * @throws {FailureError} as `predictingSequence`; INVALID_REQUEST for an empty prompt where the model has no such mark
 */
async function completionSequence(prompt: CompleteJob['prompt'], model: LoadedModel): Promise<Sequence> {
  if (!prompt.items.every(isEmpty)) return predictingSequence(prompt, model);
  const { prefix } = model.tokenizer;
  const ids = prefix.length > 0 ? prefix : [beginMark(prompt.path, model)];
  return { path: prompt.path, ids, embeddingOverrides: [], specials: ids.length, items: [], controls: [] };
}

function isEmpty(item: CompleteJob['prompt']['items'][number]): boolean {
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

type Messages = NonNullable<CompleteJob['messages']>;

/**
 * A dialogue rendered with the folder's chat template, up to where the model's answer begins.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a model without a template or without a head; INVALID_REQUEST with the
 *   template's message for a dialogue that it refuses; PROMPT_TOO_LONG
 */
async function dialogueSequence(messages: Messages, model: LoadedModel): Promise<Sequence> {
  const { tokenizer, network, generation } = model;
  const template = generation?.chatTemplate;
  if (network.shape.vocabulary === 0 || template === undefined)
    throw new FailureError(
      'MISSING_CAPABILITY',
      'model: expected one that was made for dialogues, got one without a chat template',
    );
  const text = await rendered(template, messages, generation?.marks ?? {});
  const limit = network.shape.contextTokens;
  const { ids } = tokenizeWithin(tokenizer, text, { path: 'messages', limit });
  if (ids.length > limit) throw tooLong('messages', `${ids.length}`, limit);
  return { path: 'messages', ids: [...ids], embeddingOverrides: [], specials: 0, items: [], controls: [] };
}

/** Characters of a template's own message. */
const MAX_CAUSE = 500;

async function rendered(template: string, messages: Messages, marks: object): Promise<string> {
  const { renderChatTemplate } = await import('./chat-template.ts');
  try {
    return renderChatTemplate(template, { ...marks, messages, add_generation_prompt: true });
  } catch (error) {
    // A template's errors are meant for people, such as "roles must alternate".
    const cause = messageOf(error);
    throw new FailureError(
      'INVALID_REQUEST',
      `messages: the model's chat template refuses them: ${shortText(cause, MAX_CAUSE)}`,
    );
  }
}

interface Echo {
  readonly text: string;
  readonly tokens: readonly CompletedToken[];
}

/**
 * The prompt as text and tokens, each with its log-probability where the job requests it. Nothing predicts the very first id.
 *
 * @throws {FailureError} INVALID_REQUEST for a prompt with a picture, which is not text
 */
async function echoed(sequence: Sequence, job: CompleteJob, model: LoadedModel, context: TaskContext): Promise<Echo> {
  const { path, ids, specials, items, embeddingOverrides } = sequence;
  const picture = embeddingOverrides.length > 0 ? items.findIndex(({ type }) => type === 'image') : -1;
  if (picture >= 0)
    throw new FailureError(
      'INVALID_REQUEST',
      `echo: expected a prompt of text and token ids, got an image at ${path}[${picture}]`,
    );
  const { tokenizer } = model;
  const text = items
    .map((item) =>
      item.type === 'text' ? item.tokenized.text : tokenizer.read(ids.slice(item.first, item.first + item.count)).text,
    )
    .join('');
  const plain = ids
    .slice(specials)
    .map((id) => ({ token: tokenizer.show(id), log_probability: NaN, alternatives: [] }));
  if (typeof job.log_probs !== 'number') return { text, tokens: plain };
  const first = Math.max(1, specials);
  const target = { text: '', ids: ids.slice(first), spans: [] };
  const fed = { ...sequence, ids: ids.slice(0, -1) };
  const rating = { alternatives: job.log_probs, controls: job };
  const rated =
    target.ids.length === 0
      ? []
      : await ratedTargets({ ...sequence, ids: ids.slice(0, first), target, fed }, rating, model, context);
  return { text, tokens: [...(specials === 0 ? plain.slice(0, 1) : []), ...rated] };
}
