import type { GraphNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import { constantDimensions } from './constants.ts';
import { integerAttribute } from '../codec/node-attributes.ts';

/** Input with the cosine table, by operator that rotates positions. */
const COSINE_INPUT: Readonly<Record<string, number>> = { GroupQueryAttention: 7, RotaryEmbedding: 2 };

/** Positions that the graph's rotary tables reach; undefined where it computes angles itself. */
export function tabledPositions(model: Model): number | undefined {
  const lengths = model.nodes.flatMap((node) => {
    const input = COSINE_INPUT[node.operator];
    const table = input === undefined ? undefined : constantDimensions(model, node.inputs[input] ?? '');
    return table?.slice(0, 1) ?? [];
  });
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}

/** Operators that ids pass on their way to the table. */
const ID_SHAPING = new Set(['Cast', 'Reshape', 'Identity', 'Flatten']);

/** Rows of the table that `input_ids` are looked up in; undefined where it was not found. */
export function rowsOfTable(model: Model): number | undefined {
  let tensors = ['input_ids'];
  for (let depth = 0; depth < 4 && tensors.length > 0; depth++) {
    const readers = model.nodes.filter(({ inputs }) => inputs.some((input) => tensors.includes(input)));
    for (const { operator, inputs } of readers) {
      const table = TABLE_INPUT[operator];
      const rows = table === undefined ? undefined : model.initialisers.get(inputs[table] ?? '')?.dimensions[0];
      if (rows !== undefined) return rows;
    }
    tensors = readers.filter(({ operator }) => ID_SHAPING.has(operator)).flatMap(({ outputs }) => outputs);
  }
  return undefined;
}

/** Input with the table, by operator that looks ids up. */
const TABLE_INPUT: Readonly<Record<string, number>> = {
  Gather: 0,
  GatherBlockQuantized: 0,
  EmbedLayerNormalization: 2,
};

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
