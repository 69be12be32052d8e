import { FailureError } from '../../../../src/contract/failure.ts';
import { fromHalf } from '../../codec/element-type.ts';

/** A tensor of a file, as 32-bit floats whatever it is stored in. */
export interface NamedTensor {
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

/** Bytes of one number, and how it is read. */
const TYPES: Readonly<Record<string, { readonly bytes: number; read(view: DataView, at: number): number }>> = {
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => fromHalf(view.getUint16(at, true)) },
  BF16: { bytes: 2, read: (view, at) => upperHalf(view.getUint16(at, true)) },
};

const scratch = new DataView(new ArrayBuffer(4));

/** A bfloat16 is the upper half of a float32. */
function upperHalf(bits: number): number {
  scratch.setUint32(0, bits * 2 ** 16);
  return scratch.getFloat32(0);
}

/**
 * The tensors of a safetensors file. Those of integers are left out.
 *
 * @param name  of the file, for messages
 * @throws {FailureError} MODEL_UNAVAILABLE for bytes that are no such file, or one cut short
 * @source safetensors: 8 bytes with the header's length, a JSON header, the numbers
 */
export function namedTensors(file: Uint8Array, name: string): ReadonlyMap<string, NamedTensor> {
  const { header, start } = headerOf(file, name);
  const tensors = new Map<string, NamedTensor>();
  for (const [key, entry] of Object.entries(header)) {
    if (key === '__metadata__') continue;
    const { dtype, shape, data_offsets: offsets } = { ...Object(entry) };
    const type = Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : undefined;
    if (type === undefined || !isNumbers(shape) || !isNumbers(offsets)) continue;
    const count = shape.reduce((product, length) => product * length, 1);
    const begin = start + (offsets[0] ?? 0);
    if (begin + count * type.bytes > file.length) throw damaged(name, `"${key}" ends behind the file's end`);
    const view = new DataView(file.buffer, file.byteOffset + begin, count * type.bytes);
    const values = Float32Array.from({ length: count }, (_, index) => type.read(view, index * type.bytes));
    tensors.set(key, { dimensions: shape, values });
  }
  return tensors;
}

function headerOf(file: Uint8Array, name: string): { readonly header: object; readonly start: number } {
  if (file.length < 8) throw damaged(name, `it has ${file.length} bytes`);
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > file.length - 8) throw damaged(name, 'its header ends behind its end');
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    if (typeof header === 'object' && header !== null) return { header, start: 8 + length };
  } catch {
    // Falls through to what is said of any other header.
  }
  throw damaged(name, 'its header is no JSON object');
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
}

function damaged(name: string, reason: string): FailureError {
  return new FailureError('MODEL_UNAVAILABLE', `${name} is no safetensors file, or is damaged: ${reason}`);
}
