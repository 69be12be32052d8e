import { success, type Result } from '../../contract/failure.ts';
import { QaRequest, type QaDocument, type QaResponse } from '../../contract/qa.ts';
import type { ReadableDocument } from '../../protocol/jobs.ts';
import type { SubmitOptions } from '../../scheduler/job.ts';
import { askedModel, prepareOf } from '../request/asked.ts';
import { readBody } from '../request/read-body.ts';
import { respond } from '../response/respond.ts';
import { runSteps } from '../run-job.ts';
import type { Setting } from '../setting.ts';
import { shortest } from '../response/shortest-number.ts';

/** The operation has been deprecated for as long as Lightwell has answered it: 2026-11-21. @source interface.md, POST /qa */
const DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 21) / 1000;

/** Answers `POST /qa`, and says that it is deprecated. @source RFC 9745 */
export async function answerQa(request: Request, setting: Setting): Promise<Response> {
  const response = await answered(request, setting);
  response.headers.set('Deprecation', `@${DEPRECATED_SINCE_SECONDS}`);
  response.headers.append('Link', '</openapi.json>; rel="deprecation"; type="application/json"');
  return response;
}

async function answered(request: Request, setting: Setting): Promise<Response> {
  const read = await readBody(request, QaRequest);
  if (!read.ok) return respond(read);
  const { query, documents, max_answers: maxAnswers, hosting } = read.value;
  const needed = documents.some(showsPicture) ? ('images' as const) : undefined;
  const model = askedModel({ hosting, needed }, 'qa', setting);
  if (!model.ok) return respond(model);
  const { version } = model.value;
  const steps = async (options: SubmitOptions): Promise<Result<QaResponse>> => {
    const readable = await readableDocuments(documents, setting, options);
    if (!readable.ok) return readable;
    const input = { ...prepareOf(model.value, setting), query, documents: readable.value, maxAnswers };
    const result = await setting.submit('qa', input, options);
    if (!result.ok) return result;
    const answers = result.value.answers.map((answer) => ({ ...answer, score: shortest(Math.fround(answer.score)) }));
    return success({ model_version: version, answers });
  };
  return runSteps(request, steps, setting);
}

function showsPicture(document: QaDocument): boolean {
  return 'prompt' in document && document.prompt.some(({ type }) => type === 'image');
}

/** Texts of Docx files are taken out one after another, by the documents worker. */
async function readableDocuments(
  documents: readonly QaDocument[],
  { submit }: Setting,
  { onProgress: _, ...options }: SubmitOptions,
): Promise<Result<readonly ReadableDocument[]>> {
  const readable: ReadableDocument[] = [];
  for (const [index, document] of documents.entries())
    if ('docx' in document) {
      const extracted = await submit('extractText', { docx: document.docx, path: `documents[${index}].docx` }, options);
      if (!extracted.ok) return extracted;
      readable.push({ type: 'text', text: extracted.value.text });
    } else
      readable.push('text' in document ? { type: 'text', ...document } : { type: 'prompt', items: document.prompt });
  return success(readable);
}
