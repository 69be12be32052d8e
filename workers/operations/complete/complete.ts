import type { CompletedToken, CompleteJob, Completion, Jobs } from '../../../src/protocol/jobs.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { isGreedy } from '../../kernels/next-token.ts';
import { seededRandom } from '../../kernels/seeded-random.ts';
import type { TaskContext } from '../../serving/serve.ts';
import { type Sequence, sequenceControls } from '../prompt/sequence.ts';
import { endMarks, growingSequence } from './continuation.ts';
import type { JsonConstraint } from './json/constraint.ts';
import { continuedSequence, promptTokens, completedToken, promptText, unratedToken } from './prompts.ts';
import { createSampler, writtenText } from './sampler.ts';

/** Distance between the seeds of two completions of a job. @source the golden ratio × 2³², as hash functions use it */
const SEED_STEP = 0x9e3779b9;

/**
 * Continues each prompt of a job, once for each candidate.
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
  const written: Awaited<ReturnType<typeof completePrompt>>[] = [];
  const constraint = await constraintOf(job, model);
  const contexts = contextsOf(job, context);
  for (const [at, prompt] of job.prompts.entries()) {
    const first = at * job.best_of;
    written.push(await completePrompt(prompt, job, model, { first, context: contexts(), now, constraint }));
  }
  const sum = (field: 'promptTokens' | 'generatedTokens') => written.reduce((all, each) => all + each[field], 0);
  return {
    completions: written.flatMap(({ completions }) => completions),
    ratedPrompts: job.promptAlternatives === null ? [] : written.map(({ ratedPrompt }) => ratedPrompt),
    promptTokens: sum('promptTokens'),
    generatedTokens: sum('generatedTokens'),
  };
}

/**
 * The contexts of a job's prompts, one after the other: completions and progress are those after the ones of the prompts before. Each
 * prompt leaves room for another number of tokens.
 */
function contextsOf({ n, prompts }: CompleteJob, context: TaskContext): () => TaskContext {
  let next = 0;
  let steps = 0; // of the prompts so far
  return () => {
    const at = next++;
    const before = steps;
    return {
      ...context,
      progress({ done, total, completed, ...rest }) {
        steps = before + total;
        context.progress({
          ...rest,
          done: before + done,
          total: before + (prompts.length - at) * total,
          ...(completed && { completed: completed.map((part) => ({ ...part, index: at * n + part.index })) }),
        });
      },
    };
  };
}

/** The prompt is computed once, and its controls apply to every token that is written. */
async function completePrompt(
  given: CompleteJob['prompts'][number],
  job: CompleteJob,
  model: LoadedModel,
  {
    first,
    context,
    now,
    constraint,
  }: Pick<Writing, 'first' | 'context' | 'now'> & { readonly constraint: JsonConstraint | null },
) {
  const sequence = await continuedSequence(given, model);
  const { ids, specials, embeddingOverrides } = sequence;
  const { mode, factors } = await sequenceControls(sequence, job, model);
  const text = job.echo ? promptText(sequence, model) : '';
  const ratedPrompt = await promptTokens(sequence, job, model, context);
  const echo = job.echo ? { text, tokens: echoedTokens(ratedPrompt, job) } : null;
  const controls = factors.some((factor) => factor !== 1) ? factors : undefined;
  const prompt = growingSequence(model.network, { ids, embeddingOverrides, mode, factors: controls });
  const room = model.network.shape.contextTokens - ids.length;
  const limit = Math.min(job.maximum_tokens ?? room, room);
  const sampler = createSampler(job, givenIds(sequence), model, constraint);
  const output = createOutput(job, limit, echo, context);
  const written = await writeCandidates({ job, model, first, context, now, prompt, limit, sampler, output });
  return {
    completions: best(written, job).map((each) => withEcho(each, echo)),
    ratedPrompt,
    promptTokens: ids.length - specials,
    generatedTokens: written.reduce((sum, { tokens }) => sum + tokens.length, 0),
  };
}

