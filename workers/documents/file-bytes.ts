import { FailureError } from '../../src/contract/failure.ts';
import { decodeBase64 } from '../kernels/base64.ts';

/**
 * Bytes of a file that stands in a request as base64.
 *
 * @param path  of the text in the request
 * @throws {FailureError} INVALID_REQUEST with the first character that does not belong there
 */
export function fileBytes(text: string, path: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text);
  if (bytes instanceof Uint8Array) return bytes;
  const { offset } = bytes;
  const found =
    offset < text.length
      ? `${JSON.stringify(text[offset])} at offset ${offset}`
      : `${text.length} characters, no multiple of 4`;
  throw new FailureError(
    'INVALID_REQUEST',
    `${path}: expected base64 of the standard alphabet with its padding, got ${found}`,
  );
}
