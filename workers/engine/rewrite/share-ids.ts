import { descendants } from '../analysis/graph-traversal.ts';
import { ElementType } from '../codec/element-type.ts';
import type { GraphNode } from '../codec/graph-node.ts';
import type { Model } from '../codec/model-proto.ts';
import { numbersOf } from '../codec/tensor-proto.ts';
import { makeValueInfo, type ValueInfo } from '../codec/value-info.ts';
import { PERTURBATION, SEQUENCES } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { RunLengths } from './run-lengths.ts';

/** Operators that broadcast a batch of one, or treat every sequence by itself. */
const BROADCASTING = new Set(
  (
    'Add Sub Mul Div Pow Sqrt Reciprocal Neg Abs Exp Log Erf Tanh Sigmoid Softmax Relu Gelu Max Min Where Cast Identity If ' +
    'MatMul Reshape Transpose Concat Split Slice Gather Unsqueeze Squeeze Expand Shape ReduceMean ReduceMax ReduceMin ' +
    'ReduceSum LayerNormalization RMSNormalization SimplifiedLayerNormalization Less Greater Equal And Or Not IsNaN Clip'
  ).split(' '),
);

/** What the rewrite knows when ids are to be shared. */
export interface SharedIdsOptions {
  readonly run: RunLengths;
  readonly types: ReadonlyMap<string, number>;
  /** The shared KV cache, cut and expanded to the ids' batch. */
  readonly pasts: ReadonlySet<string>;
  /** Nodes that are skipped when only keys and values are wanted. */
  readonly results: ReadonlySet<GraphNode>;
}

/**
 * Lets one row of ids stand for a batch of perturbed sequences in runs that only retain keys and values: what comes
 * before the first perturbed softmax, the first layer's projections above all, is then computed once.
 *
 * The batch grows where the perturbation, `[batch, 1, 1, total]`, is added to scores of batch 1; behind it every
 * Reshape whose target was computed from the ids' shape gets a leading axis `sequences` times as long, and the KV cache is
 * repeated.
 *
 * @returns whether the graph allows it; when not, nothing was changed
 */
export function shareIds(model: Model, builder: GraphBuilder, options: SharedIdsOptions): boolean {
  const sequences = builder.addInput(SEQUENCES, ElementType.int64, [1]);
  const inputs = Object.values(PERTURBATION);
  const perturbed = descendants(model.nodes, new Set(inputs));
  const skipped = descendants(model.nodes, new Set(), options.results);
  const region = [...perturbed].filter((node) => !skipped.has(node));
  const made = new Set([...perturbed].flatMap((node) => node.outputs));
  if (options.results.size === 0 || !region.every((node) => allows(node, made, options))) return false;
  const edits = region.map((node) => editOf(node, model, { ...options, made }));
  if (edits.includes('impossible')) return false;
  const total = builder.node('Mul', [options.run.batch, sequences]);
  const pastShape = builder.concat(0, total, builder.integers(1, 1, 1));
  region.forEach((node, i) => {
    if (edits[i] === 'reshape') node.inputs[1] = lengthened(builder, node.inputs[1] ?? '', sequences);
    if (edits[i] === 'past')
      node.inputs.forEach((input, at) => {
        if (options.pasts.has(input)) node.inputs[at] = builder.node('Expand', [input, pastShape]);
      });
  });
  const grown = new Set(region.flatMap(({ outputs }) => outputs));
  model.outputs = model.outputs.map((info) => (grown.has(info.name) ? withoutNames(info) : info));
  return true;
}

/**
 * An output whose lengths are its own: ONNX Runtime plans memory by axes that share a name, and the keys of the first layer,
 * which stay one row, share theirs with those of the others.
 */
function withoutNames(info: ValueInfo): ValueInfo {
  const dimensions = info.dimensions?.map((axis) => (typeof axis === 'string' ? null : axis));
  return dimensions ? makeValueInfo(info.name, info.type, dimensions) : info;
}

function allows(
  { operator, domain, inputs, outputs }: GraphNode,
  made: ReadonlySet<string>,
  options: SharedIdsOptions,
) {
  if (domain !== '') return domain === 'com.microsoft' && operator === 'MatMulNBits';
  if (operator !== 'Concat') return BROADCASTING.has(operator);
  // Concat does not broadcast: beside perturbed parts only the KV cache, which is repeated, and parts of shapes are allowed.
  const isShape = options.types.get(outputs[0] ?? '') === ElementType.int64;
  return isShape || inputs.every((input) => made.has(input) || options.pasts.has(input));
}

type Edit = 'none' | 'reshape' | 'past' | 'impossible';

function editOf(
  { operator, inputs }: GraphNode,
  model: Model,
  { made, pasts }: SharedIdsOptions & { readonly made: ReadonlySet<string> },
): Edit {
  if (operator === 'Concat') return inputs.some((input) => pasts.has(input)) ? 'past' : 'none';
  if (operator !== 'Reshape' || !made.has(inputs[0] ?? '')) return 'none';
  const shape = inputs[1] ?? '';
  const constant = model.initialisers.get(shape);
  if (constant) return (numbersOf(constant)[0] ?? 0) > 0 ? 'reshape' : 'none';
  if (!made.has(shape)) return 'reshape';
  return shapesAreOf(shape, model.nodes, made) ? 'none' : 'impossible';
}

/** Whether a computed shape takes all its lengths from perturbed tensors, whose batch is the right one already. */
function shapesAreOf(shape: string, nodes: readonly GraphNode[], made: ReadonlySet<string>): boolean {
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const open = [shape];
  const seen = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = producers.get(name);
    if (!node || seen.has(name)) continue;
    seen.add(name);
    if (node.operator !== 'Shape') open.push(...node.inputs);
    else if (!made.has(node.inputs[0] ?? '')) return false;
  }
  return true;
}

/** The target shape with its first length times `sequences`; 0 and −1, which stand for "as it is" and "what is left", stay. */
function lengthened(builder: GraphBuilder, shape: string, sequences: string): string {
  const zero = builder.integers(0);
  const first = builder.node('Slice', [shape, zero, builder.integers(1), zero]);
  const rest = builder.node('Slice', [shape, builder.integers(1), builder.integers(64), zero]);
  const isOpen = builder.node('Less', [first, zero]);
  const longer = builder.node('Where', [isOpen, first, builder.node('Mul', [first, sequences])]);
  return builder.concat(0, longer, rest);
}
