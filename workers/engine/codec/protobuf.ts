/** The protocol-buffer wire format, as ONNX needs it. @source https://protobuf.dev/programming-guides/encoding */

/** One field of a message. Nothing is copied: its payload is `[start, end)` of the buffer it was read from. */
export interface WireField {
  readonly number: number;
  readonly kind: WireKind;
  /** The value of a varint field; NaN for other kinds. Signed; exact up to 2⁵³. */
  readonly value: number;
  /** Where the field's tag begins: `[tagStart, end)` is the whole encoded field. */
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}

/** Wire kinds in use since proto2 groups were dropped. */
type WireKind = 'varint' | 'fixed64' | 'bytes' | 'fixed32';

const KINDS: Readonly<Record<number, WireKind>> = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' };
const decoder = new TextDecoder();

/** A varint: 28 bits fast, longer ones (negative int64 take ten bytes) through BigInt. */
function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let low = 0;
  let shift = 0;
  let position = at;
  for (;;) {
    const byte = byteAt(bytes, position++);
    low |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte < 0x80) return { value: low >>> 0, next: position };
    if (shift === 28) return readLongVarint(bytes, position, BigInt(low >>> 0));
  }
}

function readLongVarint(bytes: Uint8Array, at: number, low: bigint): { value: number; next: number } {
  let value = low;
  let position = at;
  for (let shift = 28n; shift < 70n; shift += 7n) {
    const byte = byteAt(bytes, position++);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: position };
  }
  throw new RangeError(`varint at byte ${at} is longer than ten bytes`);
}

function byteAt(bytes: Uint8Array, position: number): number {
  const byte = bytes[position];
  if (byte === undefined) throw new RangeError(`message ends in the middle of a field, at byte ${position}`);
  return byte;
}

/** Walks the fields of a message. @throws {RangeError} for a field that reaches past `end`, has a negative length or an unknown kind */
export function* fieldsOf(bytes: Uint8Array, start = 0, end = bytes.length): Generator<WireField> {
  let position = start;
  while (position < end) {
    const field = readField(bytes, position);
    if (field.end > end || field.end <= position)
      throw new RangeError(`field ${field.number} at byte ${position} reaches past its message`);
    yield field;
    position = field.end;
  }
}

function readField(bytes: Uint8Array, tagStart: number): WireField {
  const tag = readVarint(bytes, tagStart);
  const kind = KINDS[tag.value & 7];
  const number = tag.value >>> 3;
  if (kind === undefined) throw new RangeError(`unknown wire kind ${tag.value & 7} at byte ${tagStart}`);
  if (kind === 'varint') {
    const { value, next } = readVarint(bytes, tag.next);
    return { number, kind, value, tagStart, start: tag.next, end: next };
  }
  if (kind === 'bytes') {
    const { value: byteCount, next } = readVarint(bytes, tag.next);
    return { number, kind, value: NaN, tagStart, start: next, end: next + byteCount };
  }
  const end = tag.next + (kind === 'fixed32' ? 4 : 8);
  return { number, kind, value: NaN, tagStart, start: tag.next, end };
}

/** A string field's text. */
export function readText(bytes: Uint8Array, field: WireField): string {
  return decoder.decode(bytes.subarray(field.start, field.end));
}

/** Text of a message's first field of a number; '' where it has none. */
export function textOf(bytes: Uint8Array, number: number): string {
  for (const field of fieldsOf(bytes)) if (field.number === number) return readText(bytes, field);
  return '';
}

/** Integers of a repeated field occurrence, packed or not. */
export function integersOf(bytes: Uint8Array, field: WireField): number[] {
  if (field.kind === 'varint') return [field.value];
  const values: number[] = [];
  for (let position = field.start; position < field.end;) {
    const { value, next } = readVarint(bytes, position);
    values.push(value);
    position = next;
  }
  return values;
}

/** Floats of a repeated or single float field occurrence, packed or not. */
export function floatsOf(bytes: Uint8Array, field: WireField): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + field.start, field.end - field.start);
  return Array.from({ length: view.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true));
}

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

/** An empty message. Chunks are not copied: large byte strings are copied once, in `bytesOf`. */
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
