import type { z } from 'zod';
import { FailureError } from '../../contract/failure.ts';
import { problemIn } from './problem.ts';

/**
 * The request's JSON body, checked. The content type is not looked at: clients exist that do not send one.
 *
 * @throws {FailureError} PAYLOAD_ERROR when the body is no JSON or does not fit the schema
 */
export async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(jsonOf(await request.text()), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new FailureError('PAYLOAD_ERROR', problemIn(parsed.error));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FailureError('PAYLOAD_ERROR', `body: expected JSON, got ${text === '' ? 'nothing' : reason}`);
  }
}
