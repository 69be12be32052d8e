import { ExplainRequest } from '../../contract/explain.ts';
import type { Explained } from '../../protocol/jobs.ts';
import { askedModel, controlsOf, itemsOf, prepareOf } from '../request/asked.ts';
import { readBody } from '../request/read-body.ts';
import { respond } from '../response/respond.ts';
import { runJob } from '../run-job.ts';
import type { Setting } from '../setting.ts';

/** Answers `POST /explain`. */
export async function answerExplain(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, ExplainRequest);
  if (!read.ok) return respond(read);
  const body = read.value;
  const model = askedModel(body, 'explain', setting);
  if (!model.ok) return respond(model);
  const input = {
    ...prepareOf(model.value, setting),
    prompt: itemsOf(body.prompt),
    target: body.target,
    controlFactor: body.control_factor,
    controls: controlsOf(body),
    overlap: body.control_token_overlap,
    postprocessing: body.postprocessing,
    normalize: body.normalize,
    promptGranularity: body.prompt_granularity ?? null,
    targetGranularity: body.target_granularity,
  };
  const answer = ({ explanations }: Explained) => ({ model_version: model.value.version, explanations });
  return runJob(request, { kind: 'explain', input, answer }, setting);
}
