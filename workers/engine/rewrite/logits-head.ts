import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED, PERTURBATION, TENSORS } from '../tensor-names.ts';
import { type GraphBuilder, type RunLengths, redirect, rowsFrom } from './graph-builder.ts';
import { ancestors, descendants } from '../analysis/graph-traversal.ts';
import { type GraphCut, materialise } from '../analysis/layers.ts';
import { type GraphNode, renamedNode } from '../codec/graph-node.ts';

/** A tensor of a run and the run's lengths. */
interface Sequence {
  readonly tensor: string;
  readonly run: RunLengths;
}

/** What was rewritten before the head. */
interface Rewritten {
  /** Several sequences may share one row of ids. */
  readonly sharesIds: boolean;
  /** What changes scores, `[1|batch, 1|heads, 1|tokens, 1|total]` each. */
  readonly blocks: ReadonlySet<string>;
  /** What the last attention returns, where it may be of the last rows alone. */
  readonly mixed: string | undefined;
  /** The network is for a GPU. */
  readonly isFused: boolean;
}

/** Whether only the rows that predict pass through the last layer. */
export function hasTail({ head, kvCache, hiddenStates, roundsTogether }: GraphAnalysis): boolean {
  return head !== undefined && kvCache.length > 0 && hiddenStates.length > 1 && !roundsTogether;
}

/**
 * Replaces the output `logits` by `logits` at the last positions, `[batch, rows, vocabulary]`, their
 * `log_probabilities` of chosen tokens, `[batch, rows, choices]`, and the `likeliest` token; all float32. How many comes in as `rows`, int64 `[1]`,
 * the tokens as `targets`, int64 `[rows, choices]`. The product with the vocabulary is computed for those positions alone,
 * and with a KV cache so is all that comes after the last layer's keys and values.
 */
export function rewriteHead(
  builder: GraphBuilder,
  analysis: GraphAnalysis,
  head: NonNullable<GraphAnalysis['head']>,
  run: RunLengths,
  rewritten: Rewritten,
): void {
  const { model } = builder;
  const { float32, int64 } = ElementType;
  const { flow, hiddenStates, roundsTogether, types } = analysis;
  // Where rows are rounded together, every row of logits is computed, and the wanted ones are picked from them.
  const { input, product } = roundsTogether ? { input: flow.sink, product: undefined } : head;
  const rows = builder.addInput(TENSORS.rows, int64, [1]);
  const targets = builder.addInput(TENSORS.targets, int64, ['rows', 'choices']);
  const vocabulary = model.outputs.find((output) => output.name === flow.sink)?.dimensions?.at(-1);
  model.outputs = model.outputs.filter((output) => output.name !== flow.sink);
  const entering = hiddenStates.at(-2);
  const last =
    entering !== undefined && hasTail(analysis)
      ? tailOf(builder, { tensor: input, run }, { rows, entering, analysis, rewritten })
      : { tensor: lastRows(builder, { tensor: input, run }, rows), run };
  const picked = builder.reshape(last.tensor, builder.concat(0, last.run.batch, rows, builder.integers(-1)));
  if (product) {
    redirect(product.step.node.inputs, product.reads, picked);
    if (!rewritten.isFused) multiplyStoredTable(builder, product.step.node, builder.concat(0, last.run.batch, rows));
  }
  const logits = TENSORS.logits;
  if (product && types.get(flow.sink) === float32) {
    for (const { inputs, outputs } of model.nodes)
      for (const names of [inputs, outputs]) redirect(names, flow.sink, logits);
  } else builder.node('Cast', [product ? flow.sink : picked], { to: float32 }, logits);
  builder.addOutput(logits, float32, ['logits_batch', 'logits_rows', 'vocabulary']);
  const shape = builder.concat(0, last.run.batch, builder.node('Shape', [targets]));
  rateLogits(builder, { index: builder.node('Expand', [targets, shape]), vocabulary, isFused: rewritten.isFused });
}

/**
 * Has the product with a transposed table of word embeddings read the table as it is stored. ONNX Runtime computes the transposed table
 * when it opens a session, and holds both. On a GPU it was not measured, and stays.
 *
 * @param rows  the leading axes of the product
 */
