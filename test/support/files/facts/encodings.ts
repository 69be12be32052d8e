import { encoded } from '../encoded.ts';

/** A character before a text that says how it is encoded. */
const MARK = '\uFEFF';

/** The bytes of a text in one of the encodings that programs export. @param seed  which one */
export function bytesOf(text: string, seed: number): Uint8Array<ArrayBuffer> {
  const utf16 = Uint8Array.from(Buffer.from(MARK + text, 'utf-16le'));
  const encodings = [
    () => new TextEncoder().encode(text),
    () => new TextEncoder().encode(MARK + text),
    () => utf16,
    () => Uint8Array.from(Buffer.from(utf16).swap16()),
    () => encoded(text, 'windows-1252'),
  ];
  return (encodings[seed % encodings.length] ?? encodings[0])?.() ?? utf16;
}
