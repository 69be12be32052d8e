import { FailureError } from '../../contract/failure.ts';

/** The value that a JSON text stands for. @throws {FailureError} PAYLOAD_ERROR when it is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FailureError('PAYLOAD_ERROR', `body: expected JSON, got ${text === '' ? 'nothing' : reason}`);
  }
}