function multiplyStoredTable(builder: GraphBuilder, product: GraphNode, rows: string): void {
  const { model } = builder;
  const [states = '', weights = ''] = product.inputs;
  const transposed = model.nodes.find(({ operator, outputs }) => operator === 'Transpose' && outputs[0] === weights);
  const table = model.initialisers.get(transposed?.inputs[0] ?? '');
  const [vocabulary = 0, width = 0, ...others] = table?.dimensions ?? [];
  if (product.operator !== 'MatMul' || table?.type !== ElementType.float32 || others.length > 0) return;
  const flat = builder.reshape(states, builder.integers(-1, width));
  const logits = builder.node('Gemm', [flat, table.name], { transB: 1 });
  builder.reshape(logits, builder.concat(0, rows, builder.integers(vocabulary)), product.outputs[0]);
  model.nodes.splice(model.nodes.indexOf(product), 1); // the builder adds to the same list
}

/** What logits are rated with. */
interface Rating {
  /** Of the chosen tokens, int64 `[batch, rows, choices]`. */
  readonly index: string;
  /** A number where the file says it. */
  readonly vocabulary: number | string | null | undefined;
  readonly isFused: boolean;
}

/**
 * Adds the log-probabilities of chosen tokens and the likeliest token, for runs that need them. Only these numbers leave the graph: a
 * vocabulary's logits for every batch member would dwarf everything else. A GPU has no kernel for `LogSoftmax` and a slow one for
 * `ArgMax`, and would have the processor compute them, with a copy of all logits there and back.
 *
 * @source ONNX Runtime, webgpu_execution_provider.cc: the kernels that are registered
 */
function rateLogits(builder: GraphBuilder, { index, vocabulary, isFused }: Rating): void {
  const { float32, bool } = ElementType;
  const { model } = builder;
  const { logits, logProbabilities, likeliest } = TENSORS;
  const nothing = makeTensor(`${ADDED}nothing/rated`, float32, [0, 0, 0], []);
  const units = makeTensor(`${ADDED}units`, float32, [2], [1 / STEP, -1]);
  for (const constant of [nothing, units]) model.initialisers.set(constant.name, constant);
  const ids = idSteps(builder, vocabulary);
  /** The logits below the greatest, and the logarithm of the sum of their exponentials. */
  const rated = (body: GraphBuilder) => {
    const below = body.node('Sub', [logits, body.reduce('ReduceMax', logits, -1)]);
    const logTotal = isFused
      ? body.reduce('ReduceLogSumExp', below, -1)
      : body.node('Log', [sumInBlocks(body, body.node('Exp', [below]))]);
    return { below, logTotal };
  };
  const addRated = (
    needed: string,
    output: string,
    choices: string | number,
    bodyOf: (body: GraphBuilder) => string,
  ) => {
    const condition = builder.addInput(needed, bool, []);
    builder.chooseAll(
      condition,
      (body) => [bodyOf(body)],
      (body) => [body.node('Identity', [nothing.name])],
      [output],
    );
    builder.addOutput(output, float32, ['logits_batch', 'logits_rows', choices]);
  };
  addRated(TENSORS.needsProbabilities, logProbabilities, 'choices', (body) => {
    const { below, logTotal } = rated(body);
    return body.node('Sub', [body.node('GatherElements', [below, index], { axis: 2 }), logTotal]);
  });
  addRated(TENSORS.needsLikeliest, likeliest, 2, (body) => {
    const { below, logTotal } = rated(body);
    // The smallest id of those that are 0 below the greatest; any other is far more below it than all ids are steps.
    const id = body.reduce('ReduceMin', body.node('Sub', [ids, below]), -1);
    return body.node('Mul', [body.concat(2, id, logTotal), units.name]);
  });
}

/** Numbers that are summed one after another. */
const BLOCK = 512;

/**
 * The sum along the last of three axes, in blocks, whose sums are summed. WebAssembly adds the numbers of an axis one after another, four
 * at a time: 262,144 of them, the tokens of Gemma, would put the sum off by 3e-4 of itself; a GPU adds them in blocks by itself.
 */
function sumInBlocks(builder: GraphBuilder, terms: string): string {
  const shape = builder.node('Shape', [terms]);
  const count = builder.node('Gather', [shape, builder.integers(2)]);
  const missing = builder.node('Mod', [builder.node('Neg', [count]), builder.integers(BLOCK)]);
  const filled = builder.node('Pad', [terms, builder.concat(0, builder.integers(0, 0, 0, 0, 0), missing)]);
  const blocks = builder.reshape(filled, builder.integers(0, 0, -1, BLOCK));
  const sums = builder.reduce('ReduceSum', blocks, -1); // [batch, rows, blocks, 1]
  return builder.reduce('ReduceSum', builder.reshape(sums, builder.integers(0, 0, -1)), -1);
}

