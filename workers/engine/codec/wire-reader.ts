/**
 * Reads the protocol-buffer wire format, as far as ONNX files need it. Nothing is copied: a field says where it lies.
 *
 * @source https://protobuf.dev/programming-guides/encoding
 */

/** One field of a message. Payload bytes are `[start, end)` of the buffer it was read from. */
export interface Field {
  readonly number: number;
  readonly kind: WireKind;
  /** The value of a varint field; NaN for other kinds. Signed; exact up to 2⁵³. */
  readonly value: number;
  /** Where the field's tag begins: copying `[tagStart, end)` keeps the field as it is. */
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}

/** Wire kinds in use since proto2 groups were dropped. */
export type WireKind = 'varint' | 'fixed64' | 'bytes' | 'fixed32';

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

/**
 * Walks the fields of a message.
 *
 * @throws {RangeError} when a field reaches past `end` or has an unknown wire kind
 */
export function* fieldsOf(bytes: Uint8Array, start = 0, end = bytes.length): Generator<Field> {
  let position = start;
  while (position < end) {
    const field = readField(bytes, position);
    if (field.end > end) throw new RangeError(`field ${field.number} at byte ${position} reaches past its message`);
    yield field;
    position = field.end;
  }
}

function readField(bytes: Uint8Array, tagStart: number): Field {
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
export function textOf(bytes: Uint8Array, field: Field): string {
  return decoder.decode(bytes.subarray(field.start, field.end));
}

/** Integers of a repeated field occurrence, packed or not. */
export function integersOf(bytes: Uint8Array, field: Field): number[] {
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
export function floatsOf(bytes: Uint8Array, field: Field): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + field.start, field.end - field.start);
  return Array.from({ length: view.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true));
}
