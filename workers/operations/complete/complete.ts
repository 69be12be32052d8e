import type {
  Completed,
  CompletedToken,
  CompleteJob,
  Completion,
  Finish,
} from '../../../src/protocol/likelihood/complete-job.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { seededRandom } from '../../kernels/seeded-random.ts';
import { likeliestTokens, logProbabilitiesOf } from '../../kernels/tokens/next-token.ts';
import { isGreedy } from '../../kernels/tokens/sampling.ts';
import type { JobContext } from '../context.ts';
import { perturbationMode, sequenceControls } from '../prompt/controls.ts';
import type { Sequence } from '../prompt/sequence.ts';
import { type Choose, createChooser } from './chooser.ts';
import { type GrowingSequence, growingSequence } from './continuation.ts';
import { dialogueSequence } from './dialogue.ts';
import { echoed, type Echo } from './echo.ts';
import { openingSequence } from './opening.ts';
import { createStretches } from './stretches.ts';
import { createTelling, type Telling } from './telling.ts';
import { writtenText } from './written-text.ts';

/** Random numbers of two completions of a job are this far apart. @source the golden ratio × 2³², as hash functions use it */
const SEED_STEP = 0x9e3779b9;

/**
 * Continues a prompt, several times where that is asked for. The prompt is computed once, and its controls count for every
 * token that is written.
 *
 * @param now  the clock by which parts are told, and other jobs and messages let in
 * @throws {FailureError} INVALID_REQUEST, PROMPT_TOO_LONG or MISSING_CAPABILITY
 */
export async function complete(
  job: CompleteJob,
  model: LoadedModel,
  context: JobContext,
  now = () => performance.now(),
): Promise<Completed> {
  const sequence = job.messages
    ? await dialogueSequence(job.messages, model)
    : await openingSequence(job.prompt, model);
  const { ids, embeddingOverrides } = sequence;
  const { factors } = await sequenceControls(sequence, job.controls, model);
  const echo = job.echo ? await echoed(sequence, job, model, context) : null;
  const steered = factors.some((factor) => factor !== 1) ? factors : undefined;
  const beginning = { ids, embeddingOverrides, factors: steered, mode: perturbationMode(job.controls) };
  const prompt = growingSequence(model.network, beginning);
  const room = model.network.shape.contextTokens - ids.length;
  const most = Math.min(job.maximumTokens ?? room, room);
  const choose = createChooser(job, ids, model);
  const telling = createTelling(job, most, echo, context);
  const written: Completion[] = [];
  try {
    for (let index = 0; index < job.candidates; index++) {
      const [first] = written;
      if (first && isGreedy(job.choice)) {
        written.push(first);
        telling.repeat(index, first);
        continue;
      }
      if (most > 0) await prompt.next();
      written.push(await writeOne({ index, most, prompt, choose, telling, job, model, context, now }));
    }
  } finally {
    prompt.release();
  }
  return {
    completions: best(written, job).map((each) => withEcho(each, echo)),
    promptTokens: countOf(sequence),
    generatedTokens: written.reduce((sum, { tokens }) => sum + tokens.length, 0),
  };
}

interface Writing {
  readonly index: number;
  readonly most: number;
  readonly prompt: GrowingSequence;
  readonly choose: Choose;
  readonly telling: Telling;
  readonly job: CompleteJob;
  readonly model: LoadedModel;
  readonly context: JobContext;
  readonly now: () => number;
}

async function writeOne({
  index,
  most,
  prompt,
  choose,
  telling,
  job,
  model,
  context,
  now,
}: Writing): Promise<Completion> {
  const random = seededRandom(job.choice.seed + index * SEED_STEP);
  const text = writtenText(model.tokenizer, job.stopSequences);
  const tokens: CompletedToken[] = [];
  const ids: number[] = [];
  const sequence = prompt.fork();
  const endsStretch = createStretches(now);
  let finish: Finish = 'maximum_tokens';
  try {
    while (ids.length < most) {
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
      if (!endsStretch()) continue;
      telling.step(index, text.fresh(false), tokens);
      await context.checkpoint();
    }
  } finally {
    sequence.release();
  }
  telling.finish(index, text.fresh(true), tokens);
  return { text: text.text, rawText: text.raw, tokens, finish };
}

/** What is not asked for is not computed: for a large vocabulary that takes as long as a pass of a small network. */
function rated(id: number, logits: Float32Array, job: CompleteJob, { tokenizer }: LoadedModel): CompletedToken {
  const token = tokenizer.show(id);
  const isRated = job.logProbabilities !== null || job.candidates > job.returned;
  if (!isRated) return { token, logProbability: NaN, alternatives: [] };
  const logProbabilityOf = logProbabilitiesOf(logits);
  const best = job.logProbabilities ? likeliestTokens(logits, job.logProbabilities, logProbabilityOf) : [];
  return {
    token,
    logProbability: logProbabilityOf(id),
    alternatives: best.map((each) => ({ token: tokenizer.show(each.id), logProbability: each.logProbability })),
  };
}

/** Those that are likeliest per token, in the order in which they were written. */
function best(written: readonly Completion[], { returned }: CompleteJob): readonly Completion[] {
  if (written.length <= returned) return written;
  const mean = ({ tokens }: Completion) =>
    tokens.reduce((sum, { logProbability }) => sum + logProbability, 0) / Math.max(1, tokens.length);
  const kept = new Set(written.toSorted((a, b) => mean(b) - mean(a)).slice(0, returned));
  return written.filter((each) => kept.has(each)).slice(0, returned);
}

function withEcho(completion: Completion, echo: Echo | null): Completion {
  if (!echo) return completion;
  const { text, rawText, tokens } = completion;
  return { ...completion, text: echo.text + text, rawText: echo.text + rawText, tokens: [...echo.tokens, ...tokens] };
}

function countOf({ ids, specials }: Sequence): number {
  return ids.length - specials;
}
