import type { DoneMessage, JobAnswer } from './messages.ts';

/** Buffers that are moved with a message instead of copied; the sender must not read them afterwards. */
export function transferablesOf(message: JobAnswer): Transferable[] {
  if (message.type !== 'done') return [];
  const buffers = new Set(arraysOf(message).map(({ buffer }) => buffer));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}

function arraysOf(message: DoneMessage): readonly (Float32Array | Float64Array)[] {
  switch (message.kind) {
    case 'embed':
      return message.output.layers.flatMap(({ vectors }) => vectors);
    case 'semanticEmbed':
      return message.output.vectors;
    case 'explain':
      return [message.output.influence];
    case 'evaluate':
      return [message.output.logProbabilities];
    default:
      return [];
  }
}
