import {
  BatchSemanticEmbedRequest,
  SemanticEmbedRequest,
  type BatchSemanticEmbedResponse,
  type SemanticEmbedResponse,
} from '../../contract/semantic-embed.ts';
import type { Prompt } from '../../contract/prompt.ts';
import type { SemanticEmbedded, SemanticEmbedJob } from '../../protocol/jobs.ts';
import { createBreathe } from '../response/breathe.ts';
import { askedModel, controlsOf, itemsOf, prepareOf } from '../request/asked.ts';
import { readBody } from '../request/read-body.ts';
import { respond } from '../response/respond.ts';
import { runJob } from '../run-job.ts';
import type { Setting } from '../setting.ts';
import { shortest } from '../response/shortest-number.ts';

/** Answers `POST /semantic_embed`. */
export async function answerSemanticEmbed(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, SemanticEmbedRequest);
  if (!read.ok) return respond(read);
  const answer = (output: SemanticEmbedded, model_version: string): SemanticEmbedResponse => ({
    model_version,
    embedding: numbersOf(output.vectors[0]),
    num_tokens_prompt_total: output.tokenCount,
  });
  return run(request, { body: read.value, prompts: [read.value.prompt], field: 'prompt', answer }, setting);
}

/** Answers `POST /batch_semantic_embed`. */
export async function answerBatchSemanticEmbed(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, BatchSemanticEmbedRequest);
  if (!read.ok) return respond(read);
  const answer = async (output: SemanticEmbedded, model_version: string): Promise<BatchSemanticEmbedResponse> => ({
    model_version,
    embeddings: await allNumbers(output.vectors),
    num_tokens_prompt_total: output.tokenCount,
  });
  return run(request, { body: read.value, prompts: read.value.prompts, field: 'prompts', answer }, setting);
}

interface Wanted {
  readonly body: Omit<SemanticEmbedRequest, 'prompt'>;
  readonly prompts: readonly Prompt[];
  readonly field: SemanticEmbedJob['field'];
  readonly answer: (output: SemanticEmbedded, modelVersion: string) => unknown;
}

async function run(request: Request, { body, prompts, field, answer }: Wanted, setting: Setting): Promise<Response> {
  const model = askedModel(body, 'semantic_embed', setting);
  if (!model.ok) return respond(model);
  const input: SemanticEmbedJob = {
    ...prepareOf(model.value, setting),
    prompts: prompts.map(itemsOf),
    field,
    representation: body.representation,
    compressToSize: body.compress_to_size ?? null,
    controls: controlsOf(body),
    normalize: body.normalize,
  };
  const answered = (output: SemanticEmbedded) => answer(output, model.value.version);
  return runJob(request, { kind: 'semanticEmbed', input, answer: answered }, setting);
}

/** Half a million numbers are converted in pieces, so that the page stays free in between. */
async function allNumbers(vectors: readonly Float32Array[]): Promise<number[][]> {
  const breathe = createBreathe();
  const all: number[][] = [];
  for (const vector of vectors) {
    all.push(numbersOf(vector));
    await breathe();
  }
  return all;
}

function numbersOf(vector: Float32Array | undefined): number[] {
  return Array.from(vector ?? [], shortest);
}
