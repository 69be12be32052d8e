import { ownValue } from '../../../src/contract/records.ts';
import { type GraphNode, integerAttribute, tensorAttribute } from '../codec/graph-node.ts';
import { type OnnxModel, graphBodyOf } from '../codec/model-proto.ts';
import { type Initialiser, numbersOf } from '../codec/tensor-proto.ts';

/** Input with the cosine table, by operator that rotates positions. */
const COSINE_INPUT: Readonly<Record<string, number>> = { GroupQueryAttention: 7, RotaryEmbedding: 2 };

/** Positions that the graph's rotary tables reach; undefined where it computes angles itself. */
export function tabledPositions(model: OnnxModel): number | undefined {
  const lengths = model.nodes.flatMap((node) => {
    const input = ownValue(COSINE_INPUT, node.operator);
    const table = input === undefined ? undefined : constantDimensions(model, node.inputs[input] ?? '');
    return table?.slice(0, 1) ?? [];
  });
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}

/** Operators that ids pass on their way to the table. */
const ID_SHAPING = /^(Cast|Reshape|Identity|Flatten)$/;

/** Input with the table, by operator that looks ids up. */
const TABLE_INPUT: Readonly<Record<string, number>> = {
  Gather: 0,
  GatherBlockQuantized: 0,
  EmbedLayerNormalization: 2,
};

/** Rows of the table that `input_ids` are looked up in; undefined where it was not found. */
export function rowsOfTable(model: OnnxModel): number | undefined {
  let tensors = ['input_ids'];
  for (let depth = 0; depth < 4 && tensors.length > 0; depth++) {
    const readers = model.nodes.filter(({ inputs }) => inputs.some((input) => tensors.includes(input)));
    for (const { operator, inputs } of readers) {
      const table = ownValue(TABLE_INPUT, operator);
      const rows = table === undefined ? undefined : model.initialisers.get(inputs[table] ?? '')?.dimensions[0];
      if (rows !== undefined) return rows;
    }
    tensors = readers.filter(({ operator }) => ID_SHAPING.test(operator)).flatMap(({ outputs }) => outputs);
  }
  return undefined;
}

/** Length of a head, from the projection after a GroupQueryAttention or its norms; undefined for other operators. */
export function headSizeOfGroupQuery(node: GraphNode, model: OnnxModel): number | undefined {
  if (node.operator !== 'GroupQueryAttention') return undefined;
  const norm = model.initialisers.get(node.inputs[14] ?? '')?.dimensions[0];
  if (norm !== undefined) return norm;
  const widths = model.nodes.filter((each) => each.inputs[0] === node.outputs[0]).map((each) => rowsOf(each, model));
  const width = widths.find((rows) => rows !== undefined);
  const size = width === undefined ? undefined : width / integerAttribute(node, 'num_heads', 0);
  return size !== undefined && Number.isInteger(size) ? size : undefined;
}

/** Width of the rows that a product with weights takes. */
function rowsOf(node: GraphNode, model: OnnxModel): number | undefined {
  if (node.operator === 'MatMulNBits') return integerAttribute(node, 'K', 0) || undefined;
  if (node.operator === 'MatMul') return model.initialisers.get(node.inputs[1] ?? '')?.dimensions[0];
  return undefined;
}

/** The constant that a tensor is, else the node that makes it. Casts and copies are passed: they do not change integers. */
function originOf(
  model: OnnxModel,
  tensor: string,
): { readonly tensor: string; readonly constant?: Initialiser | undefined; readonly maker?: GraphNode | undefined } {
  const initialiser = model.initialisers.get(tensor);
  if (initialiser) return { tensor, constant: initialiser };
  const maker = model.nodes.find(({ outputs }) => outputs.includes(tensor));
  if (maker && /^(Cast|Identity)$/.test(maker.operator)) return originOf(model, maker.inputs[0] ?? '');
  return { tensor, maker, constant: maker?.operator === 'Constant' ? tensorAttribute(maker, 'value') : undefined };
}

/** Values of a small constant, whether it is an initialiser or a node `Constant`; undefined for any other tensor. */
export function constantNumbers(model: OnnxModel, tensor: string): number[] | undefined {
  const { constant } = originOf(model, tensor);
  return constant && numbersOf(constant);
}

/**
 * Lengths of a constant's axes. A table that the graph chooses by an `If`, as Phi's rotary positions for short and long texts,
 * has those of the shorter: with the other one, keys that were computed before would have other positions.
 */
export function constantDimensions(model: OnnxModel, tensor: string): readonly number[] | undefined {
  const { constant, maker, tensor: made } = originOf(model, tensor);
  if (constant || maker?.operator !== 'If') return constant?.dimensions;
  const branches = ['then_branch', 'else_branch'].map((name) => chosenDimensions(model, maker, name, made));
  return branches.every((each) => each !== undefined) ? branches.toSorted(([a = 0], [b = 0]) => a - b)[0] : undefined;
}

function chosenDimensions(
  model: OnnxModel,
  choice: GraphNode,
  name: string,
  tensor: string,
): readonly number[] | undefined {
  const body = graphBodyOf(choice, name);
  const inner = body?.outputs[choice.outputs.indexOf(tensor)]?.name;
  if (body === undefined || inner === undefined) return undefined;
  const initialisers = new Map([...model.initialisers, ...body.initialisers]);
  return constantDimensions({ ...model, nodes: [...body.nodes, ...model.nodes], initialisers }, inner);
}
