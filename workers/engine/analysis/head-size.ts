import { integerAttribute, type GraphNode } from '../codec/graph-node.ts';
import type { NetworkConfig } from '../loading/network-config.ts';
import type { Model } from '../codec/model-proto.ts';
import type { CachedTensor } from './network-inputs.ts';
import { refuse } from './refusal.ts';

/**
 * Length of one head's keys and values. Current builders leave the axis symbolic (graphs.md, F2); then it is read from
 * the weights behind the fused attention that reads the tensor, at last from `config.json`.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when neither tells
 */
export function headSizeOf(tensor: CachedTensor, model: Model, config: NetworkConfig): number {
  if (tensor.headSize !== undefined) return tensor.headSize;
  const reader = model.nodes.find((node) => node.inputs.includes(tensor.input));
  const size = (reader && headSizeOfGroupQuery(reader, model)) ?? config.headSize;
  return size ?? refuse(`the length of the heads of "${tensor.input}" is not known; config.json should give head_dim`);
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
