import type { z } from 'zod';
import { failure, success, type Result } from '../../contract/failure.ts';
import { problemIn } from './problem.ts';

/**
 * The request's JSON body, checked. The content type is not looked at: clients exist that do not send one.
 *
 * @returns PAYLOAD_ERROR when the body is no JSON or does not fit the schema
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<Result<z.output<Schema>>> {
  const text = await request.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure('PAYLOAD_ERROR', `body: expected JSON, got ${text === '' ? 'nothing' : reason}`);
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? success(parsed.data) : failure('PAYLOAD_ERROR', problemIn(parsed.error));
}
