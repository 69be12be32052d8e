import { EmbedRequest, type EmbedResponse } from '../../contract/embed.ts';
import type { Embedded } from '../../protocol/jobs.ts';
import { askedModel, controlsOf, itemsOf, prepareOf } from '../request/asked.ts';
import { readBody } from '../request/read-body.ts';
import { respond } from '../response/respond.ts';
import { runJob } from '../run-job.ts';
import type { Setting } from '../setting.ts';
import { shortest } from '../response/shortest-number.ts';

/** Answers `POST /embed`. */
export async function answerEmbed(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, EmbedRequest);
  if (!read.ok) return respond(read);
  const body = read.value;
  const model = askedModel(body, 'embed', setting);
  if (!model.ok) return respond(model);
  const pooling = [...new Set(body.pooling ?? (['mean'] as const))];
  const input = {
    ...prepareOf(model.value, setting),
    prompt: itemsOf(body.prompt),
    layers: body.layers ?? [-1],
    pooling,
    controls: controlsOf(body),
    normalize: body.normalize,
    wantTokens: body.tokens ?? false,
  };
  const answer = (output: Embedded) => responseOf(output, pooling, model.value.version);
  return runJob(request, { kind: 'embed', input, answer }, setting);
}

function responseOf(output: Embedded, pooling: readonly string[], version: string): EmbedResponse {
  const layers = output.layers.map(({ layer, vectors }) => {
    const pooled = pooling.map((name, i) => [name, Array.from(vectors[i] ?? [], shortest)]);
    return [`layer_${layer}`, Object.fromEntries(pooled)];
  });
  return {
    model_version: version,
    embeddings: Object.fromEntries(layers),
    tokens: output.tokens && [...output.tokens],
    num_tokens_prompt_total: output.tokenCount,
  };
}