/** Times any id, less than the smallest difference of two logits; a power of two, so that products with ids are exact. */
const STEP = 2 ** -100;

/** Each id times `STEP`, `[vocabulary]`: a constant where the file says how many they are. */
function idSteps(builder: GraphBuilder, vocabulary: Rating['vocabulary']): string {
  const { float32, int64 } = ElementType;
  const step = builder.scalar(STEP, float32);
  const dynamicEnd = () => {
    const count = builder.node('Gather', [builder.node('Shape', [TENSORS.logits]), builder.integer(2)]);
    return builder.node('Mul', [builder.cast(count, int64, float32), step]);
  };
  const end = typeof vocabulary === 'number' ? builder.scalar(vocabulary * STEP, float32) : dynamicEnd();
  return builder.node('Range', [builder.scalar(0, float32), end, step]);
}

function lastRows(builder: GraphBuilder, { tensor, run }: Sequence, rows: string): string {
  const block = builder.reshape(tensor, builder.concat(0, run.batch, run.tokens, builder.integers(-1)));
  const first = builder.node('Sub', [run.tokens, rows]);
  return builder.node('Slice', [block, first, run.tokens, builder.integers(1)]);
}

/**
 * Computes a tensor for the last `rows` positions of a run alone: only they pass through the last layer's queries,
 * feed-forward part and what comes after it. All other positions are needed for its keys and values, no further.
 *
 * It repeats the graph from the last layer's entering state on, as a run of `rows` tokens after a KV cache of all
 * positions before them, whose keys and values the graph itself has just computed. So nothing needs to be known of what
 * lies between: masks, positions and shapes follow from the run's lengths, as they do in generation.
 * A fused attention has computed its rows already: the graph is repeated from its result on.
 *
 * @param whole  a result of all positions, in the graph as it is after everything else was rewritten
 */
function tailOf(builder: GraphBuilder, { tensor, run }: Sequence, parts: TailParts): Sequence {
  const { model } = builder;
  const { rows, rewritten } = parts;
  const original = [...model.nodes];
  const tail: RunLengths = {
    batch: rewritten.sharesIds ? builder.node('Mul', [run.batch, TENSORS.sequences]) : run.batch, // shared ids are repeated here
    tokens: rows,
    past: builder.node('Sub', [run.total, rows]),
    total: run.total,
  };
  const replacements = replacementsOf(builder, parts, run, tail);
  const needed = [...ancestors(original, [tensor], new Set(replacements.keys()))];
  const names = new Map<string, string>();
  const read = new Set(needed.flatMap((node) => [...node.inputs, ...node.captures]));
  for (const [name, replace] of replacements) if (read.has(name) || name === tensor) names.set(name, replace());
  const again = [...descendants(needed, new Set(names.keys()))];
  for (const node of again) for (const output of node.outputs) if (output) names.set(output, `${ADDED}tail/${output}`);
  const rename = (name: string) => names.get(name) ?? name;
  model.nodes.push(...again.map((node) => renamedNode(node, rename)));
  return { tensor: rename(tensor), run: tail };
}

/** What the tail begins with. */
interface TailParts {
  /** int64 `[1]`: how many of the last positions are wanted. */
  readonly rows: string;
  /** The state that enters the last layer. */
  readonly entering: GraphCut;
  readonly analysis: GraphAnalysis;
  readonly rewritten: Rewritten;
}

