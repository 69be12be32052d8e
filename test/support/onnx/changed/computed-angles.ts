import { ElementType, makeTensor } from '../../../../workers/engine/codec/tensor-proto.ts';
import { type GraphNode, makeNode } from '../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../../../../workers/engine/codec/model-proto.ts';
import type { DecoderSizes } from '../decoder-weights.ts';
import { rotaryAngles } from '../decoder.ts';

/** Name under which the changed file refers to the original. */
export const TABLED_FILE = 'tabled.onnx';

/** The decoder with its tables of cosines and sines computed from positions, as PyTorch's networks do. */
export function withComputedAngles(file: Uint8Array, sizes: DecoderSizes): Uint8Array<ArrayBuffer> {
  const model = decodeModel(file);
  computeAngles(model, sizes);
  return encodeSkeleton(model, TABLED_FILE);
}

/** The same in place. */
export function computeAngles(model: OnnxModel, sizes: DecoderSizes): void {
  const frequencies = rotaryAngles({ ...sizes, contextTokens: 2 }).slice(sizes.headSize / 2); // of position 1
  const { float32, int64 } = ElementType;
  model.initialisers.set('frequencies', makeTensor('frequencies', float32, [frequencies.length], frequencies));
  model.initialisers.set('last_axis', makeTensor('last_axis', int64, [1], [-1]));
  const angle = [
    makeNode('Unsqueeze', ['position_ids', 'last_axis'], ['places']),
    makeNode('Cast', ['places'], ['positions'], { to: float32 }),
    makeNode('Mul', ['positions', 'frequencies'], ['angles']),
  ];
  model.nodes = [...angle, ...model.nodes.map(computed)];
}

/** A row that was picked from a table is computed; other nodes stay. */
function computed(node: GraphNode): GraphNode {
  const [table = ''] = node.operator === 'Gather' ? node.inputs : [];
  const operators: Readonly<Record<string, string>> = { cosine: 'Cos', sine: 'Sin' };
  const operator = operators[table];
  return operator ? { ...makeNode(operator, ['angles'], node.outputs), name: '' } : node;
}
