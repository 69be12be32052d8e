import { FailureError } from '../../contract/failure.ts';
import type { BodyPieces } from '../../contract/wire/long-body.ts';
import type { Pause } from '../pause.ts';
import { decodeBase64 } from './base64.ts';

/**
 * Files of a body in base64 that were too long to be strings of it: by the text that stands in their place, the pieces
 * of what stood there.
 */
export type CutFiles = ReadonlyMap<string, BodyPieces>;

/**
 * Bytes of a file that a body contains in base64.
 *
 * @param path  of the file's text in the request
 * @param most  characters that it may have
 * @throws {FailureError} INVALID_REQUEST for broken base64; PAYLOAD_ERROR for a text that is too long
 */
export type BytesOf = (base64: string, path: string, most?: number) => Promise<Uint8Array>;

/** Reads the files of a body, also those that were cut out of it. */
export function filesReader(files: CutFiles, pause: Pause): BytesOf {
  return async (base64, path, most = Infinity) => {
    const pieces = files.get(base64) ?? [base64];
    const characters = pieces.reduce((sum, { length }) => sum + length, 0);
    if (characters > most)
      throw new FailureError('PAYLOAD_ERROR', `${path}: expected at most ${most} characters, got ${characters}`);
    return decodeBase64(pieces, path, pause);
  };
}
