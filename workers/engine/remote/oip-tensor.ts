import type { Ort, Tensor } from '../session/session.ts';
import { EngineAnswerError } from './engine-error.ts';

/** Datatypes of the protocol by ONNX Runtime's names. @source Open Inference Protocol v2, "Tensor Data Types" */
export const DATATYPES = {
  bool: 'BOOL',
  uint8: 'UINT8',
  int8: 'INT8',
  int32: 'INT32',
  int64: 'INT64',
  float16: 'FP16',
  float32: 'FP32',
  float64: 'FP64',
} as const;

/** A datatype that graphs use. */
export type Datatype = (typeof DATATYPES)[keyof typeof DATATYPES];
type ElementName = keyof typeof DATATYPES;

const ARRAYS = {
  bool: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** The datatype of a tensor. @throws {TypeError} for one that no graph of ours is fed */
export function datatypeOf({ type }: Tensor): Datatype {
  if (!isElementName(type)) throw new TypeError(`no tensor of type ${type} can be sent`);
  return DATATYPES[type];
}

function isElementName(type: string): type is ElementName {
  return Object.hasOwn(DATATYPES, type);
}

/** Shape as it is sent. Servers want a rank of 1 at least, so a scalar is a list of one; exported graphs take it so. */
export function sentShape({ dims }: Tensor): readonly number[] {
  return dims.length === 0 ? [1] : dims;
}

/** Values in row-major order, little-endian; a view on the tensor's memory. */
export function bytesOfTensor({ data }: Tensor): Uint8Array {
  if (!ArrayBuffer.isView(data)) throw new TypeError('a tensor of texts cannot be sent');
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * Values as JSON has them. A float32 is written with all the digits of a double, and so is read back as it was.
 *
 * @throws {TypeError} for 16-bit floats, which the protocol has in its binary form alone
 */
export function jsonValuesOf({ type, data }: Tensor): (number | boolean)[] {
  if (type === 'float16') throw new TypeError('16-bit floats need an engine with the binary extension');
  if (type === 'bool') return Array.from(data as Uint8Array, (value) => value !== 0);
  return Array.from(data as Iterable<number | bigint>, Number);
}

/** An output as an answer describes it, checked by itself. */
export interface OutputHead {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

/** @throws {EngineAnswerError} where the bytes are not as many as the shape says */
export function tensorOfBytes(ort: Ort, { name, datatype, shape }: OutputHead, bytes: Uint8Array): Tensor {
  const type = elementName(datatype);
  const width = ARRAYS[type].BYTES_PER_ELEMENT;
  const count = product(shape);
  if (bytes.byteLength !== count * width)
    throw new EngineAnswerError(`output ${name}: ${bytes.byteLength} bytes for ${datatype} [${shape.join(', ')}]`);
  const own = bytes.slice(); // views on wider numbers need alignment
  return makeTensor(ort, type, new ARRAYS[type](own.buffer, 0, count), shape);
}

/** @throws {EngineAnswerError} where values are missing, too many, or of another kind */
export function tensorOfJson(ort: Ort, { name, datatype, shape }: OutputHead, data: unknown): Tensor {
  const type = elementName(datatype);
  // The protocol allows nested lists as well as flat ones.
  const values: unknown[] = Array.isArray(data) ? data.flat(Infinity) : [];
  const wanted = type === 'bool' ? 'boolean' : 'number';
  if (!Array.isArray(data) || values.length !== product(shape) || values.some((value) => typeof value !== wanted))
    throw new EngineAnswerError(
      `output ${name}: expected ${product(shape)} ${wanted}s for [${shape.join(', ')}], got ${values.length} values`,
    );
  const numbers = values.map(Number);
  if (type === 'float16') throw new EngineAnswerError(`output ${name}: 16-bit floats in JSON`);
  const array = type === 'int64' ? BigInt64Array.from(numbers, BigInt) : ARRAYS[type].from(numbers);
  return makeTensor(ort, type, array, shape);
}

function elementName(datatype: Datatype): ElementName {
  const found = Object.entries(DATATYPES).find(([, each]) => each === datatype);
  return (found?.[0] ?? 'float32') as ElementName;
}

/** One row of `ARRAYS`, chosen by `type`; TypeScript cannot tie the two together. */
function makeTensor(ort: Ort, type: ElementName, data: ArrayBufferView, shape: readonly number[]): Tensor {
  return new ort.Tensor(type as 'float32', data as Float32Array, shape);
}

function product(shape: readonly number[]): number {
  return shape.reduce((all, each) => all * each, 1);
}
