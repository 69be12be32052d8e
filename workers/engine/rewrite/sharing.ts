import { createTensors, redirect, type GraphBuilder, type RunLengths } from './graph-builder.ts';
import type { KvCacheTensor } from '../analysis/network-inputs.ts';
import { makeValueInfo, type OnnxModel, type ValueInfo } from '../codec/model-proto.ts';
import { refuse } from '../network.ts';
import { descendants, makersIn } from '../analysis/graph-traversal.ts';
import { ELEMENTWISE, words } from '../analysis/shapes.ts';
import { ElementType, numbersOf } from '../codec/tensor-proto.ts';
import { type GraphNode, MICROSOFT } from '../codec/graph-node.ts';
import { ADDED, PERTURBATION, TENSORS } from '../tensor-names.ts';

/**
 * Lets one KV cache serve every run: the graph takes keys and values of batch 1, or of the run's batch, and any length,
 * cuts them to the `past_tokens` first positions and repeats those of batch 1 for the batch.
 *
 * *Every* reader is redirected, those that only need the shape included: exporters compute the number of past
 * positions from it, and with the uncut shape some networks are silently wrong.
 *
 * @returns the tensors that replace the KV cache
 */
export function shareKvCache(
  builder: GraphBuilder,
  kvCache: readonly KvCacheTensor[],
  run: RunLengths,
): ReadonlySet<string> {
  const pasts = new Set<string>();
  if (kvCache.length === 0) return pasts;
  const { model } = builder;
  const readers = [...model.nodes];
  const stackedShape = builder.concat(0, builder.integers(1), run.batch, builder.integers(1, 1, 1));
  const plainShape = sharedShape(builder, run);
  for (const { input, heads, isStacked } of kvCache) {
    if (readers.some((node) => node.captures.includes(input))) refuse(`a branch or loop reads "${input}"`);
    const shape = isStacked ? stackedShape : plainShape;
    const past = sharedPast(builder, { input, isStacked }, run, shape);
    pasts.add(past);
    for (const node of readers) redirect(node.inputs, input, past);
    // A name of its own for every axis: ONNX Runtime plans memory by axes that share a name.
    const axes = [...(isStacked ? [2] : []), 'retained_batch', heads, 'retained_tokens', null];
    model.inputs = model.inputs.map((info) => (info.name === input ? makeValueInfo(input, info.type, axes) : info));
  }
  return pasts;
}

/** A shape by which keys and values of one sequence are repeated for the batch. */
export function sharedShape(builder: GraphBuilder, { batch }: RunLengths): string {
  return builder.concat(0, batch, builder.integers(1, 1, 1));
}

/** Keys or values of a run's past positions, repeated for its batch. */
export function sharedPast(
  builder: GraphBuilder,
  { input, isStacked }: Pick<KvCacheTensor, 'input' | 'isStacked'>,
  { past }: RunLengths,
  shape: string,
): string {
  const axis = builder.integers(isStacked ? 3 : 2);
  return builder.node('Expand', [builder.node('Slice', [input, builder.integers(0), past, axis]), shape]);
}

/** Operators that broadcast a batch of one, or treat every sequence by itself. */
const BROADCASTING = new Set([
  ...ELEMENTWISE,
  ...words(
    'If MatMul Reshape Transpose Concat Split Slice Gather Unsqueeze Squeeze Expand Shape ReduceMean ReduceMax ReduceMin ReduceSum',
  ),
]);

/** Those of ONNX Runtime's own operators that treat every row by itself. */
const ROWWISE = new Set(['MatMulNBits', 'QuickGelu', 'Gelu']);

/** Those that do not broadcast: inputs, and their rank. Positions, where the rewrite made them, and the terms of a sum. */
const WHOLE: Readonly<Record<string, { readonly inputs: readonly number[]; readonly rank: number }>> = {
  RotaryEmbedding: { inputs: [1], rank: 2 },
  SkipSimplifiedLayerNormalization: { inputs: [0, 1], rank: 3 },
};

interface PerturbedGraph {
  readonly model: OnnxModel;
  readonly makers: ReadonlyMap<string, GraphNode>;
  readonly types: ReadonlyMap<string, number>;
  /** The shared KV cache, cut and expanded to the ids' batch. */
  readonly pasts: ReadonlySet<string>;
  /** Tensors that depend on the perturbation. */
  readonly made: ReadonlySet<string>;
}

/**
 * Lets one row of ids stand for a batch of perturbed sequences in runs that only compute keys and values: what comes
 * before the first perturbed softmax, the first layer's projections above all, is then computed once.
 *
 * The batch grows where the perturbation, `[batch, 1, 1, total]`, is added to scores of batch 1; after it every
 * Reshape whose target was computed from the ids' shape gets a leading axis `sequences` times as long, and the KV cache is
 * repeated.
 *
 * @param results  nodes that are skipped when only keys and values are wanted
 * @returns whether the graph allows it; when not, nothing was changed
 */
