import { makeNode, integerAttribute } from '../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton, makeValueInfo } from '../../../../workers/engine/codec/model-proto.ts';
import { ElementType, makeTensor, numbersOf } from '../../../../workers/engine/codec/tensor-proto.ts';

const { float16, float32 } = ElementType;

/** The same network in 16-bit floats, inputs and outputs too. */
export function halved(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  for (const tensor of model.initialisers.values())
    if (tensor.type === float32)
      model.initialisers.set(tensor.name, makeTensor(tensor.name, float16, tensor.dimensions, numbersOf(tensor)));
  model.nodes = model.nodes.map((node) =>
    node.operator === 'Cast' && integerAttribute(node, 'to', 0) === float32
      ? makeNode('Cast', node.inputs, node.outputs, { to: float16 })
      : node,
  );
  const halvedInfo = (info: (typeof model.inputs)[number]) =>
    info.type === float32 ? makeValueInfo(info.name, float16, info.dimensions ?? []) : info;
  model.inputs = model.inputs.map(halvedInfo);
  model.outputs = model.outputs.map(halvedInfo);
  return encodeSkeleton(model, 'none');
}
