/** Bytes of each character of an encoding, found by decoding all bytes and, if it has them, all pairs. */
function tableOf(encoding: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\uFFFD' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  return table;
}

/** A text in an encoding of `TextDecoder` with one or two bytes for a character. @throws {RangeError} for a character that it lacks */
export function encoded(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const table = tableOf(encoding);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const bytes = table.get(character);
      if (!bytes) throw new RangeError(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}
