import type { Tokenizer } from '../../../engine/loading/tokenizer.ts';
import type { Positions } from './matcher.ts';

/** Tokens in the order of their bytes, so that those with the same beginning stand together. */
interface TokenBytes {
  /** Ids are below this. */
  readonly vocabulary: number;
  /** `[tokens]` */
  readonly ids: readonly number[];
  readonly bytes: readonly Uint8Array[];
  /** Bytes at the beginning that a token has in common with the one before it, `[tokens]`. */
  readonly shared: Uint32Array;
}

const known = new WeakMap<Tokenizer, TokenBytes>();

/** The bytes of a vocabulary, read once for each tokenizer. Tokens without bytes are left out. */
export function tokenBytes(tokenizer: Tokenizer): TokenBytes {
  const read = known.get(tokenizer) ?? readBytes(tokenizer);
  known.set(tokenizer, read);
  return read;
}

function readBytes({ vocabulary, bytesOf }: Tokenizer): TokenBytes {
  const tokens = Array.from({ length: vocabulary }, (_, id) => ({ id, bytes: bytesOf(id) }))
    .filter(({ bytes }) => bytes.length > 0)
    .sort((a, b) => compared(a.bytes, b.bytes));
  const bytes = tokens.map((token) => token.bytes);
  const shared = Uint32Array.from(bytes, (each, index) => sharedBytes(each, bytes[index - 1] ?? new Uint8Array()));
  return { vocabulary, ids: tokens.map(({ id }) => id), bytes, shared };
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++;
  return length;
}

function compared(a: Uint8Array, b: Uint8Array): number {
  const length = sharedBytes(a, b);
  return (a[length] ?? -1) - (b[length] ?? -1);
}

/** @param step  where a byte leads; null: nowhere @returns 1 for each token that can follow, `[vocabulary]` */
export function allowedTokens(
  { vocabulary, ids, bytes, shared }: TokenBytes,
  start: Positions,
  step: (positions: Positions, byte: number) => Positions | null,
): Uint8Array {
  const allowed = new Uint8Array(vocabulary);
  const path = [start]; // after each byte of the token
  let dead = Infinity; // bytes of the last token after which nothing goes on
  for (const [index, token] of bytes.entries()) {
    let read = shared[index] ?? 0;
    if (read >= dead) continue;
    dead = Infinity;
    for (; read < token.length && dead === Infinity; read++) {
      const next = step(path[read] ?? start, token[read] ?? 0);
      if (next === null) dead = read + 1;
      else path[read + 1] = next;
    }
    if (dead === Infinity) allowed[ids[index] ?? 0] = 1;
  }
  return allowed;
}
