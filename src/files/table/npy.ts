const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const VERSION = [1, 0];
/** Header and data begin at multiples of this. */
const ALIGNMENT = 64;

/**
 * An array of float32, `[rows, width]`, as NumPy saves it.
 *
 * @source numpy.lib.format, version 1.0
 */
export function npyBytes(values: Float32Array, width: number): Uint8Array<ArrayBuffer> {
  const shape = `(${width === 0 ? 0 : values.length / width}, ${width})`;
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`;
  const before = MAGIC.length + VERSION.length + 2;
  const length = Math.ceil((before + text.length + 1) / ALIGNMENT) * ALIGNMENT - before;
  const header = new TextEncoder().encode(`${text.padEnd(length - 1)}\n`);
  const bytes = new Uint8Array(before + length + values.byteLength);
  bytes.set([...MAGIC, ...VERSION, length & 255, length >> 8]);
  bytes.set(header, before);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), before + length);
  return bytes;
}