/** One for all prompts and candidates; its code is loaded with the first request for JSON. */
async function constraintOf({ json }: CompleteJob, model: LoadedModel): Promise<JsonConstraint | null> {
  return json && (await import('./json/constraint.ts')).jsonConstraint(json, model, endMarks(model));
}

/** The ids of a sequence without the positions of its pictures, which have none. */
function givenIds({ ids, items }: Sequence): number[] {
  const pictures = items.filter(({ type }) => type === 'image');
  return ids.filter((_, at) => !pictures.some(({ first, count }) => at >= first && at < first + count));
}

interface Writing {
  readonly job: CompleteJob;
  readonly model: LoadedModel;
  /** Candidates of the prompts before: equal prompts get other random numbers. */
  readonly first: number;
  readonly context: TaskContext;
  readonly now: () => number;
  readonly prompt: ReturnType<typeof growingSequence>;
  /** Maximum tokens of a completion. */
  readonly limit: number;
  readonly sampler: ReturnType<typeof createSampler>;
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
      if (limit > 0) await nextOf(prompt, writing);
      written.push(await writeOne(index, writing));
    }
  } finally {
    prompt.release();
  }
  return written;
}

/** What the next token is chosen from: logits, or the id of the likeliest token where that is enough. */
async function nextOf(sequence: Writing['prompt'], { job, sampler }: Writing): Promise<Float32Array | number> {
  return sampler.takesLikeliest && !isRated(job) ? sequence.likeliestId() : sequence.next();
}

async function writeOne(index: number, writing: Writing): Promise<Completion> {
  const { job, model, first, context, now, prompt, limit, sampler, output } = writing;
  const random = seededRandom(job.sampling.seed + (first + index) * SEED_STEP);
  const text = writtenText(model.tokenizer, job.stop_sequences);
  const tokens: CompletedToken[] = [];
  const ids: number[] = [];
  const sequence = prompt.fork();
  const isTimeToSend = createThrottle(now);
  let finish: Completion['finish'] = 'maximum_tokens';
  try {
    while (ids.length < limit) {
      const next = await nextOf(sequence, writing);
      const id = sampler.choose(next, { ids, text: text.raw, tokens: ids.length }, random);
      if (id === null) {
        finish = 'end_of_text';
        break;
      }
      ids.push(id);
      text.push(id);
      tokens.push(rated(id, next, job, model));
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

function isRated({ log_probs: alternatives, best_of: candidates, n }: CompleteJob): boolean {
  return typeof alternatives === 'number' || candidates > n;
}

/** Log-probabilities are computed only where they are used: with a large vocabulary that takes as long as a pass of a small network. */
function rated(id: number, next: Float32Array | number, job: CompleteJob, { tokenizer }: LoadedModel): CompletedToken {
  if (isRated(job) && typeof next !== 'number') return completedToken(next, id, job.log_probs ?? 0, tokenizer);
  return unratedToken(id, tokenizer);
}

/** The `n` that are likeliest per token, in the order in which they were written. */
function best(written: readonly Completion[], { n }: CompleteJob): readonly Completion[] {
  if (written.length <= n) return written;
  const mean = ({ tokens }: Completion) =>
    tokens.reduce((sum, token) => sum + token.log_probability, 0) / Math.max(1, tokens.length);
  const likeliest = new Set(written.toSorted((a, b) => mean(b) - mean(a)).slice(0, n));
  return written.filter((each) => likeliest.has(each)).slice(0, n);
}

interface Echo {
  readonly text: string;
  readonly tokens: readonly CompletedToken[];
}

function echoedTokens(tokens: readonly CompletedToken[], { log_probs: count }: CompleteJob): readonly CompletedToken[] {
  return tokens.map((token) => ({ ...token, alternatives: token.alternatives.slice(0, count ?? 0) }));
}

function withEcho(completion: Completion, echo: Echo | null): Completion {
  if (!echo) return completion;
  const { text, rawText, tokens } = completion;
  return { ...completion, text: echo.text + text, rawText: echo.text + rawText, tokens: [...echo.tokens, ...tokens] };
}

/** Milliseconds between two parts of a text, about a frame: one for each token would take a tenth of the time. */
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
