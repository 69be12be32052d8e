import type { DoneMessage, FromWorker } from './messages.ts';

/** Buffers that are moved with a message instead of copied; the sender must not read them afterwards. */
export function transferablesOf(message: FromWorker): Transferable[] {
  if (message.type !== 'done') return [];
  const buffers = new Set(vectorsOf(message).map(({ buffer }) => buffer));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}

function vectorsOf(message: DoneMessage): readonly Float32Array[] {
  if (message.kind === 'embed') return message.output.layers.flatMap(({ vectors }) => vectors);
  return message.kind === 'semanticEmbed' ? message.output.vectors : [];
}
