import { jsonIn } from '../contract/records.ts';

type Refuse = (reason: string) => never;

/** A tensor of a file, as 32-bit floats, in whatever type it is stored. */
interface NamedTensor {
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

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
 * The tensors of a safetensors file, without those of integers.
 *
 * @param name    of the file, for messages
 * @param refuse  throws for any other file, or one cut short
 * @source safetensors: 8 bytes with the length of the header, a JSON header, the numbers
 */
export function namedTensors(file: Uint8Array, name: string, refuse: Refuse): ReadonlyMap<string, NamedTensor> {
  const { header, start } = headerOf(file, name, refuse);
  const tensors = new Map<string, NamedTensor>();
  for (const [key, entry] of Object.entries(header)) {
    if (key === '__metadata__') continue;
    const { dtype, shape, data_offsets: offsets } = { ...Object(entry) };
    const type = Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : undefined;
    if (type === undefined || !isNumbers(shape) || !isNumbers(offsets)) continue;
    const count = shape.reduce((product, length) => product * length, 1);
    const begin = start + (offsets[0] ?? 0);
    if (begin + count * type.bytes > file.length) refuseDamaged(refuse, name, `"${key}" ends after the file's end`);
    const view = new DataView(file.buffer, file.byteOffset + begin, count * type.bytes);
    const values = Float32Array.from({ length: count }, (_, index) => type.read(view, index * type.bytes));
    tensors.set(key, { dimensions: shape, values });
  }
  return tensors;
}

function headerOf(file: Uint8Array, name: string, refuse: Refuse): { readonly header: object; readonly start: number } {
  if (file.length < 8) refuseDamaged(refuse, name, `it has ${file.length} bytes`);
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  if (length > file.length - 8) refuseDamaged(refuse, name, 'its header ends after the file');
  const header = jsonIn(new TextDecoder().decode(file.subarray(8, 8 + length)));
  if (typeof header === 'object' && header !== null) return { header, start: 8 + length };
  return refuseDamaged(refuse, name, 'its header is not a JSON object');
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
}

function refuseDamaged(refuse: Refuse, name: string, reason: string): never {
  return refuse(`${name} is not a safetensors file, or is damaged: ${reason}`);
}

/** The number that half-precision bits stand for. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
