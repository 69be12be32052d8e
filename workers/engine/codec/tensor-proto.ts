import { fromHalf } from '../../../src/formats/safetensors.ts';
import { refuse } from '../network.ts';
import { bytesOf, createMessage, fieldsOf, floatsOf, integersOf, type Message, readText, textOf } from './protobuf.ts';

/** Where a tensor's bytes lie when they are not in the model file. */
interface ExternalData {
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
    else if (field.number === 8) name = readText(bytes, field);
    else if (field.number === 9) raw = { start: field.start, end: field.end };
    else if (field.number === 13) {
      const entry = bytes.subarray(field.start, field.end);
      entries.set(textOf(entry, 1), textOf(entry, 2));
    }
  }
  return { name, type, dimensions, bytes, filePosition, raw, external: externalDataOf(entries) };
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
  const place = { location, offset: filePosition + raw.start, byteCount: raw.end - raw.start };
  return reference(tensor.name, tensor.type, tensor.dimensions, place);
}

function reference(name: string, type: number, dimensions: readonly number[], place: ExternalData): Message {
  const message = createMessage();
  for (const dimension of dimensions) message.integer(1, dimension);
  message.integer(2, type).text(8, name);
  const entries = { location: place.location, offset: `${place.offset}`, length: `${place.byteCount}` };
  for (const [key, value] of Object.entries(entries)) message.message(13, createMessage().text(1, key).text(2, value));
  return message.integer(14, 1); // data_location = EXTERNAL
}

/** A constant whose values lie in a file beside the model. */
export function makeExternalTensor(
  name: string,
  type: number,
  dimensions: readonly number[],
  place: ExternalData,
): Initialiser {
  return decodeTensor(bytesOf(reference(name, type, dimensions, place)), undefined);
}

/** Makes a constant. @param values  as many as the product of `dimensions`; bool as 0 and 1 */
export function makeTensor(
  name: string,
  type: number,
  dimensions: readonly number[],
  values: ArrayLike<number>,
): Initialiser {
  const message = createMessage();
  for (const dimension of dimensions) message.integer(1, dimension);
  message
    .integer(2, type)
    .text(8, name)
    .bytes(9, new Uint8Array(storageOf(type, name).write(values).buffer));
  return decodeTensor(bytesOf(message), undefined);
}

/** The values of a small constant. @throws for types that no shape or mask constant has, and for external ones */
export function numbersOf(tensor: Initialiser): number[] {
  if (tensor.external) return refuse(`constant ${tensor.name} is stored outside the model file`);
  const { type, name, raw, bytes } = tensor;
  if (!raw) return typedNumbers(tensor);
  return storageOf(type, name).read(bytes.slice(raw.start, raw.end).buffer); // a copy, because typed views need alignment
}

/** Values in the typed fields `float_data` (4), `int32_data` (5), which has half-precision floats as their bits, and `int64_data` (7). */
function typedNumbers({ bytes, type }: Initialiser): number[] {
  const values: number[] = [];
  for (const field of fieldsOf(bytes)) {
    const read = field.number === 4 ? floatsOf : integersOf;
    if ([4, 5, 7].includes(field.number)) for (const value of read(bytes, field)) values.push(value);
  }
  return type === float16 ? values.map(fromHalf) : values;
}

/** Element types of ONNX tensors (TensorProto.DataType), by their numbers in the file format. */
export const ElementType = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  bfloat16: 16,
} as const;

const { float32, float16, float64, bfloat16, int32, int64, bool, uint8, int8 } = ElementType;

/** How numbers of a type are stored in `raw_data`. */
interface Storage {
  readonly write: (values: ArrayLike<number>) => { readonly buffer: ArrayBuffer };
  readonly read: (buffer: ArrayBuffer) => number[];
}

const BYTES: Storage = { write: (values) => Uint8Array.from(values), read: (buffer) => [...new Uint8Array(buffer)] };

const STORAGE: Readonly<Record<number, Storage>> = {
  [float32]: { write: (values) => Float32Array.from(values), read: (buffer) => [...new Float32Array(buffer)] },
  [float64]: { write: (values) => Float64Array.from(values), read: (buffer) => [...new Float64Array(buffer)] },
  [float16]: {
    write: (values) => Uint16Array.from(values, toHalf),
    read: (buffer) => Array.from(new Uint16Array(buffer), fromHalf),
  },
  [int64]: {
    write: (values) => BigInt64Array.from(values, BigInt),
    read: (buffer) => Array.from(new BigInt64Array(buffer), Number),
  },
  [int32]: { write: (values) => Int32Array.from(values), read: (buffer) => [...new Int32Array(buffer)] },
  [int8]: { write: (values) => Int8Array.from(values), read: (buffer) => [...new Int8Array(buffer)] },
  [bool]: BYTES,
  [uint8]: BYTES,
};

function storageOf(type: number, name: string): Storage {
  return STORAGE[type] ?? refuse(`constant ${name} has ONNX element type ${type}, which is not supported`);
}

const FLOATING: ReadonlySet<number> = new Set([float32, float16, float64, bfloat16]);

/** Whether values of the type are real numbers. */
export function isFloating(type: number | undefined): boolean {
  return type !== undefined && FLOATING.has(type);
}

/** Nearest half-precision bits; ties away from zero, beyond ±65504 infinity. @edge NaN, never written: infinity */
export function toHalf(value: number): number {
  const [single = 0] = new Uint32Array(Float32Array.of(value).buffer);
  const sign = (single >>> 16) & 0x8000;
  const exponent = ((single >>> 23) & 0xff) - 112;
  const mantissa = single & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | (((exponent << 10) | (mantissa >> 13)) + ((mantissa >> 12) & 1));
  if (exponent < -10) return sign;
  const shift = 14 - exponent;
  const subnormal = mantissa | 0x800000;
  return sign | ((subnormal >> shift) + ((subnormal >> (shift - 1)) & 1));
}
