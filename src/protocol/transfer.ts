import type { FromWorker } from './messages.ts';

/** Buffers that are moved with a message instead of copied; the sender must not read them afterwards. */
export function transferablesOf(message: FromWorker): Transferable[] {
  if (message.type !== 'done' || message.kind !== 'embed') return [];
  const buffers = new Set(message.output.layers.flatMap(({ vectors }) => vectors.map(({ buffer }) => buffer)));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}
