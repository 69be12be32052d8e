import { ancestors, constantDimensions, constantNumbers, makersIn, sortNodes } from '../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { type GraphNode, integersAttribute } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ADDED } from '../tensor-names.ts';
import { createGraphBuilder, type GraphBuilder } from './graph-builder.ts';

/** Swaps the last two of four axes. */
const TURN = [0, 1, 3, 2];

/** Keys or values that are repeated for the query heads of each key head. */
interface Repetition {
  /** `[batch, key heads, total, head size]`, an output of the graph. */
  readonly unrepeated: string;
  readonly keyHeads: number;
  /** Query heads of a key head. */
  readonly group: number;
}

/** A product of query heads with repeated keys or values. */
interface RepeatedProduct extends Repetition {
  readonly product: GraphNode;
  /** What is between the repetition and the product: the swap of the last two axes, and scaling by a number. */
  readonly between: readonly { readonly operator: 'Transpose' | 'Mul'; readonly factor?: string }[];
}

/**
 * Multiplies the query heads that share a key head by its keys and values without repeating them (grouped-query attention). Exporters
 * repeat them for each query head, which copies all of them several times in every pass and takes twenty operators for the shapes. The
 * heads of a group are contiguous in memory: `[batch, heads, tokens, size]` is `[batch, key heads, group · tokens, size]`.
 *
 * @edge a repetition stays where the size of the group is not a number in the file, or where it is not of the KV cache
 * @source transformers, `repeat_kv` in its models of Llama's family
 */
export function groupHeads(model: OnnxModel, kvCache: readonly KvCacheTensor[]): void {
  const makers = makersIn(model.nodes);
  const repetitions = repetitionsIn(model, makers, kvCache);
  const products = model.nodes.flatMap((product) => repeatedProduct(product, model, makers, repetitions) ?? []);
  if (products.length === 0) return;
  const results = model.outputs.map(({ name }) => name);
  const readBefore = ancestors(model.nodes, results);
  const replaced = new Set(products.map(({ product }) => product));
  model.nodes = model.nodes.filter((node) => !replaced.has(node));
  const builder = createGraphBuilder(model);
  for (const product of products) multiplyByGroup(builder, product);
  for (const [tensor, { unrepeated }] of repetitions) redirectShapes(model, tensor, unrepeated);
  const readNow = ancestors(model.nodes, results);
  model.nodes = model.nodes.filter((node) => readNow.has(node) || !readBefore.has(node));
  sortNodes(model);
}

/** Repeated keys and values, by the name of the repetition. */
function repetitionsIn(
  model: OnnxModel,
  makers: ReadonlyMap<string, GraphNode>,
  kvCache: readonly KvCacheTensor[],
): ReadonlyMap<string, Repetition> {
  const heads = new Map(kvCache.map(({ output, heads, isStacked }) => [output, isStacked ? undefined : heads]));
  return new Map(
    model.nodes.flatMap((joined) => {
      const expanded = joined.operator === 'Reshape' ? makers.get(joined.inputs[0] ?? '') : undefined;
      const raised = expanded?.operator === 'Expand' ? makers.get(expanded.inputs[0] ?? '') : undefined;
      if (raised?.operator !== 'Unsqueeze') return [];
      const axes = integersAttribute(raised, 'axes') ?? constantNumbers(model, raised.inputs[1] ?? '', makers);
      const [unrepeated = ''] = raised.inputs;
      const keyHeads = heads.get(unrepeated);
      const group = lengthIn(model, makers, expanded?.inputs[1]);
      if (axes?.join() !== '2' || keyHeads === undefined || group === undefined) return [];
      return [[joined.outputs[0] ?? '', { unrepeated, keyHeads, group }] as const];
    }),
  );
}

/** The third of the five lengths in a shape; undefined where the file does not have it as a number. */
function lengthIn(model: OnnxModel, makers: ReadonlyMap<string, GraphNode>, shape = ''): number | undefined {
  const numbers = constantNumbers(model, shape, makers);
  if (numbers) return numbers.length === 5 ? numbers[2] : undefined;
  const { operator, inputs = [] } = makers.get(shape) ?? {};
  if (operator === 'Where') return lengthIn(model, makers, inputs[2]); // exporters replace lengths of −1 by 1
  if (operator === 'Reshape') return lengthIn(model, makers, inputs[0]);
  if (operator !== 'Concat' || inputs.length !== 5) return undefined;
  return constantNumbers(model, inputs[2] ?? '', makers)?.[0];
}

function repeatedProduct(
  product: GraphNode,
  model: OnnxModel,
  makers: ReadonlyMap<string, GraphNode>,
  repetitions: ReadonlyMap<string, Repetition>,
): RepeatedProduct | undefined {
  if (product.operator !== 'MatMul') return undefined;
  const between: { operator: 'Transpose' | 'Mul'; factor?: string }[] = [];
  let [, tensor = ''] = product.inputs;
  for (let node = makers.get(tensor); node && !repetitions.has(tensor); node = makers.get(tensor)) {
    const { operator, inputs } = node;
    const factor = inputs.find((input) => constantDimensions(model, input, makers)?.every((length) => length === 1));
    if (operator === 'Transpose' && integersAttribute(node, 'perm')?.join() === TURN.join())
      between.unshift({ operator });
    else if (operator === 'Mul' && factor !== undefined) between.unshift({ operator, factor });
    else return undefined;
    tensor = inputs.find((input) => input !== factor) ?? '';
  }
  const repetition = repetitions.get(tensor);
  return repetition && { ...repetition, product, between };
}

/** In a shape, 0 leaves an axis as long as it is, and −1 is the rest. */
function multiplyByGroup(
  builder: GraphBuilder,
  { unrepeated, keyHeads, group, product, between }: RepeatedProduct,
): void {
  const [rows = ''] = product.inputs; // [batch, heads, tokens, head size or total]
  const [result = ''] = product.outputs;
  const named = (part: string | number) => `${ADDED}grouped/${part}/${result}`;
  const grouped = builder.reshape(rows, builder.integers(0, keyHeads, -1, 0), named('rows'));
  const other = between.reduce((tensor, { operator, factor }, at) => {
    const [others, attributes] = factor === undefined ? [[], { perm: TURN }] : [[factor], {}];
    return builder.node(operator, [tensor, ...others], attributes, named(at));
  }, unrepeated);
  const multiplied = builder.node('MatMul', [grouped, other], {}, named('product'));
  builder.reshape(multiplied, builder.integers(0, keyHeads * group, -1, 0), result);
}

/** Redirects readers of a repetition's shape to the unrepeated tensor, whose axes have the same lengths but for the number of heads. */
function redirectShapes(model: OnnxModel, repetition: string, unrepeated: string): void {
  const isSame = ({ operator, inputs: [, index = ''] }: GraphNode) =>
    operator === 'Gather' && [0, 2, 3, -1, -2, -4].includes(constantNumbers(model, index)?.[0] ?? 1);
  const shapes = model.nodes.filter(({ operator, inputs }) => operator === 'Shape' && inputs[0] === repetition);
  for (const { attributes, inputs, outputs } of shapes) {
    const readers = model.nodes.filter(({ inputs }) => inputs.includes(outputs[0] ?? ''));
    if (attributes.size === 0 && readers.every(isSame)) inputs[0] = unrepeated;
  }
}
