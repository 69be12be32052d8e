/**
 * The printable stand-ins that byte-level BPE files use for bytes: printable Latin-1 stands for itself, every other
 * byte for the next code point from U+0100 on.
 *
 * @source Radford et al. 2019, `bytes_to_unicode`
 */
export const byteAlphabet = createByteAlphabet();

function createByteAlphabet() {
  const characterOf = Array.from({ length: 256 }, (_, byte) => (isPrintable(byte) ? String.fromCharCode(byte) : ''));
  let next = 0x100;
  characterOf.forEach((character, byte) => {
    if (character === '') characterOf[byte] = String.fromCharCode(next++);
  });
  const byteOf = new Map(characterOf.map((character, byte) => [character, byte]));
  return {
    /** Text → stand-ins of its UTF-8 bytes. */
    encode: (text: string) => Array.from(new TextEncoder().encode(text), (byte) => characterOf[byte]).join(''),
    /** Stand-ins → text; incomplete characters become U+FFFD, characters outside the alphabet are dropped, a byte-order mark is kept. */
    decode: (piece: string) => {
      const bytes = Array.from(piece, (character) => byteOf.get(character)).filter((byte) => byte !== undefined);
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    },
  };
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}
