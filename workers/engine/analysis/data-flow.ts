import { MICROSOFT, type GraphNode } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ADDED } from '../tensor-names.ts';

/** One computation on data. A fused operator may stand for two of them. */
export interface Step {
  readonly operator: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly node: GraphNode;
  /** Position among the relevant steps. */
  readonly position: number;
}

/** The steps that lead from the token ids to the result, in order. */
export interface DataFlow {
  readonly source: string;
  readonly sink: string;
  readonly steps: readonly Step[];
  /** Inputs of the step that depend on the token ids. */
  dependentInputs(step: Step): string[];
  producer(tensor: string): Step | undefined;
  /** Relevant steps that read the tensor. */
  consumers(tensor: string): readonly Step[];
}

/**
 * The nearest reader of a tensor that is wanted.
 *
 * @param passed  operators that may lie between
 * @param depth   how many steps are followed
 */
export function findReader(
  flow: DataFlow,
  tensor: string,
  wanted: RegExp,
  { passed, depth }: { readonly passed: RegExp; readonly depth: number },
): Step | undefined {
  let tensors = [tensor];
  for (let left = depth; left > 0; left--) {
    const readers = tensors.flatMap((each) => flow.consumers(each));
    const reader = readers.find(({ operator }) => wanted.test(operator));
    if (reader) return reader;
    tensors = readers.filter(({ operator }) => passed.test(operator)).flatMap(({ outputs }) => outputs);
  }
  return undefined;
}

/** Their results depend on shapes only, and every length is known to depend on the ids. */
const SHAPE_OPERATORS = new Set(['Shape', 'Size', 'ConstantOfShape']);
const SKIP_NORMS = new Set(['SkipSimplifiedLayerNormalization', 'SkipLayerNormalization']);

type Draft = Omit<Step, 'position'>;

/**
 * Follows data from `source` to `sink`. Dependencies through shapes are left out, or every tensor would depend on
 * every other.
 */
export function followData(model: OnnxModel, source: string, sink: string): DataFlow {
  const drafts = model.nodes.flatMap(stepsOf);
  const dependent = new Set([source]);
  for (const draft of drafts)
    if (draft.inputs.some((input) => dependent.has(input))) for (const output of draft.outputs) dependent.add(output);
  const steps = relevantSteps(drafts, dependent, sink);
  const producers = new Map<string, Step>();
  const consumers = new Map<string, Step[]>();
  for (const step of steps) {
    for (const output of step.outputs) producers.set(output, step);
    for (const input of step.inputs) consumers.set(input, [...(consumers.get(input) ?? []), step]);
  }
  return {
    source,
    sink,
    steps,
    dependentInputs: (step) => step.inputs.filter((input) => dependent.has(input)),
    producer: (tensor) => producers.get(tensor),
    consumers: (tensor) => consumers.get(tensor) ?? [],
  };
}

function relevantSteps(drafts: readonly Draft[], dependent: ReadonlySet<string>, sink: string): Step[] {
  const needed = new Set([sink]);
  const backwards = drafts.toReversed().filter((draft) => {
    if (!draft.outputs.some((output) => needed.has(output) && dependent.has(output))) return false;
    for (const input of draft.inputs) if (dependent.has(input)) needed.add(input);
    return true;
  });
  return backwards.reverse().map((draft, position) => ({ ...draft, position }));
}

function stepsOf(node: GraphNode): Draft[] {
  const { operator, domain } = node;
  const inputs = [...node.inputs, ...node.captures].filter(Boolean);
  if (SHAPE_OPERATORS.has(operator)) return [{ operator, domain, inputs: [], outputs: node.outputs, node }];
  if (SKIP_NORMS.has(operator)) return splitNorm(node, 'Add', node.inputs.slice(0, 2), 3);
  if (operator === 'EmbedLayerNormalization' && domain === MICROSOFT)
    return splitNorm(node, 'Embed', node.inputs.slice(0, 2).filter(Boolean), 2);
  return [{ operator, domain, inputs, outputs: node.outputs.filter(Boolean), node }];
}

/** A fused sum and norm as two steps: the sum is the residual stream, which the analysis looks for. */
function splitNorm(node: GraphNode, operator: string, inputs: readonly string[], sumIndex: number): Draft[] {
  const [norm = ''] = node.outputs;
  const sum = node.outputs[sumIndex] || `${ADDED}sum/${node.outputs[0] ?? node.name}`;
  return [
    { operator, domain: '', inputs, outputs: [sum], node },
    { operator: 'Norm', domain: '', inputs: [sum], outputs: [norm], node },
  ];
}

/** Makes a tensor that only exists in the analysis, the sum inside a fused norm, a real output of its node. */
export function materialise(step: Step, tensor: string): void {
  const { outputs, operator } = step.node;
  if (outputs.includes(tensor)) return;
  const index = operator === 'EmbedLayerNormalization' ? 2 : 3;
  while (outputs.length < index) outputs.push('');
  outputs[index] = tensor;
}
