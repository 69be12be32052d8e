import { DESCRIBED } from '../../contract/description/operations.ts';
import { operation } from '../operation.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt } from '../request/prompt.ts';
import { nonEmptyText } from '../request/text.ts';

/** `POST /evaluate`. */
export const evaluate = operation({
  ...DESCRIBED.evaluate,
  kind: 'evaluate',
  use: 'evaluate',
  input: async (body, tools) => ({
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    expected: nonEmptyText(body.completion_expected, 'completion_expected'),
    controls: controlOptions(body),
  }),
  output({ logProbabilities, isGreedy, completion }, { body, version }) {
    const sum = logProbabilities.reduce((total, each) => total + each, 0);
    const tokens = logProbabilities.length;
    const characters = [...body.completion_expected].length;
    const result = {
      log_probability: sum,
      log_perplexity: -sum,
      log_perplexity_per_token: -sum / tokens,
      log_perplexity_per_character: -sum / characters,
      correct_greedy: isGreedy,
      token_count: tokens,
      character_count: characters,
      completion,
    };
    return { model_version: version, message: null, result };
  },
});
