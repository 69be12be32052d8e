import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { operation, type InputTools } from '../operation.ts';
import type { Prompt } from '../../contract/prompt.ts';
import { jobPrompt } from '../request/prompt.ts';
import { nonEmptyText } from '../request/text.ts';

const evaluate = operation({
  ...OPERATION_DOCS.evaluate,
  kind: 'evaluate',
  use: 'evaluate',
  input: async (body, tools) => ({
    ...body,
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    completion_expected: nonEmptyText(body.completion_expected, 'completion_expected'),
  }),
  output({ logProbabilities, likeliest, promptTokens }, { body, version }) {
    const sum = logProbabilities.reduce((total, each) => total + each, 0);
    const tokens = logProbabilities.length;
    const characters = [...body.completion_expected].length;
    const result = {
      log_probability: sum,
      log_perplexity: -sum,
      log_perplexity_per_token: -sum / tokens,
      log_perplexity_per_character: -sum / characters,
      correct_greedy: likeliest?.isGreedy,
      token_count: tokens,
      character_count: characters,
      completion: likeliest?.completion,
    };
    return { model_version: version, message: null, result, num_tokens_prompt_total: promptTokens };
  },
});

async function targetInput<Body extends { readonly prompt: Prompt; readonly target: string | null }>(
  body: Body,
  tools: InputTools,
) {
  const target = body.target === null ? null : nonEmptyText(body.target, 'target');
  return { ...body, prompt: await jobPrompt(body.prompt, 'prompt', tools), target };
}

const predict = operation({
  ...OPERATION_DOCS.predict,
  kind: 'predict',
  use: 'predict',
  input: targetInput,
  output: ({ continuation, target }, { version }) => ({
    model_version: version,
    continuation,
    target: target && {
      log_probability: target.reduce((total, { log_probability: each }) => total + each, 0),
      tokens: target,
    },
  }),
});

const lens = operation({
  ...OPERATION_DOCS.lens,
  kind: 'lens',
  use: 'predict',
  input: targetInput,
  output: ({ positions }, { version }) => ({ model_version: version, positions }),
});

/** `POST /evaluate`, `/predict` and `/lens`. */
export const likelihoodOperations = [evaluate, predict, lens];
