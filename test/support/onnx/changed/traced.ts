import { ElementType, makeTensor, numbersOf } from '../../../../workers/engine/codec/tensor-proto.ts';
import { type GraphNode, makeNode } from '../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../../../../workers/engine/codec/model-proto.ts';

/** Name under which the changed file refers to the original. */
export const UNTRACED_FILE = 'untraced.onnx';

/**
 * The decoder with lengths that are computed from shapes in every layer, casts to the type that a tensor has and tables times 1, as a
 * traced PyTorch network has them.
 */
export function traced(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  trace(model);
  return encodeSkeleton(model, UNTRACED_FILE);
}

/** The same in place. */
export function trace(model: OnnxModel): void {
  const { int64, float32 } = ElementType;
  const integer = (value: number, dimensions: number[] = []) => {
    const name = `traced/${dimensions.length}/${value}`;
    model.initialisers.set(name, makeTensor(name, int64, dimensions, [value]));
    return name;
  };
  model.initialisers.set('traced/unit', makeTensor('traced/unit', float32, [], [1]));
  const makers = new Map(model.nodes.map((node) => [node.outputs[0] ?? '', node]));
  const numbers = (tensor = '') => {
    const constant = model.initialisers.get(tensor);
    return constant && constant.dimensions.length < 2 ? numbersOf(constant) : undefined;
  };
  const added: GraphNode[] = [];
  const add = (operator: string, inputs: string[], attributes = {}) => {
    const output = `traced/${operator}/${added.length}`;
    added.push(makeNode(operator, inputs, [output], attributes));
    return output;
  };
  const length = (tensor: string, axis: number) => add('Gather', [add('Shape', [tensor]), integer(axis)]);
  const list = (scalar: string) => add('Unsqueeze', [scalar, integer(0, [1])]);
  for (const { operator, inputs } of model.nodes) {
    const [first = ''] = inputs;
    const maker = makers.get(first);
    if (operator === 'Slice' && numbers(inputs[3])?.[0] === 3) {
      const half = list(add('Cast', [add('Div', [length(first, 3), integer(2)])], { to: int64 }));
      if (numbers(inputs[1])?.[0] === 0) inputs[2] = half;
      else inputs.splice(1, 2, half, integer(2 ** 31 - 1, [1]));
      inputs.push(integer(1, [1]));
    } else if (operator === 'Reshape' && maker?.operator === 'MatMul' && numbers(inputs[1])?.length === 4) {
      const [normed = ''] = maker.inputs;
      const parts = [list(length(normed, 0)), list(length(normed, 1)), integer(-1, [1])];
      inputs[1] = add('Concat', [...parts, integer(numbers(inputs[1])?.[3] ?? 0, [1])], { axis: 0 });
    } else if (operator === 'Pow') inputs[0] = add('Cast', [first], { to: float32 });
    else if (operator === 'Unsqueeze' && maker?.operator === 'Concat')
      inputs[0] = add('Cast', [add('Mul', [first, 'traced/unit'])], { to: float32 });
  }
  model.nodes.push(...added);
}