/** What the tail reads instead of the graph's inputs and the entering state; made when it turns out to be read. */
function replacementsOf(
  builder: GraphBuilder,
  { entering, analysis: { inputs, kvCache, sites, flow }, rewritten: { sharesIds, blocks, mixed } }: TailParts,
  run: RunLengths,
  tail: RunLengths,
): Map<string, () => string> {
  const { model } = builder;
  const first = builder.node('Sub', [run.tokens, tail.tokens]);
  const lastOf = (tensor: string) => builder.node('Slice', [tensor, first, run.tokens, builder.integers(1)]);
  const perSequence = (tensor: string, ...lengths: string[]) =>
    sharesIds ? builder.node('Expand', [tensor, builder.concat(0, tail.batch, ...lengths)]) : tensor;
  const replacements = new Map<string, () => string>([
    [TENSORS.pastTokens, () => tail.past],
    [TENSORS.sequences, () => builder.integers(1)],
  ]);
  const fromEnd = builder.node('Neg', [tail.tokens]);
  for (const block of [PERTURBATION.bias, PERTURBATION.factor, ...blocks, ...(mixed ? [mixed] : [])])
    replacements.set(block, () => rowsFrom(builder, block, fromEnd));
  for (const { name, role, rank } of inputs) {
    if (role === 'mask') replacements.set(name, () => perSequence(name, tail.total));
    else if (role === 'embeddings')
      replacements.set(name, () => perSequence(lastOf(name), tail.tokens, builder.integers(1))); // any width
    else if (role === 'positions' && rank === 3)
      replacements.set(name, () => spatialPositions(builder, name, run, tail));
    else if (role !== 'keepAll') replacements.set(name, () => perSequence(lastOf(name), tail.tokens));
  }
  // Many exporters read no more of the source than its lengths.
  for (const { operator, inputs, outputs, attributes } of model.nodes) {
    const [shape = ''] = operator === 'Shape' && inputs[0] === flow.source && attributes.size === 0 ? outputs : [];
    if (shape === '') continue;
    const width = () => builder.node('Slice', [shape, builder.integers(2), builder.integers(3), builder.integers(0)]);
    replacements.set(shape, () => builder.concat(0, tail.batch, tail.tokens, width()));
  }
  const states = statesOf(entering);
  const isRepeated = sharesIds && sites.length === 1;
  const inLayer = new Set([...descendants(model.nodes, new Set(states))].flatMap(({ outputs }) => outputs));
  for (const { input, output, isStacked } of kvCache) {
    // Keys and values of all positions, those of the rows as well, are what the layer has just computed.
    if (inLayer.has(output) && !isRepeated) replacements.set(output, () => output);
    replacements.set(input, () =>
      builder.node('Slice', [output, builder.integers(0), tail.past, builder.integers(isStacked ? 3 : 2)]),
    );
  }
  for (const state of states)
    replacements.set(state, () => lastRowsOf(builder, state, { run, tail, lastOf, isRepeated }));
  return replacements;
}

/** The last of positions on three axes, `[3, batch, tokens]`. */
function spatialPositions(builder: GraphBuilder, name: string, run: RunLengths, tail: RunLengths): string {
  const first = builder.node('Sub', [run.tokens, tail.tokens]);
  const last = builder.node('Slice', [name, first, run.tokens, builder.integers(2)]);
  return builder.node('Expand', [last, builder.concat(0, builder.integers(1), tail.batch, tail.tokens)]);
}

/** A fused sum and norm makes the state and its norm at once; both belong to the entering positions. */
function statesOf({ step, tensor }: GraphCut): string[] {
  materialise(step, tensor);
  const [norm = ''] = step.node.outputs;
  return step.operator === 'Add' && step.node.operator !== 'Add' && norm ? [tensor, norm] : [tensor];
}

/** How rows of the entering state are taken. */
interface EnteringRows {
  readonly run: RunLengths;
  readonly tail: RunLengths;
  readonly lastOf: (tensor: string) => string;
  readonly isRepeated: boolean;
}

/**
 * Some exporters write the state as `[batch · tokens, width]`: the result has the state's own rank. In a
 * network of one layer its batch is still that of the ids, which several sequences may share.
 */
function lastRowsOf(builder: GraphBuilder, state: string, { run, tail, lastOf, isRepeated }: EnteringRows): string {
  const shape = builder.node('Shape', [state]);
  const part = (of: string, from: string, to: number) =>
    builder.node('Slice', [of, from, builder.integers(to), builder.integers(0)]);
  const width = part(shape, builder.integers(-1), 64);
  const block = builder.reshape(state, builder.concat(0, builder.integers(-1), run.tokens, width));
  const last = lastOf(block);
  const rows = isRepeated
    ? builder.node('Expand', [last, builder.concat(0, tail.batch, builder.integers(1, 1))])
    : last;
  const axesLeftOut = builder.node('Sub', [builder.integers(3), builder.node('Shape', [shape])]);
  const inner = part(builder.concat(0, tail.tokens, width), axesLeftOut, 2);
  return builder.reshape(rows, builder.concat(0, builder.integers(-1), inner));
}
