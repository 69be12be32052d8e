import type { GraphNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import { integerAttribute } from '../codec/node-attributes.ts';

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

/** From the projection behind a GroupQueryAttention, or its norms; undefined for other operators. */
export function headSizeOfGroupQuery(node: GraphNode, model: Model): number | undefined {
  if (node.operator !== 'GroupQueryAttention') return undefined;
  const norm = model.initialisers.get(node.inputs[14] ?? '')?.dimensions[0];
  if (norm !== undefined) return norm;
  const widths = model.nodes.filter((each) => each.inputs[0] === node.outputs[0]).map((each) => rowsOf(each, model));
  const width = widths.find((rows) => rows !== undefined);
  const size = width === undefined ? undefined : width / integerAttribute(node, 'num_heads', 0);
  return size !== undefined && Number.isInteger(size) ? size : undefined;
}

/** How wide the rows are that a product with weights takes. */
function rowsOf(node: GraphNode, model: Model): number | undefined {
  if (node.operator === 'MatMulNBits') return integerAttribute(node, 'K', 0) || undefined;
  if (node.operator === 'MatMul') return model.initialisers.get(node.inputs[1] ?? '')?.dimensions[0];
  return undefined;
}
