import { fromHalf } from '../codec/element-type.ts';
import type { NetworkInput } from '../analysis/network-inputs.ts';
import { ElementType } from '../codec/element-type.ts';
import type { Fetched, Tensor, Ort } from './session.ts';

/** Tensors by graph input. */
export type Feeds = Record<string, Tensor>;

/** Numbers as int64. */
export function int64(ort: Ort, values: Int32Array | readonly number[], dimensions: readonly number[]): Tensor {
  const wide = new BigInt64Array(values.length);
  for (let index = 0; index < values.length; index++) wide[index] = BigInt(values[index] ?? 0);
  return new ort.Tensor('int64', wide, dimensions);
}

/** An integer input, in the type that the graph takes. */
export function integers(ort: Ort, { type }: NetworkInput, values: Int32Array, dimensions: readonly number[]): Tensor {
  return type === ElementType.int32 ? new ort.Tensor('int32', values, dimensions) : int64(ort, values, dimensions);
}

/** The numbers of an output. 16-bit floats come as their bits, or as numbers in a `Float16Array` where the browser has one. */
export function floatsOfOutput(name: string, data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (!ArrayBuffer.isView(data) || data.byteLength % 2)
    throw new TypeError(`output ${name} is missing or has no floats`);
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalf);
}

/** The values of a float32 output. */
export async function valuesOf(fetched: Fetched, name: string): Promise<Float32Array> {
  const data = await fetched[name]?.getData(true);
  if (!(data instanceof Float32Array)) throw new TypeError(`output ${name} is missing or not float32`);
  return data;
}
