import { FailureError } from '../../../src/contract/failure.ts';
import type { CompleteJob, Completion, Jobs } from '../../../src/protocol/jobs.ts';
import type { Device } from '../../../src/protocol/model-job.ts';
import { connectToUpstream, textsOf } from '../../engine/upstream/completions.ts';
import { createTokenBudget } from '../../engine/upstream/token-budget.ts';
import type { TaskContext } from '../../serving/serve.ts';

/** Tokens that are written where the request has no limit. @source OpenAI API reference, "Create completion" */
const MAX_TOKENS = 16;

/**
 * Continues one prompt with the likeliest token in turn, on the server that has the model.
 *
 * @throws {FailureError} ENGINE_UNAVAILABLE, or INVALID_REQUEST for what only models of the page can do, or where it would cost too much
 */
export async function completeAt(
  upstream: NonNullable<Device['upstream']>,
  job: CompleteJob,
  { signal, progress }: TaskContext,
): Promise<Jobs['complete']['output']> {
  checkPlain(job, upstream.address);
  const [prompt] = job.prompts;
  if (!prompt || 'messages' in prompt) throw refusal('messages', 'a prompt', 'a dialogue', upstream.address);
  const text = textsOf(prompt).join('');
  const most = job.maximum_tokens ?? MAX_TOKENS;
  const { write } = connectToUpstream(upstream);
  const send = (onLost: () => void) => write(text, most, signal, onLost);
  const written = await createTokenBudget(upstream).take(text, send, most);
  const completion: Completion = {
    text: written.text,
    rawText: written.text,
    // A server tells neither ids nor ranks.
    tokens: written.tokens.map((token) => ({
      id: -1,
      token: token.text,
      log_probability: token.logProbability,
      rank: 0,
      alternatives: [],
    })),
    finish: written.isCut ? 'maximum_tokens' : 'end_of_text',
  };
  const { tokens } = completion;
  progress({ phase: 'run', done: 1, total: 1, completed: [{ index: 0, text: written.text, tokens }] });
  const { promptTokens } = written;
  return { completions: [completion], ratedPrompts: [], promptTokens, generatedTokens: tokens.length };
}

/** @throws {FailureError} INVALID_REQUEST for a field that changes what is written */
function checkPlain(job: CompleteJob, address: string): void {
  const { repetition, sampling, prompts } = job;
  const fields: Readonly<Record<string, readonly [got: unknown, plain: unknown]>> = {
    prompt: [prompts.length, 1],
    n: [job.n, 1],
    best_of: [job.best_of, 1],
    echo: [job.echo, false],
    minimum_tokens: [job.minimum_tokens, 0],
    log_probs: [Math.max(0, job.log_probs ?? 0), 0],
    prompt_logprobs: [job.promptAlternatives, null],
    temperature: [sampling.temperature, 0],
    top_k: [sampling.topK, 0],
    top_p: [sampling.topP, 0],
    presence_penalty: [repetition.presence.strength, 0],
    frequency_penalty: [repetition.frequency.strength, 0],
    sequence_penalty: [repetition.sequence.strength, 0],
    logit_bias: [job.logitBias.length, 0],
    completion_bias_inclusion: [job.inclusion, null],
    completion_bias_exclusion: [job.exclusion, null],
    stop_sequences: [job.stop_sequences.length, 0],
    response_format: [job.json && 'JSON', null],
  };
  for (const [name, [got, plain]] of Object.entries(fields))
    if (got !== plain) throw refusal(name, String(plain), JSON.stringify(got), address);
}

function refusal(field: string, expected: string, got: string, address: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${field}: expected ${expected} for a model at ${address}, got ${got}`);
}
