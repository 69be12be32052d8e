import { type AlignedText, edited, editsOf } from './aligned-text.ts';
import { type JsonPart, refuseField, textField } from './json-fields.ts';

/** Larger groups of characters are replaced one character at a time. @source tokenizers, `precompiled.rs` */
const MAX_GROUP_BYTES = 5;

/**
 * The replacements that SentencePiece compiled into a file: a trie of UTF-8 keys, and texts that end with a zero byte.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a map that is cut short
 * @source SentencePiece, `normalizer.cc`; tokenizers, `precompiled.rs`
 */
export function createCharacterMap(part: JsonPart): (aligned: AlignedText) => AlignedText {
  const encoded = textField(part, 'precompiled_charsmap', '');
  const replacementOf = encoded === '' ? () => undefined : readCharacterMap(decoded(encoded, part), part);
  const known = new Map<string, string>(); // replacements of groups; most texts use few characters
  const replaced = (group: string): string => {
    const before = known.get(group);
    if (before !== undefined) return before;
    const whole = utf8.encode(group).length <= MAX_GROUP_BYTES ? replacementOf(group) : undefined;
    const text = whole ?? Array.from(group, (character) => replacementOf(character) ?? character).join('');
    if (known.size < MAX_KNOWN) known.set(group, text);
    return text;
  };
  return (aligned) => {
    const result = edited(aligned, editsOf(aligned.text, GROUPS, replaced));
    // What is removed at the beginning belongs to what follows, which so begins the text still.
    if (result.text !== '') result.starts[0] = aligned.starts[0] ?? 0;
    return result;
  };
}

const MAX_KNOWN = 10_000;

const utf8 = new TextEncoder();

/** Characters that are replaced together. @source Unicode Standard Annex #29, extended grapheme clusters, simplified */
const GROUPS = new RegExp(String.raw`\r\n|[\s\S](?:\p{M}|\p{Emoji_Modifier}|\u200C|\u200D)*`, 'gu');

function decoded(base64: string, { path }: JsonPart): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return refuseField(`${path}precompiled_charsmap`, 'base64', base64);
  }
}

/** @returns the replacement of the shortest key that the text begins with, undefined where there is none */
function readCharacterMap(bytes: Uint8Array<ArrayBuffer>, { path }: JsonPart): (text: string) => string | undefined {
  const size = bytes.length < 4 ? Infinity : new DataView(bytes.buffer).getUint32(0, true);
  if (4 + size > bytes.length)
    return refuseField(`${path}precompiled_charsmap`, `${size} bytes of a trie`, bytes.length);
  const trie = new Uint32Array(bytes.slice(4, 4 + size - (size % 4)).buffer);
  const texts = bytes.subarray(4 + size);
  return (text) => {
    const value = shortestKey(trie, utf8.encode(text));
    return value === undefined ? undefined : textAt(texts, value);
  };
}

function textAt(texts: Uint8Array, start: number): string {
  const end = texts.indexOf(0, start);
  return new TextDecoder().decode(texts.subarray(start, end < 0 ? texts.length : end));
}

/** Walks a double array. @source darts-clone, `darts.h`: `DoubleArrayUnit` */
function shortestKey(trie: Uint32Array, key: Uint8Array): number | undefined {
  let node = 0;
  let unit = trie[0] ?? 0;
  node ^= offsetOf(unit);
  for (const byte of key) {
    node ^= byte;
    unit = trie[node] ?? 0;
    if ((unit & 0x8000_00ff) >>> 0 !== byte) return undefined;
    node ^= offsetOf(unit);
    if ((unit >>> 8) & 1) return (trie[node] ?? 0) & 0x7fff_ffff;
  }
  return undefined;
}

function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}
