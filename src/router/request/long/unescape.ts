import type { BodyPieces } from '../../../contract/wire/long-body.ts';
import type { Pause } from '../../pause.ts';
import { jsonOf } from '../json.ts';

/**
 * What the inside of a JSON string stands for, piece by piece: some programs write `\/` for each slash of a file in base64.
 *
 * @throws {FailureError} PAYLOAD_ERROR for an escape that JSON does not have
 */
export async function unescaped(pieces: BodyPieces, pause: Pause): Promise<BodyPieces> {
  if (!pieces.some((piece) => piece.includes('\\'))) return pieces;
  const plain: string[] = [];
  let open = '';
  for (const piece of pieces) {
    const text = open + piece;
    const end = text.length - openEscape(text);
    plain.push(String(jsonOf(`"${text.slice(0, end)}"`)));
    open = text.slice(end);
    await pause();
  }
  return [...plain, String(jsonOf(`"${open}"`))];
}

/** Characters at the end of a text that begin an escape and do not end it. */
function openEscape(text: string): number {
  const last = text.lastIndexOf('\\');
  let run = 0;
  while (last - run >= 0 && text[last - run] === '\\') run++;
  if (run % 2 === 0) return 0; // the last backslash ends an escape
  const length = text.length - last;
  return length < (text[last + 1] === 'u' ? 6 : 2) ? length : 0;
}
