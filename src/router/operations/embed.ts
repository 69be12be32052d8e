import { toBase64 } from '../../contract/wire/base64.ts';
import { OPENAI_DOCS, OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import type { BatchSemanticEmbedRequest, EmbedRequest } from '../../contract/embed.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { JobPrompt } from '../../protocol/model-job.ts';
import { type InputTools, operation } from '../operation.ts';
import type { Pause } from '../../contract/pause.ts';
import { jobPromptsOf } from '../request/openai-request.ts';
import { jobPrompt } from '../request/prompt.ts';
import { wellFormed } from '../request/text.ts';
import { shortest } from '../response/respond.ts';

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
  input: async ({ prompt, ...body }, tools) => ({
    ...body,
    prompts: [await jobPrompt(prompt, 'prompt', tools)],
    cut: compressed(body),
  }),
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
  input: async (body, tools) => ({ ...body, prompts: await jobPrompts(body.prompts, tools), cut: compressed(body) }),
  output: async ({ vectors, ...counted }, { version, pause }) => ({
    model_version: version,
    embeddings: await allNumbers(vectors, pause),
    ...counted,
  }),
});

function compressed({ compress_to_size: size }: Pick<BatchSemanticEmbedRequest, 'compress_to_size'>) {
  return typeof size === 'number' ? { path: 'compress_to_size', size } : null;
}

const instructableEmbed = operation({
  ...OPERATION_DOCS.instructableEmbed,
  kind: 'semanticEmbed',
  use: 'semantic_embed',
  input: async ({ input, instruction, ...body }, tools) => ({
    ...body,
    representation: 'query' as const,
    instruction: instructionText(wellFormed(instruction, 'instruction')),
    prompts: [await jobPrompt(input, 'input', tools)],
  }),
  output: ({ vectors, ...counted }, { version }) => ({
    model_version: version,
    embedding: Array.from(vectors[0] ?? [], shortest),
    ...counted,
  }),
});

/** @source the model cards of e5-mistral-7b-instruct and Qwen3-Embedding: models that follow instructions were trained with this form */
function instructionText(instruction: string): string {
  return instruction === '' ? '' : `Instruct: ${instruction}\nQuery: `;
}

const rerank = operation({
  ...OPERATION_DOCS.rerank,
  kind: 'rerank',
  use: 'semantic_embed',
  input: async ({ query, documents }, tools) => ({
    query: await jobPrompt(query, 'query', tools),
    documents: await jobPromptsOf(documents, 'documents', tools),
  }),
  output: ({ cosines, tokens }, { body }) => ({
    results: cosines
      .map((cosine, index) => ({ index, relevance_score: shortest(Math.fround(cosine)) }))
      .toSorted((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
      .slice(0, body.top_n ?? cosines.length),
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
  }),
});

const embeddings = (doc: (typeof OPENAI_DOCS | typeof OPERATION_DOCS)['embeddings']) =>
  operation({
    ...doc,
    kind: 'semanticEmbed',
    use: 'semantic_embed',
    input: async ({ input, dimensions }, tools) => ({
      prompts: await jobPromptsOf(input, 'input', tools),
      representation: 'symmetric' as const,
      normalize: true,
      control_log_additive: true,
      cut: typeof dimensions === 'number' ? { path: 'dimensions', size: dimensions } : null,
    }),
    output: async ({ vectors, num_tokens_prompt_total: tokens }, { body, version, pause }) => {
      const written = body.encoding_format === 'base64' ? vectors.map(base64Of) : await allNumbers(vectors, pause);
      return {
        object: 'list' as const,
        data: written.map((embedding, index) => ({ object: 'embedding' as const, index, embedding })),
        model: version,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    },
  });

/** `POST /embed`, `/semantic_embed`, `/batch_semantic_embed`, `/instructable_embed`, `/rerank` and `/embeddings`. */
export const embedOperations = [
  embed,
  semanticEmbed,
  batchSemanticEmbed,
  instructableEmbed,
  rerank,
  embeddings(OPERATION_DOCS.embeddings),
  embeddings(OPENAI_DOCS.embeddings),
];

/** Bytes of a vector, little-endian as all processors that run browsers have them. */
function base64Of(vector: Float32Array): string {
  return toBase64(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
}

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
