import { DESCRIBED } from '../../contract/description/operations.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { SemanticEmbedRequest } from '../../contract/semantic-embed.ts';
import type { JobPrompt } from '../../protocol/prompt.ts';
import { operation, type JobInput } from '../operation.ts';
import type { Pause } from '../pause.ts';
import { controlOptions } from '../request/model-choice.ts';
import { jobPrompt, type PromptTools } from '../request/prompt.ts';
import { shortest } from '../response/shortest-number.ts';

/** `POST /semantic_embed`. */
export const semanticEmbed = operation({
  ...DESCRIBED.semanticEmbed,
  kind: 'semanticEmbed',
  use: 'semantic_embed',
  input: async (body, tools) => inputOf(body, [await jobPrompt(body.prompt, 'prompt', tools)]),
  output: ({ vectors, tokenCount }, { version }) => ({
    model_version: version,
    embedding: numbersOf(vectors[0] ?? new Float32Array(0)),
    num_tokens_prompt_total: tokenCount,
  }),
});

/** `POST /batch_semantic_embed`. */
export const batchSemanticEmbed = operation({
  ...DESCRIBED.batchSemanticEmbed,
  kind: 'semanticEmbed',
  use: 'semantic_embed',
  input: async (body, tools) => inputOf(body, await jobPrompts(body.prompts, tools)),
  output: async ({ vectors, tokenCount }, { version, pause }) => ({
    model_version: version,
    embeddings: await allNumbers(vectors, pause),
    num_tokens_prompt_total: tokenCount,
  }),
});

type Options = Omit<SemanticEmbedRequest, 'prompt'>;

function inputOf(body: Options, prompts: readonly JobPrompt[]): JobInput<'semanticEmbed'> {
  return {
    prompts,
    representation: body.representation,
    compressToSize: body.compress_to_size ?? null,
    controls: controlOptions(body),
    normalize: body.normalize,
  };
}

async function jobPrompts(prompts: readonly Prompt[], tools: PromptTools): Promise<JobPrompt[]> {
  const checked: JobPrompt[] = [];
  for (const [index, prompt] of prompts.entries()) checked.push(await jobPrompt(prompt, `prompts[${index}]`, tools));
  return checked;
}

/** Half a million numbers are converted in pieces, so that the page stays free in between. */
async function allNumbers(vectors: readonly Float32Array[], pause: Pause): Promise<number[][]> {
  const all: number[][] = [];
  for (const vector of vectors) {
    all.push(numbersOf(vector));
    await pause();
  }
  return all;
}

function numbersOf(vector: Float32Array): number[] {
  return Array.from(vector, shortest);
}
