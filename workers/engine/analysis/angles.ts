import { ElementType } from '../codec/tensor-proto.ts';
import { type GraphNode, tensorAttribute } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ancestors } from './graph-traversal.ts';
import type { ElementTypes } from './type-inference.ts';

const ANGLE_FUNCTIONS = new Set(['Sin', 'Cos']);

/** Inputs of angles are not followed through these: lengths are known anyway, and bodies are not split. */
const ENDS = new Set(['Shape', 'Size', 'If', 'Loop', 'Scan']);

/** Frequencies are half as many as a head is wide. A table of words has far more numbers. */
const MAX_NUMBERS = 1024;

/**
 * Nodes that compute the sines and cosines of positions, in float32: from integer inputs, from lengths and from a few
 * constants. Their tensors hold some hundred numbers for each position.
 *
 * A GPU computes sines with an error of 2⁻¹¹, and larger ones beyond π. Rotary embeddings carry that into all scores.
 *
 * @edge empty where tables are in the file, where angles come from hidden states, and where they are of 16 bits
 * @source WGSL, section "Floating Point Evaluation", accuracy of `sin` and `cos`
 */
export function angleNodes(model: OnnxModel, types: ElementTypes): ReadonlySet<GraphNode> {
  const ends = new Set(model.nodes.filter(({ operator }) => ENDS.has(operator)).flatMap(({ outputs }) => outputs));
  const angles = model.nodes.filter(({ operator, domain }) => domain === '' && ANGLE_FUNCTIONS.has(operator));
  const parts = angles.map((angle) => ancestors(model.nodes, angle.outputs, ends));
  return new Set(parts.filter((nodes) => isOfPositions(nodes, model, types, ends)).flatMap((nodes) => [...nodes]));
}

function isOfPositions(
  nodes: ReadonlySet<GraphNode>,
  model: OnnxModel,
  types: ElementTypes,
  ends: ReadonlySet<string>,
): boolean {
  const made = new Set([...nodes].flatMap(({ outputs }) => outputs));
  const isKnown = (tensor: string) => tensor === '' || made.has(tensor) || ends.has(tensor);
  return [...nodes].every(
    (node) =>
      node.outputs.every((output) => types.get(output) !== ElementType.float16) &&
      isSmall(tensorAttribute(node, 'value')?.dimensions ?? []) &&
      node.inputs.every((input) => isKnown(input) || isSmallSource(model, input)),
  );
}

/** Whether a tensor that no node makes is a small constant, or an integer input. */
function isSmallSource({ initialisers, inputs }: OnnxModel, tensor: string): boolean {
  const constant = initialisers.get(tensor);
  if (constant) return constant.type !== ElementType.float16 && isSmall(constant.dimensions);
  const fed = inputs.find(({ name }) => name === tensor)?.type;
  return fed === ElementType.int64 || fed === ElementType.int32;
}

function isSmall(dimensions: readonly number[]): boolean {
  return dimensions.reduce((count, length) => count * length, 1) <= MAX_NUMBERS;
}
