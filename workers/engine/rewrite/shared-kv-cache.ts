import type { KvCacheTensor } from '../analysis/kv-cache.ts';
import type { Model } from '../codec/model-proto.ts';
import { makeValueInfo } from '../codec/value-info.ts';
import { refuse } from '../refusal.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { RunLengths } from './run-lengths.ts';

/**
 * Lets one KV cache serve every run: the graph takes keys and values of batch 1, or of the run's batch, and any length,
 * cuts them to the `past_tokens` first positions and repeats those of batch 1 for the batch.
 *
 * *Every* reader is redirected, those that only ask for the shape included: exporters compute the number of past
 * positions from it, and with the uncut shape some networks are silently wrong.
 *
 * @returns the tensors that took the place of the KV cache
 */
export function shareKvCache(
  model: Model,
  builder: GraphBuilder,
  kvCache: readonly KvCacheTensor[],
  run: RunLengths,
): ReadonlySet<string> {
  const pasts = new Set<string>();
  if (kvCache.length === 0) return pasts;
  const readers = [...model.nodes];
  const shapes = [
    builder.concat(0, run.batch, builder.integers(1, 1, 1)),
    builder.concat(0, builder.integers(1), run.batch, builder.integers(1, 1, 1)),
  ];
  for (const { input, isStacked } of kvCache) {
    if (readers.some((node) => node.captures.includes(input))) refuse(`a branch or loop reads "${input}"`);
    const cut = builder.node('Slice', [input, builder.integers(0), run.past, builder.integers(isStacked ? 3 : 2)]);
    const past = builder.node('Expand', [cut, shapes[Number(isStacked)] ?? '']);
    pasts.add(past);
    for (const node of readers) redirect(node.inputs, input, past);
  }
  const names = new Map(kvCache.map((tensor) => [tensor.input, tensor]));
  model.inputs = model.inputs.map((info) => {
    const tensor = names.get(info.name);
    // A name of its own for every axis: ONNX Runtime plans memory by axes that share a name.
    return tensor
      ? makeValueInfo(info.name, info.type, [
          ...(tensor.isStacked ? [2] : []),
          ...['retained_batch', tensor.heads, 'retained_tokens', null],
        ])
      : info;
  });
  return pasts;
}

/** Replaces a tensor among the inputs of a node. */
export function redirect(inputs: string[], from: string, to: string): void {
  inputs.forEach((input, index) => {
    if (input === from) inputs[index] = to;
  });
}
