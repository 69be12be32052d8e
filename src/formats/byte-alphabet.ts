/**
 * The printable characters that byte-level BPE files use for bytes: printable Latin-1 stands for itself, every other
 * byte for the next code point from U+0100 on.
 *
 * @source Radford et al. 2019, `bytes_to_unicode`
 */
export const byteAlphabet = createByteAlphabet(new TextEncoder());

function createByteAlphabet(utf8: TextEncoder) {
  const characterOf = Array.from({ length: 256 }, (_, byte) => (isPrintable(byte) ? String.fromCharCode(byte) : ''));
  let next = 0x100;
  characterOf.forEach((character, byte) => {
    if (character === '') characterOf[byte] = String.fromCharCode(next++);
  });
  const byteOf = new Map(characterOf.map((character, byte) => [character, byte]));
  return {
    /** Text → printable characters of its UTF-8 bytes. */
    encode: (text: string) => Array.from(utf8.encode(text), (byte) => characterOf[byte]).join(''),
    ofByte: (byte: number) => characterOf[byte] ?? '',
    bytesOf: (piece: string): Uint8Array | undefined => {
      const bytes = Array.from(piece, (character) => byteOf.get(character)).filter((byte) => byte !== undefined);
      return bytes.length === piece.length ? Uint8Array.from(bytes) : undefined;
    },
  };
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}
