import { ElementType } from '../codec/tensor-proto.ts';
import { type GraphNode, integerAttribute, tensorAttribute } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';

/** Element types of tensors by name; a tensor of unknown type is absent. */
export type ElementTypes = ReadonlyMap<string, number>;

const INTEGER_RESULTS = /^(Shape|Size|NonZero|ArgMax|ArgMin)$/;
const BOOL_RESULTS = /^(Equal|Less|Greater|LessOrEqual|GreaterOrEqual|And|Or|Xor|Not|IsNaN|IsInf)$/;
/** Operators whose result has the type of an input that is not the first. */
const TYPE_GIVING_INPUT: Readonly<Record<string, number>> = {
  Where: 1,
  CastLike: 1,
  OneHot: 2,
  DequantizeLinear: 1,
  GatherBlockQuantized: 2,
  EmbedLayerNormalization: 2,
};

/** Follows element types from inputs, constants and the file's notes through the sorted graph. */
export function inferTypes(model: OnnxModel): ElementTypes {
  const types = new Map<string, number>();
  for (const info of [...model.notes.values(), ...model.outputs, ...model.inputs])
    if (info.type !== 0) types.set(info.name, info.type);
  for (const tensor of model.initialisers.values()) types.set(tensor.name, tensor.type);
  for (const node of model.nodes)
    node.outputs.forEach((output, index) => {
      const type = resultType(node, index, types);
      if (output && type !== undefined && !types.has(output)) types.set(output, type);
    });
  return types;
}

function resultType(node: GraphNode, index: number, types: ElementTypes): number | undefined {
  const { operator, inputs } = node;
  if (operator === 'Cast') return integerAttribute(node, 'to', ElementType.float32);
  if (INTEGER_RESULTS.test(operator)) return ElementType.int64;
  if (BOOL_RESULTS.test(operator)) return ElementType.bool;
  if (operator === 'Constant') return constantType(node);
  if (operator === 'ConstantOfShape') return tensorAttribute(node, 'value')?.type ?? ElementType.float32;
  if (operator === 'MatMulInteger' || operator === 'ConvInteger') return ElementType.int32;
  if (operator === 'DynamicQuantizeLinear') return index === 1 ? ElementType.float32 : ElementType.uint8;
  if (operator === 'MatMulIntegerToFloat' || operator === 'DynamicQuantizeMatMul') return ElementType.float32;
  if (operator === 'EmbedLayerNormalization' && index === 1) return ElementType.int32;
  if (operator === 'If' || operator === 'Loop' || operator === 'Scan') return undefined;
  return types.get(inputs[TYPE_GIVING_INPUT[operator] ?? 0] ?? '');
}

function constantType(node: GraphNode): number | undefined {
  const tensor = tensorAttribute(node, 'value');
  if (tensor) return tensor.type;
  if (node.attributes.has('value_float') || node.attributes.has('value_floats')) return ElementType.float32;
  if (node.attributes.has('value_int') || node.attributes.has('value_ints')) return ElementType.int64;
  return undefined;
}
