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

/** Whether values of the type are real numbers. */
export function isFloating(type: number | undefined): boolean {
  return (
    type === ElementType.float32 ||
    type === ElementType.float16 ||
    type === ElementType.float64 ||
    type === ElementType.bfloat16
  );
}

/**
 * Nearest IEEE 754 half-precision bits; ties go away from zero, beyond ±65504 to infinity.
 *
 * @edge NaN becomes infinity: no constant written by the rewrite is NaN
 */
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

/** The number that half-precision bits stand for. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
