import type { TensorData } from './session.ts';

/** Data of a session whose tensors are made when they are taken. @param byteLength  of all together */
export function makeTensorData(byteLength: number, parts: Pick<TensorData, 'tensors' | 'subarray' | 'openWith'>) {
  const data: TensorData = Object.assign(new Uint8Array(0), parts);
  return Object.defineProperty(data, 'byteLength', { value: byteLength });
}

/** All bytes, for a runtime that takes no single tensors; 0 between them. */
export function wholeOf(data: Uint8Array | TensorData): Uint8Array {
  if (!('tensors' in data)) return data;
  const whole = new Uint8Array(data.byteLength);
  for (const [start, length] of data.tensors) whole.set(data.subarray(start, start + length), start);
  return whole;
}

/** Frees memory at once where the browser can, else with the next garbage collection. */
export function free({ buffer }: Uint8Array = new Uint8Array(0)): void {
  const { transfer } = buffer as { readonly transfer?: (length: number) => unknown };
  if (buffer.byteLength > 0) transfer?.call(buffer, 0); // freed before, it has no bytes
}
