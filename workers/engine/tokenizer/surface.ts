import type { Span } from '../../../src/contract/code-points.ts';
import { spansOfBytes, withoutLeadingSpace } from './token-spans.ts';
import type { Decoded } from './decoder.ts';

/** Ids to text. */
export interface Surface {
  /** The bytes of a token after another one; none for added tokens, such as marks of a dialogue. */
  bytesOf(id: number): Uint8Array;
  /** The text of a token, with its leading space; a part of a character is U+FFFD. @param isFirst  as a `Decoder` takes it */
  show(id: number, isFirst?: boolean): string;
  /** The text of ids. Where they are not valid UTF-8, the texts of the single ids, joined. @param isFirst  whether they begin a text */
  read(
    ids: readonly number[],
    isFirst?: boolean,
  ): {
    readonly text: string;
    readonly ids: readonly number[];
    readonly spans: readonly Span[];
  };
}

const utf8 = new TextEncoder();

/** Reads ids by a decoder. @param decode  the text of an id; whether it begins a text */
export function createSurface(decode: (id: number, isFirst: boolean) => Decoded): Surface {
  const bytesOf = (id: number, isFirst: boolean) => {
    const decoded = decode(id, isFirst);
    return typeof decoded === 'string' ? utf8.encode(decoded) : decoded;
  };
  const show = (id: number, isFirst = true) => textOf(bytesOf(id, isFirst));
  return {
    bytesOf: (id) => bytesOf(id, false),
    show,
    read(ids, isFirst = true) {
      const parts = ids.map((id, i) => bytesOf(id, isFirst && i === 0));
      const text = textOf(joined(parts));
      if (!text.includes('\uFFFD')) {
        const counts = parts.map(({ length }) => length);
        return { text, ids, spans: withoutLeadingSpace(text, spansOfBytes(text, counts)) };
      }
      let end = 0;
      const shown = parts.map(textOf);
      const spans = shown.map(({ length }) => ({ start: (end += length) - length, length }));
      const single = shown.join('');
      return { text: single, ids, spans: withoutLeadingSpace(single, spans) };
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
