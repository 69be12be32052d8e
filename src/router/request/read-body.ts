import type { z } from 'zod';
import { FailureError } from '../../contract/failure.ts';
import { LONG_BODY, longBodyOf, type BodyPieces } from '../../contract/wire/long-body.ts';
import type { Pause } from '../pause.ts';
import type { CutFiles } from './files-reader.ts';
import { jsonOf } from './json.ts';
import { problemIn } from './problem.ts';

/** UTF-16 units of the longest body: a file of 64 MiB, the largest that the contract reads, is a third longer in base64. */
export const MOST_BODY = 128 * 2 ** 20;

/** A body that was read and checked. */
export interface ReadBody<Value> {
  readonly body: Value;
  readonly files: CutFiles;
}

/**
 * The request's JSON body, checked. The content type is not looked at: clients exist that do not send one.
 *
 * @throws {FailureError} PAYLOAD_ERROR when the body is no JSON or does not fit the schema; PAYLOAD_TOO_LARGE for a long
 *   body, see `readLongBody`
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  pause: Pause,
): Promise<ReadBody<z.output<Schema>>> {
  const { value, files } = await valueOf(await piecesOf(request), pause);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { body: parsed.data, files };
  throw new FailureError('PAYLOAD_ERROR', problemIn(parsed.error));
}

async function valueOf(pieces: BodyPieces, pause: Pause): Promise<{ value: unknown; files: CutFiles }> {
  if (lengthOf(pieces) <= LONG_BODY) return { value: jsonOf(pieces.join('')), files: new Map() };
  const { readLongBody } = await import('./long/read-long-body.ts'); // few requests need it
  return readLongBody(pieces, pause);
}

function lengthOf(pieces: BodyPieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

async function piecesOf(request: Request): Promise<BodyPieces> {
  const given = longBodyOf(request);
  if (given && lengthOf(given) > MOST_BODY) throw tooLong(lengthOf(given));
  // Firefox does not show a request's body as a stream.
  return given ?? (request.body ? streamedPieces(request.body) : [await request.text()]);
}

/** Reads no more than may come. @throws {FailureError} PAYLOAD_TOO_LARGE */
async function streamedPieces(body: ReadableStream<Uint8Array>): Promise<BodyPieces> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let length = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return [...pieces, decoder.decode()];
    const piece = decoder.decode(value, { stream: true });
    length += piece.length;
    if (length > MOST_BODY) {
      await reader.cancel();
      throw tooLong(length);
    }
    pieces.push(piece);
  }
}

function tooLong(length: number): FailureError {
  return new FailureError('PAYLOAD_TOO_LARGE', `body: expected at most ${MOST_BODY} characters, got ${length} or more`);
}
