import { refuse } from '../refusal.ts';
import { ElementType, fromHalf, toHalf } from './element-type.ts';
import { fieldsOf, floatsOf, integersOf, textOf } from './wire-reader.ts';
import { bytesOf, createMessage, type Message } from './wire-writer.ts';

/** Where a tensor's bytes lie when they are not in the model file. */
export interface ExternalData {
  readonly location: string;
  readonly offset: number;
  /** Bytes; undefined means up to the end of the file. */
  readonly byteCount: number | undefined;
}

/** A constant of the graph. Its values stay where they are, in the file's bytes. */
export interface Initialiser {
  readonly name: string;
  readonly type: number;
  readonly dimensions: readonly number[];
  /** The encoded TensorProto. */
  readonly bytes: Uint8Array;
  /** Absolute position of `bytes` in the file; undefined for constants made by the rewrite. */
  readonly filePosition: number | undefined;
  /** `raw_data` inside `bytes`. */
  readonly raw: { readonly start: number; readonly end: number } | undefined;
  readonly external: ExternalData | undefined;
}

/** Decodes a TensorProto's header; values are not read. @source onnx.proto, message TensorProto */
export function decodeTensor(bytes: Uint8Array, filePosition: number | undefined): Initialiser {
  const dimensions: number[] = [];
  const entries = new Map<string, string>();
  let name = '';
  let type: number = ElementType.float32;
  let raw: Initialiser['raw'];
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) dimensions.push(...integersOf(bytes, field));
    else if (field.number === 2) type = field.value;
    else if (field.number === 8) name = textOf(bytes, field);
    else if (field.number === 9) raw = { start: field.start, end: field.end };
    else if (field.number === 13) entries.set(...decodeEntry(bytes.subarray(field.start, field.end)));
  }
  return { name, type, dimensions, bytes, filePosition, raw, external: externalDataOf(entries) };
}

function decodeEntry(bytes: Uint8Array): [string, string] {
  let key = '';
  let value = '';
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) key = textOf(bytes, field);
    else if (field.number === 2) value = textOf(bytes, field);
  }
  return [key, value];
}

function externalDataOf(entries: ReadonlyMap<string, string>): ExternalData | undefined {
  const location = entries.get('location');
  if (location === undefined) return undefined;
  const byteCount = entries.get('length');
  return {
    location,
    offset: Number(entries.get('offset') ?? 0),
    byteCount: byteCount === undefined ? undefined : Number(byteCount),
  };
}

/** Tensors smaller than this stay inside the skeleton: shapes and scalars, which ONNX Runtime wants to read early. */
const INLINE_BYTES = 1024;

/**
 * Encodes a tensor for the skeleton: a large one becomes a reference into the original file.
 *
 * @param location  the name under which the original file is handed to the session
 */
export function encodeTensor(tensor: Initialiser, location: string): Message {
  const { raw, filePosition } = tensor;
  if (raw === undefined || filePosition === undefined || raw.end - raw.start < INLINE_BYTES)
    return createMessage().encoded(tensor.bytes);
  const message = createMessage();
  for (const dimension of tensor.dimensions) message.integer(1, dimension);
  message.integer(2, tensor.type).text(8, tensor.name);
  const reference = { location, offset: `${filePosition + raw.start}`, length: `${raw.end - raw.start}` };
  for (const [key, value] of Object.entries(reference))
    message.message(13, createMessage().text(1, key).text(2, value));
  return message.integer(14, 1); // data_location = EXTERNAL
}

/**
 * Makes a constant.
 *
 * @param values  as many as the product of `dimensions`; bool as 0 and 1
 */
export function makeTensor(
  name: string,
  type: number,
  dimensions: readonly number[],
  values: ArrayLike<number>,
): Initialiser {
  const message = createMessage();
  for (const dimension of dimensions) message.integer(1, dimension);
  message.integer(2, type).text(8, name).bytes(9, rawBytes(type, values));
  return decodeTensor(bytesOf(message), undefined);
}

function rawBytes(type: number, values: ArrayLike<number>): Uint8Array {
  switch (type) {
    case ElementType.float32:
      return new Uint8Array(Float32Array.from(values).buffer);
    case ElementType.float16:
      return new Uint8Array(Uint16Array.from(values, toHalf).buffer);
    case ElementType.int64:
      return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    case ElementType.int32:
      return new Uint8Array(Int32Array.from(values).buffer);
    case ElementType.bool:
    case ElementType.uint8:
      return Uint8Array.from(values);
    default:
      return refuse(`constants of ONNX element type ${type} are not supported`);
  }
}

/** The values of a small constant. @throws for types that no shape or mask constant has, and for external ones */
export function numbersOf(tensor: Initialiser): number[] {
  if (tensor.external) return refuse(`constant ${tensor.name} is stored outside the model file`);
  return tensor.raw ? rawNumbers(tensor, tensor.raw) : typedNumbers(tensor.bytes);
}

function rawNumbers(tensor: Initialiser, raw: { start: number; end: number }): number[] {
  const block = tensor.bytes.slice(raw.start, raw.end); // a copy, because typed views need alignment
  switch (tensor.type) {
    case ElementType.float32:
      return [...new Float32Array(block.buffer)];
    case ElementType.float16:
      return Array.from(new Uint16Array(block.buffer), fromHalf);
    case ElementType.float64:
      return [...new Float64Array(block.buffer)];
    case ElementType.int64:
      return Array.from(new BigInt64Array(block.buffer), Number);
    case ElementType.int32:
      return [...new Int32Array(block.buffer)];
    case ElementType.bool:
      return [...block];
    default:
      return refuse(`constant ${tensor.name} has ONNX element type ${tensor.type}, which is not supported`);
  }
}

/** Values in the typed fields `float_data` (4), `int32_data` (5) and `int64_data` (7). */
function typedNumbers(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number === 4) values.push(...floatsOf(bytes, field));
    else if (field.number === 5 || field.number === 7) values.push(...integersOf(bytes, field));
  }
  return values;
}
