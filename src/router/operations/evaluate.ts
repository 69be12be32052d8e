import { EvaluateRequest, type EvaluateResponse } from '../../contract/evaluate.ts';
import type { Evaluated } from '../../protocol/jobs.ts';
import { askedModel, controlsOf, itemsOf, prepareOf } from '../request/asked.ts';
import { readBody } from '../request/read-body.ts';
import { respond } from '../response/respond.ts';
import { runJob } from '../run-job.ts';
import type { Setting } from '../setting.ts';

/** Answers `POST /evaluate`. */
export async function answerEvaluate(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, EvaluateRequest);
  if (!read.ok) return respond(read);
  const body = read.value;
  const model = askedModel(body, 'evaluate', setting);
  if (!model.ok) return respond(model);
  const input = {
    ...prepareOf(model.value, setting),
    prompt: itemsOf(body.prompt),
    expected: body.completion_expected,
    controls: controlsOf(body),
  };
  const answer = ({ evaluation }: Evaluated): EvaluateResponse => ({
    model_version: model.value.version,
    message: null,
    result: evaluation,
  });
  return runJob(request, { kind: 'evaluate', input, answer }, setting);
}
