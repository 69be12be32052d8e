import type { Model } from '../codec/model-proto.ts';

/** Input with the cosine table, by operator that rotates positions. */
const COSINE_INPUT: Readonly<Record<string, number>> = { GroupQueryAttention: 7, RotaryEmbedding: 2 };

/** Positions that the graph's rotary tables reach; undefined where it computes angles itself. */
export function tabledPositions(model: Model): number | undefined {
  const lengths = model.nodes.flatMap((node) => {
    const input = COSINE_INPUT[node.operator];
    const table = input === undefined ? undefined : model.initialisers.get(node.inputs[input] ?? '');
    return table?.dimensions.slice(0, 1) ?? [];
  });
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}
