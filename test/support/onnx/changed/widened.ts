import { ElementType, makeTensor, numbersOf } from '../../../../workers/engine/codec/tensor-proto.ts';
import { type GraphNode, integerAttribute, makeNode } from '../../../../workers/engine/codec/graph-node.ts';
import {
  decodeModel,
  encodeSkeleton,
  makeValueInfo,
  type ValueInfo,
} from '../../../../workers/engine/codec/model-proto.ts';

/** Name under which the widened file refers to the original. */
export const NARROW_FILE = 'narrow.onnx';

/**
 * The same network with 32-bit floats in place of 16-bit ones: what it computes can then be compared to float32's last
 * digits, where 16-bit rounding would hide an error. Codes of quantised weights stay as they are.
 */
export function widened(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  for (const tensor of model.initialisers.values())
    if (tensor.type === ElementType.float16) {
      const { name, dimensions } = tensor;
      model.initialisers.set(name, makeTensor(name, ElementType.float32, dimensions, numbersOf(tensor)));
    }
  model.nodes = model.nodes.map(widenedNode);
  model.inputs = model.inputs.map(widenedInfo);
  model.outputs = model.outputs.map(widenedInfo);
  return encodeSkeleton(model, NARROW_FILE);
}

function widenedNode(node: GraphNode): GraphNode {
  if (node.operator !== 'Cast' || integerAttribute(node, 'to', 0) !== ElementType.float16) return node;
  return makeNode('Cast', node.inputs, node.outputs, { to: ElementType.float32 });
}

function widenedInfo(info: ValueInfo): ValueInfo {
  if (info.type !== ElementType.float16) return info;
  return makeValueInfo(info.name, ElementType.float32, info.dimensions ?? []);
}
