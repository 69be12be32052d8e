import { isKvCacheInput } from '../analysis/network-inputs.ts';
import { type GraphNode, integerAttribute, integersAttribute, makeNode, MICROSOFT } from '../codec/graph-node.ts';
import { ADDED } from '../tensor-names.ts';
import type { Chains, Fused } from './chains.ts';

/**
 * softmax(scale · q kᵀ + mask) v over keys and values after those of the past, with a key head for each query head.
 *
 * @source ONNX Runtime, docs/ContribOperators.md, com.microsoft.MultiHeadAttention
 */
export function fusedAttention(graph: Chains, softmax: GraphNode): Fused | undefined {
  const { maker, next, numbers, isFloat } = graph;
  const masked = softmax.operator === 'Softmax' ? maker(softmax.inputs[0]) : undefined;
  const scaled = masked?.operator === 'Add' ? maker(masked.inputs[0]) : undefined;
  const [product, scale] = [maker(scaled?.inputs[0]), numbers(scaled?.inputs[1])];
  const mixed = next(softmax);
  const [turned, joined] = [maker(product?.inputs[1]), mixed && next(mixed)];
  const last = joined && next(joined);
  const isAttention =
    (scaled?.operator === 'Mul' || scaled?.operator === 'Div') &&
    scale?.length === 1 &&
    product?.operator === 'MatMul' &&
    mixed?.operator === 'MatMul' &&
    isTranspose(turned, '0,1,3,2') &&
    isTranspose(joined, '0,2,1,3') &&
    last?.operator === 'Reshape' &&
    isFloat(softmax.inputs[0] ?? '');
  if (!isAttention || !isLastAxis(softmax)) return undefined;
  const query = byTokens(graph, product.inputs[0]);
  const [keys, values] = [extended(graph, turned?.inputs[0]), extended(graph, mixed.inputs[1])];
  const heads = query?.heads;
  if (!query || !keys || !values || keys.heads !== heads || values.heads !== heads) return undefined;
  const inputs = [query.tensor, keys.tensor, values.tensor, '', '', masked?.inputs[1] ?? '', keys.past, values.past];
  const outputs = [last.outputs[0] ?? '', ...keys.node.outputs, ...values.node.outputs];
  const [factor = 1] = scale;
  const attributes = { num_heads: heads ?? 0, scale: { float: scaled.operator === 'Div' ? 1 / factor : factor } };
  const attention = makeNode('MultiHeadAttention', inputs, outputs, attributes, MICROSOFT);
  return {
    chain: [keys.node, values.node, softmax, mixed, joined, last],
    nodes: [...query.nodes, ...keys.nodes, ...values.nodes, attention],
  };
}

function isTranspose(node: GraphNode | undefined, order: string): node is GraphNode {
  return node?.operator === 'Transpose' && integersAttribute(node, 'perm')?.join() === order;
}

const isLastAxis = (node: GraphNode) => ['-1', '3'].includes(String(integerAttribute(node, 'axis', -1)));

/** What is `[batch, tokens, heads · size]` before it is split into heads, and the nodes that rotate it there. */
interface ByTokens {
  readonly tensor: string;
  readonly heads: number;
  readonly nodes: readonly GraphNode[];
}

function byTokens({ maker, numbers }: Chains, tensor: string | undefined): ByTokens | undefined {
  const made = maker(tensor);
  const rotary = made?.operator === 'RotaryEmbedding' ? made : undefined;
  const turned = rotary ? maker(rotary.inputs[0]) : made;
  const split = isTranspose(turned, '0,2,1,3') ? maker(turned?.inputs[0]) : undefined;
  const shape = split?.operator === 'Reshape' ? numbers(split.inputs[1]) : undefined;
  const heads = shape?.length === 4 ? (shape[2] ?? 0) : 0;
  const [whole = ''] = split?.inputs ?? [];
  if (heads < 1) return undefined;
  if (!rotary) return { tensor: whole, heads, nodes: [] };
  const rotated = `${ADDED}rotated/${rotary.outputs[0]}`;
  const inputs = [whole, ...rotary.inputs.slice(1)];
  const node = makeNode('RotaryEmbedding', inputs, [rotated], { num_heads: heads }, MICROSOFT);
  return { tensor: rotated, heads, nodes: [node] };
}

/** Keys or values of new positions after those of the past, which are an input of the graph. */
function extended(graph: Chains, tensor: string | undefined) {
  const node = graph.maker(tensor);
  const [past = '', added] = node?.operator === 'Concat' ? node.inputs : [];
  const isPast = graph.model.inputs.some((input) => input.name === past && isKvCacheInput(input));
  const isOverTokens = node && [2, -2].includes(integerAttribute(node, 'axis', 0));
  const tokens = isPast && isOverTokens ? byTokens(graph, added) : undefined;
  return node && tokens && { ...tokens, node, past };
}