export function shareIds(
  builder: GraphBuilder,
  { batch }: RunLengths,
  { types, pasts }: Pick<PerturbedGraph, 'types' | 'pasts'>,
  results: ReadonlySet<GraphNode>,
): boolean {
  const { model } = builder;
  const sequences = builder.addInput(TENSORS.sequences, ElementType.int64, [1]);
  const perturbed = descendants(model.nodes, new Set(Object.values(PERTURBATION)));
  const skipped = descendants(model.nodes, new Set(), results);
  const region = [...perturbed].filter((node) => !skipped.has(node));
  const graph = {
    model,
    makers: makersIn(model.nodes),
    types,
    pasts,
    made: new Set([...perturbed].flatMap((node) => node.outputs)),
  };
  if (results.size === 0 || !region.every((node) => allows(node, graph))) return false;
  const edits = region.map((node) => editOf(node, graph));
  if (edits.includes('impossible')) return false;
  const total = builder.node('Mul', [batch, sequences]);
  const repeated = (tensor: string, rank: number) =>
    builder.node('Expand', [
      tensor,
      builder.concat(0, total, builder.integers(...new Array<number>(rank - 1).fill(1))),
    ]);
  const once = createTensors();
  region.forEach((node, i) => {
    const [, shape = ''] = node.inputs;
    if (edits[i] === 'reshape') node.inputs[1] = once(shape, () => lengthened(builder, shape, sequences));
    const { inputs: places, rank } = WHOLE[node.operator] ?? { inputs: [...node.inputs.keys()], rank: 4 };
    if (edits[i] === 'repeat')
      for (const at of places) {
        const input = node.inputs[at] ?? '';
        if (rank === 4 ? pasts.has(input) : !graph.made.has(input))
          node.inputs[at] = repeated(rank === 4 ? onceOf(model, input) : input, rank);
      }
  });
  const grown = new Set(region.flatMap(({ outputs }) => outputs));
  model.outputs = model.outputs.map((info) => (grown.has(info.name) ? withoutNames(info) : info));
  return true;
}

/** Keys or values of a past before they were repeated for the batch of ids. */
function onceOf({ nodes }: OnnxModel, past: string): string {
  const repeated = nodes.find(({ operator, outputs }) => operator === 'Expand' && outputs[0] === past);
  return repeated?.inputs[0] ?? past;
}

/**
 * An output whose lengths are its own: ONNX Runtime plans memory by axes that share a name, and the keys of the first layer,
 * which stay one row, share theirs with those of the others.
 */
function withoutNames(info: ValueInfo): ValueInfo {
  const dimensions = info.dimensions?.map((axis) => (typeof axis === 'string' ? null : axis));
  return dimensions ? makeValueInfo(info.name, info.type, dimensions) : info;
}

function allows({ operator, domain, inputs, outputs }: GraphNode, graph: PerturbedGraph): boolean {
  const { types, made, pasts } = graph;
  const isWhole = operator in WHOLE && (operator !== 'RotaryEmbedding' || inputs[1]?.startsWith(ADDED));
  if (domain !== '') return domain === MICROSOFT && (isWhole || ROWWISE.has(operator));
  if (operator !== 'Concat') return BROADCASTING.has(operator);
  // Concat does not broadcast: with perturbed parts only the KV cache, which is repeated, and parts of shapes are allowed.
  const isShape = types.get(outputs[0] ?? '') === ElementType.int64;
  return isShape || inputs.every((input) => made.has(input) || pasts.has(input));
}

function editOf({ operator, inputs }: GraphNode, graph: PerturbedGraph): 'none' | 'reshape' | 'repeat' | 'impossible' {
  const { model, made, pasts } = graph;
  if (operator in WHOLE) return 'repeat';
  if (operator === 'Concat') return inputs.some((input) => pasts.has(input)) ? 'repeat' : 'none';
  if (operator !== 'Reshape' || !made.has(inputs[0] ?? '')) return 'none';
  const shape = inputs[1] ?? '';
  const constant = model.initialisers.get(shape);
  if (constant) return (numbersOf(constant)[0] ?? 0) > 0 ? 'reshape' : 'none';
  if (!made.has(shape)) return 'reshape';
  return shapesAreOf(shape, graph) ? 'none' : 'impossible';
}

/** Whether a computed shape takes all its lengths from perturbed tensors, whose batch is the right one already. */
function shapesAreOf(shape: string, { makers, made }: PerturbedGraph): boolean {
  const open = [shape];
  const seen = new Set(open);
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const { operator, inputs = [], captures = [] } = makers.get(tensor) ?? {};
    if (operator === 'Shape' && !made.has(inputs[0] ?? '')) return false;
    const read = operator === 'Shape' ? [] : [...inputs, ...captures].filter((name) => !seen.has(name));
    for (const name of read) seen.add(name);
    open.push(...read);
  }
  return true;
}

/** The target shape with its first length times `sequences`; 0 (as it is) and −1 (the rest) stay. */
function lengthened(builder: GraphBuilder, shape: string, sequences: string): string {
  const zero = builder.integers(0);
  const first = builder.node('Slice', [shape, zero, builder.integers(1), zero]);
  const rest = builder.node('Slice', [shape, builder.integers(1), builder.integers(64), zero]);
  const isOpen = builder.node('Less', [first, zero]);
  const longer = builder.node('Where', [isOpen, first, builder.node('Mul', [first, sequences])]);
  return builder.concat(0, longer, rest);
}
