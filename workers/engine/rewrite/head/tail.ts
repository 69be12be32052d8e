import type { Cut } from '../../analysis/cuts.ts';
import { materialise } from '../../analysis/data-flow.ts';
import { ancestors, descendants } from '../../analysis/graph-traversal.ts';
import type { KvCacheTensor } from '../../analysis/kv-cache.ts';
import type { NetworkInput } from '../../analysis/network-inputs.ts';
import { renamedNode } from '../../codec/graph-node.ts';
import type { Model } from '../../codec/model-proto.ts';
import { ADDED, PAST_TOKENS, PERTURBATION, SEQUENCES } from '../../tensor-names.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { RunLengths } from '../run-lengths.ts';

/** What a tail is made of. */
export interface TailOptions {
  /** The state that enters the last layer. */
  readonly entering: Cut;
  readonly inputs: readonly NetworkInput[];
  readonly kvCache: readonly KvCacheTensor[];
  readonly run: RunLengths;
  /** int64 `[1]`: how many of the last positions are wanted. */
  readonly rows: string;
}

/** A tensor for the last positions alone, and the lengths it has. */
export interface Tail {
  readonly tensor: string;
  readonly run: RunLengths;
}

/**
 * Computes a tensor for the last `rows` positions of a run alone: only they pass through the last layer's queries,
 * feed-forward part and what comes behind it. All other positions are needed for its keys and values, no further.
 *
 * It repeats the graph from the last layer's entering state on, as a run of `rows` tokens behind a KV cache of all
 * positions before them, whose keys and values the graph itself has just computed. So nothing needs to be known of what
 * stands between: masks, positions and shapes follow from the run's lengths, as they do in generation.
 *
 * @param tensor  a result of all positions, in the graph as it is after everything else was rewritten
 */
export function tailOf(model: Model, builder: GraphBuilder, tensor: string, options: TailOptions): Tail {
  const original = [...model.nodes];
  const run = tailLengths(builder, options);
  const replacements = replacementsOf(builder, options, run);
  const needed = [...ancestors(original, [tensor], new Set(replacements.keys()))];
  const names = new Map<string, string>();
  const read = new Set(needed.flatMap((node) => [...node.inputs, ...node.captures]));
  for (const [name, replace] of replacements) if (read.has(name) || name === tensor) names.set(name, replace());
  const again = [...descendants(needed, new Set(names.keys()))];
  for (const node of again) for (const output of node.outputs) if (output) names.set(output, `${ADDED}tail/${output}`);
  const rename = (name: string) => names.get(name) ?? name;
  model.nodes.push(...again.map((node) => renamedNode(node, rename)));
  return { tensor: rename(tensor), run };
}

/** The batch is that of the perturbation: ids that several sequences share are repeated here. */
function tailLengths(builder: GraphBuilder, { run, rows }: TailOptions): RunLengths {
  return {
    batch: builder.node('Mul', [run.batch, SEQUENCES]),
    tokens: rows,
    past: builder.node('Sub', [run.total, rows]),
    total: run.total,
  };
}

/** What the tail reads in place of the graph's inputs and of the entering state; made when it turns out to be read. */
function replacementsOf(
  builder: GraphBuilder,
  { entering, inputs, kvCache, run }: TailOptions,
  tail: RunLengths,
): Map<string, () => string> {
  const first = builder.node('Sub', [run.tokens, tail.tokens]);
  const lastOf = (tensor: string) => builder.node('Slice', [tensor, first, run.tokens, builder.integers(1)]);
  const perSequence = (tensor: string, ...lengths: string[]) =>
    builder.node('Expand', [tensor, builder.concat(0, tail.batch, ...lengths)]);
  const replacements = new Map<string, () => string>([
    [PAST_TOKENS, () => tail.past],
    [SEQUENCES, () => builder.integers(1)],
    [PERTURBATION.bias, () => lastRowsOfInput(builder, PERTURBATION.bias, tail)],
    [PERTURBATION.factor, () => lastRowsOfInput(builder, PERTURBATION.factor, tail)],
  ]);
  for (const { name, role, rank } of inputs) {
    if (role === 'mask') replacements.set(name, () => perSequence(name, tail.total));
    else if (role === 'embeddings')
      replacements.set(name, () => perSequence(lastOf(name), tail.tokens, builder.integers(1))); // any width
    else if (role === 'positions' && rank === 3)
      replacements.set(name, () => spatialPositions(builder, name, run, tail));
    else if (role !== 'keepAll') replacements.set(name, () => perSequence(lastOf(name), tail.tokens));
  }
  for (const { input, output, isStacked } of kvCache)
    replacements.set(input, () =>
      builder.node('Slice', [output, builder.integers(0), tail.past, builder.integers(isStacked ? 3 : 2)]),
    );
  for (const state of statesOf(entering)) replacements.set(state, () => lastRowsOf(builder, state, run, lastOf, tail));
  return replacements;
}

/** Of an input with a row for each position those in front are lost; one row for all of them stays. */
function lastRowsOfInput(builder: GraphBuilder, input: string, tail: RunLengths): string {
  const first = builder.node('Sub', [builder.integers(0), tail.tokens]);
  return builder.node('Slice', [input, first, builder.integers(2 ** 31 - 1), builder.integers(2)]);
}

/** The last of positions on three axes, `[3, batch, tokens]`. */
function spatialPositions(builder: GraphBuilder, name: string, run: RunLengths, tail: RunLengths): string {
  const first = builder.node('Sub', [run.tokens, tail.tokens]);
  const last = builder.node('Slice', [name, first, run.tokens, builder.integers(2)]);
  return builder.node('Expand', [last, builder.concat(0, builder.integers(1), tail.batch, tail.tokens)]);
}

/** A fused sum and norm makes the state and its norm at once; both belong to the entering positions. */
function statesOf({ step, tensor }: Cut): string[] {
  materialise(step, tensor);
  const [norm = ''] = step.node.outputs;
  return step.operator === 'Add' && step.node.operator !== 'Add' && norm ? [tensor, norm] : [tensor];
}

/**
 * Some exporters keep the state as `[batch · tokens, width]`: the result has the state's own rank. In a
 * network of one layer it is still that of the ids, which several sequences may share.
 */
function lastRowsOf(
  builder: GraphBuilder,
  state: string,
  run: RunLengths,
  lastOf: (tensor: string) => string,
  tail: RunLengths,
): string {
  const shape = builder.node('Shape', [state]);
  const part = (of: string, from: string, to: number) =>
    builder.node('Slice', [of, from, builder.integers(to), builder.integers(0)]);
  const width = part(shape, builder.integers(-1), 64);
  const block = builder.reshape(state, builder.concat(0, builder.integers(-1), run.tokens, width));
  const each = builder.node('Expand', [lastOf(block), builder.concat(0, tail.batch, builder.integers(1, 1))]);
  const axesLeftOut = builder.node('Sub', [builder.integers(3), builder.node('Shape', [shape])]);
  const inner = part(builder.concat(0, tail.tokens, width), axesLeftOut, 2);
  return builder.reshape(each, builder.concat(0, builder.integers(-1), inner));
}
