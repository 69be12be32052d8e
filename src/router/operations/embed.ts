import { DESCRIBED } from '../../contract/description/operations.ts';
import type { EmbedRequest } from '../../contract/embed.ts';
import { operation } from '../operation.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt } from '../request/prompt.ts';
import { shortest } from '../response/shortest-number.ts';

/** `POST /embed`. */
export const embed = operation({
  ...DESCRIBED.embed,
  kind: 'embed',
  use: 'embed',
  input: async (body, tools) => ({
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    layers: body.layers ?? [-1],
    poolings: poolingsOf(body),
    controls: controlOptions(body),
    normalize: body.normalize,
    wantsTokens: body.tokens ?? false,
  }),
  output({ layers, tokens, tokenCount }, { body, version }) {
    const poolings = poolingsOf(body);
    const pooled = layers.map(({ layer, vectors }) => {
      const named = poolings.map((name, i) => [name, Array.from(vectors[i] ?? [], shortest)]);
      return [`layer_${layer}`, Object.fromEntries(named)];
    });
    return {
      model_version: version,
      embeddings: Object.fromEntries(pooled),
      tokens: tokens && [...tokens],
      num_tokens_prompt_total: tokenCount,
    };
  },
});

function poolingsOf({ pooling }: EmbedRequest) {
  return [...new Set(pooling ?? (['mean'] as const))];
}
