import type { TensorData } from './session.ts';

/**
 * Data of a session whose bytes are made when they are taken.
 *
 * @param byteLength  of all tensors together
 */
export function makeTensorData(
  byteLength: number,
  { subarray, openWith }: Pick<TensorData, 'subarray' | 'openWith'>,
): TensorData {
  const data = Object.assign(new Uint8Array(0), { subarray, openWith });
  return Object.defineProperty(data, 'byteLength', { value: byteLength });
}

/** Frees memory at once where the browser can, else with the next garbage collection. */
export function free({ buffer }: Uint8Array = new Uint8Array(0)): void {
  const { transfer } = buffer as { readonly transfer?: (length: number) => unknown };
  if (buffer.byteLength > 0) transfer?.call(buffer, 0); // freed before, it has no bytes
}
