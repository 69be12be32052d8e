/** Every failure that a client can get, named by how it can respond, with its status. @source contract facts §1.8 */
export const STATUS = {
  PAYLOAD_ERROR: 400, // the body does not fit the operation's schema
  INVALID_REQUEST: 400, // the body fits the schema but cannot be carried out (layer out of range, unknown token id, …)
  PROMPT_TOO_LONG: 400,
  MISSING_CAPABILITY: 400, // the model cannot do this operation
  UNAUTHORIZED: 401,
  FORBIDDEN_ORIGIN: 403, // a page of another origin sent it, which the user has not allowed
  UNKNOWN_MODEL: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413, // more than the transport to the page carries
  NO_TAB: 503, // the bridge found no open page to answer, or lost it; the request may be sent again
  QUEUE_FULL: 503,
  DEVICE_LOST: 503, // the worker or its GPU died; the request may be sent again
  OUT_OF_MEMORY: 503, // the device lacks memory even for the smallest batch; the message says what would fit
  MODEL_UNAVAILABLE: 503, // the model could not be loaded; the message says why
  ENGINE_UNAVAILABLE: 503, // the engine elsewhere that is to run the model cannot be reached; the message names its address
  NO_WEBASSEMBLY: 503, // the browser runs none, so no model runs; loading again cannot help
  INTERNAL: 500,
} as const;

/** Name of a failure. */
export type FailureCode = keyof typeof STATUS;

/** A failure, as plain data that can be sent between threads; `message` names what was expected, what came and where. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
}

/** A value or a failure. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** The successful result. */
export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** The failed result. */
export function failure(code: FailureCode, message: string): Result<never> {
  return { ok: false, failure: { code, message } };
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Carries a failure through code that returns plain values, up to the worker's message loop or the router's answer. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.failure = { code, message };
  }
}
