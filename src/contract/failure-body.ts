import { type Failure, type FailureCode, STATUS } from './failure.ts';
import type { OpenAiError } from './openai.ts';
import { shortText } from './shown.ts';
import type { z } from './wire/zod.ts';
import type { ErrorBody } from './prompt.ts';

/** Body of a failed response on OpenAI's routes. @source OpenAI API reference, "Error codes"; openai-node, `APIError` */
type OpenAiErrorBody = z.infer<typeof OpenAiError>;

/** Whether a path, with or without its query, is one of OpenAI's routes. */
export function isOpenAiPath(path: string): boolean {
  return /^\/v1([/?]|$)/.test(path);
}

/** Names of failures that OpenAI has; the other failures keep the contract's names, in lower case. */
const OPENAI_CODES: Readonly<Partial<Record<FailureCode, string>>> = {
  UNAUTHORIZED: 'invalid_api_key',
  UNKNOWN_MODEL: 'model_not_found',
  PROMPT_TOO_LONG: 'context_length_exceeded',
};

/** Characters of a message: names in it may come from a model or a client. */
const MAX_MESSAGE = 4000;

/** A failure as the error body of the contract. */
export function errorBody({ code, message }: Failure): ErrorBody {
  return { error: shortText(message, MAX_MESSAGE), code };
}

/** A failure as the error body for a request's path: OpenAI's on its routes, else the contract's. */
export function failureBody(failure: Failure, path: string): ErrorBody | OpenAiErrorBody {
  const body = errorBody(failure);
  if (!isOpenAiPath(path)) return body;
  const { code, message } = failure;
  const type: OpenAiErrorBody['error']['type'] =
    STATUS[code] >= 500 || code === 'TIMEOUT' ? 'server_error' : 'invalid_request_error';
  const error = { message: body.error, type, param: fieldIn(message), code: OPENAI_CODES[code] ?? code.toLowerCase() };
  return { error } satisfies OpenAiErrorBody;
}

/** The field that a message begins with; headers begin with a capital letter. */
function fieldIn(message: string): string | null {
  const [, field = 'body'] = /^([a-z][\w.[\]]*): expected /.exec(message) ?? [];
  return field === 'body' ? null : field;
}
