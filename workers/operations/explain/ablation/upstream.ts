import { FailureError } from '../../../../src/contract/failure.ts';
import type { ExplainJob, ExplainOutput, Jobs } from '../../../../src/protocol/jobs.ts';
import type { Device, Preparation } from '../../../../src/protocol/model-job.ts';
import { connectToUpstream, textsOf } from '../../../engine/upstream/completions.ts';
import { createTokenBudget } from '../../../engine/upstream/token-budget.ts';
import { sectionsOfItems } from '../../../kernels/text-sections.ts';
import type { TaskContext } from '../../../serving/serve.ts';
import { explainByAblation } from './ablation.ts';
import type { LikelihoodSource } from './likelihoods.ts';

type Upstream = NonNullable<Device['upstream']>;
/** Tests wait for less time before further attempts. */
type Options = Parameters<typeof connectToUpstream>[1];

/**
 * Explains by ablation with a model behind an OpenAI-compatible server.
 *
 * @throws {FailureError} ENGINE_UNAVAILABLE, MISSING_CAPABILITY, or INVALID_REQUEST for token ids, or where it would cost too much
 */
export async function explainByAblationAt(
  upstream: Upstream,
  job: ExplainJob,
  context: TaskContext,
  options: Options = {},
): Promise<ExplainOutput> {
  const texts = textsOf(job.prompt);
  const items = texts.map((text) => ({ type: 'text' as const, tokenized: { text, spans: [] } }));
  const server = connectToUpstream(upstream, options);
  const budget = createTokenBudget(upstream);
  const rate = async (prompt: string, signal: AbortSignal) => {
    const text = { prompt, target: job.target };
    return (await budget.take(prompt + job.target, (onLost) => server.rate(text, signal, onLost))).tokens;
  };
  const whole = await rate(texts.join(''), context.signal);
  const targetTokens = whole.map(({ text }) => text);
  const plan = {
    sections: sectionsOfItems(items, job.prompt_granularity, job.explained_items),
    targetTokens: job.target_granularity === 'token' ? targetTokens : [job.target],
    foilTokens: [],
  };
  const source: LikelihoodSource = {
    inFlight: server.limit,
    checkPlan: budget.checkPlan,
    async logProbabilities(prompt, signal) {
      const tokens = await rate(textsOf(prompt).join(''), signal);
      if (job.target_granularity === 'token' && tokens.some(({ text }, at) => text !== targetTokens[at]))
        throw new FailureError(
          'INVALID_REQUEST',
          `target_granularity: expected "complete", since ${upstream.address} divides the target into other tokens after other prompts`,
        );
      return logProbabilitiesOf(tokens);
    },
  };
  const output = await explainByAblation({ job, plan, source, whole: logProbabilitiesOf(whole), context });
  return { ...output, tokens: budget.spent() };
}

/**
 * How likely a text is after a prompt, on the server that has the model.
 *
 * @throws {FailureError} as `explainByAblationAt`
 */
export async function evaluateAt(
  upstream: Upstream,
  { prompt: items, completion_expected: target }: Jobs['evaluate']['input'],
  { signal }: TaskContext,
): Promise<Jobs['evaluate']['output']> {
  const prompt = textsOf(items).join('');
  const { rate } = connectToUpstream(upstream);
  const send = (onLost: () => void) => rate({ prompt, target }, signal, onLost);
  const { tokens, promptTokens } = await createTokenBudget(upstream).take(prompt + target, send);
  return { logProbabilities: logProbabilitiesOf(tokens), likeliest: null, promptTokens };
}

function logProbabilitiesOf(tokens: readonly { readonly logProbability: number }[]): Float64Array {
  return Float64Array.from(tokens, ({ logProbability }) => logProbability);
}

/** A text of ours, so that no text of the user is sent. */
const TRIAL = { prompt: 'The capital of France is', target: ' Paris' };

/** Finds out whether a server tells how likely a text is. @throws {FailureError} with why it does not */
export async function prepareAt(upstream: Upstream, { signal }: TaskContext): Promise<Preparation> {
  const { tokens } = await connectToUpstream(upstream).rate(TRIAL, signal);
  const sum = tokens.reduce((total, { logProbability }) => total + logProbability, 0);
  const reason = `${upstream.address}/${upstream.model} finds${TRIAL.target} ${(100 * Math.exp(sum)).toPrecision(2)} % likely after "${TRIAL.prompt}".`;
  return { backend: 'remote', threads: 1, reason };
}
