import { DESCRIBED } from '../../contract/description/operations.ts';
import type { ShownToken } from '../../protocol/target-jobs.ts';
import { operation } from '../operation.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt } from '../request/prompt.ts';
import { nonEmptyText } from '../request/text.ts';

/** `POST /predict`. */
export const predict = operation({
  ...DESCRIBED.predict,
  kind: 'predict',
  use: 'predict',
  input: async (body, tools) => ({
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    target: body.target === null ? null : nonEmptyText(body.target, 'target'),
    alternatives: body.alternatives,
    maximumTokens: body.maximum_tokens,
    controls: controlOptions(body),
  }),
  output({ continuation, target }, { version }) {
    return {
      model_version: version,
      continuation: { text: continuation.text, tokens: continuation.tokens.map(tokenToWire) },
      target: target && {
        log_probability: target.reduce((total, { logProbability }) => total + logProbability, 0),
        tokens: target.map(({ alternatives, ...token }) => ({
          ...tokenToWire(token),
          alternatives: alternatives.map(tokenToWire),
        })),
      },
    };
  },
});

function tokenToWire({ token, logProbability }: ShownToken) {
  return { token, log_probability: logProbability };
}
