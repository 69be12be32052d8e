import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import type { EmbedRequest } from '../../contract/embed.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { JobPrompt } from '../../protocol/model-job.ts';
import { type InputTools, operation } from '../operation.ts';
import type { Pause } from '../../contract/pause.ts';
import { jobPrompt } from '../request/prompt.ts';
import { shortest } from '../response/json-text.ts';

const embed = operation({
  ...OPERATION_DOCS.embed,
  kind: 'embed',
  use: 'embed',
  input: async (body, tools) => ({
    ...body,
    prompt: await jobPrompt(body.prompt, 'prompt', tools),
    layers: body.layers ?? [-1],
    pooling: poolingsOf(body),
  }),
  output({ layers, ...counted }, { body, version }) {
    const poolings = poolingsOf(body);
    const pooled = layers.map(({ layer, vectors }) => {
      const named = poolings.map((name, i) => [name, Array.from(vectors[i] ?? [], shortest)]);
      return [`layer_${layer}`, Object.fromEntries(named)];
    });
    return { model_version: version, embeddings: Object.fromEntries(pooled), ...counted };
  },
});

function poolingsOf({ pooling }: EmbedRequest) {
  return [...new Set(pooling ?? (['mean'] as const))];
}

const semanticEmbed = operation({
  ...OPERATION_DOCS.semanticEmbed,
  kind: 'semanticEmbed',
  use: 'semantic_embed',
  input: async ({ prompt, ...body }, tools) => ({ ...body, prompts: [await jobPrompt(prompt, 'prompt', tools)] }),
  output: ({ vectors, ...counted }, { version }) => ({
    model_version: version,
    embedding: Array.from(vectors[0] ?? [], shortest),
    ...counted,
  }),
});

const batchSemanticEmbed = operation({
  ...OPERATION_DOCS.batchSemanticEmbed,
  kind: 'semanticEmbed',
  use: 'semantic_embed',
  input: async (body, tools) => ({ ...body, prompts: await jobPrompts(body.prompts, tools) }),
  output: async ({ vectors, ...counted }, { version, pause }) => ({
    model_version: version,
    embeddings: await allNumbers(vectors, pause),
    ...counted,
  }),
});

/** `POST /embed`, `/semantic_embed` and `/batch_semantic_embed`. */
export const embedOperations = [embed, semanticEmbed, batchSemanticEmbed];

async function jobPrompts(prompts: readonly Prompt[], tools: InputTools): Promise<JobPrompt[]> {
  const checked: JobPrompt[] = [];
  for (const [index, prompt] of prompts.entries()) checked.push(await jobPrompt(prompt, `prompts[${index}]`, tools));
  return checked;
}

/** Half a million numbers are converted in parts, so that the page stays responsive. */
async function allNumbers(vectors: readonly Float32Array[], pause: Pause): Promise<number[][]> {
  const all: number[][] = [];
  for (const vector of vectors) {
    all.push(Array.from(vector, shortest));
    await pause();
  }
  return all;
}
