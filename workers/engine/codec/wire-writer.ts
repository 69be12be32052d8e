/**
 * Writes the protocol-buffer wire format by joining byte chunks.
 *
 * @source https://protobuf.dev/programming-guides/encoding
 */

const encoder = new TextEncoder();

/** A message being written; every method appends one field and returns the message. */
export interface Message {
  integer(number: number, value: number): Message;
  float(number: number, value: number): Message;
  text(number: number, value: string): Message;
  bytes(number: number, value: Uint8Array): Message;
  message(number: number, value: Message): Message;
  /** Appends already encoded fields. */
  encoded(value: Uint8Array): Message;
  readonly chunks: readonly Uint8Array[];
  readonly byteCount: number;
}

/** An empty message. Chunks are kept by reference: large byte strings are copied once, in `bytesOf`. */
export function createMessage(): Message {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  const append = (chunk: Uint8Array): Message => {
    chunks.push(chunk);
    byteCount += chunk.length;
    return message;
  };
  const tagged = (number: number, wire: number): Message => append(varint((number << 3) | wire));
  const message: Message = {
    integer: (number, value) => tagged(number, 0) && append(varint(value)),
    float: (number, value) => tagged(number, 5) && append(float32(value)),
    text: (number, value) => message.bytes(number, encoder.encode(value)),
    bytes: (number, value) => tagged(number, 2) && append(varint(value.length)) && append(value),
    message: (number, value) => {
      tagged(number, 2);
      append(varint(value.byteCount));
      for (const chunk of value.chunks) append(chunk);
      return message;
    },
    encoded: append,
    chunks,
    get byteCount() {
      return byteCount;
    },
  };
  return message;
}

/** The message as one block of bytes. */
export function bytesOf(message: Message): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(message.byteCount);
  let position = 0;
  for (const chunk of message.chunks) {
    block.set(chunk, position);
    position += chunk.length;
  }
  return block;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function float32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return bytes;
}
