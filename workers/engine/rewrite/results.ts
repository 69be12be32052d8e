import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { type GraphBuilder, type RunLengths, redirect } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import { ancestors, descendants } from '../analysis/graph-traversal.ts';
import { type GraphNode, renamedNode, encodeNode, makeNode } from '../codec/graph-node.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ADDED, TENSORS } from '../tensor-names.ts';
import { materialise } from '../analysis/layers.ts';
import { createMessage, type Message } from '../codec/protobuf.ts';

/**
 * Nodes that nothing but the outputs with these names depends on. Constants and what is computed from them alone are
 * left out: outside a branch they are folded once, at load.
 */
export function nodesOnlyFor(model: OnnxModel, outputs: readonly string[]): ReadonlySet<GraphNode> {
  const others = model.outputs.map(({ name }) => name).filter((name) => !outputs.includes(name));
  const shared = ancestors(model.nodes, others);
  const dependent = descendants(model.nodes, new Set(model.inputs.map(({ name }) => name)));
  const needed = [...ancestors(model.nodes, outputs)];
  return new Set(needed.filter((node) => dependent.has(node) && !shared.has(node)));
}

/**
 * Moves what only these outputs need into a branch that a run can leave out by the condition, a bool input that is added.
 * Hidden states that are pooled there stay alive until then, `[tokens, width]` for each layer.
 */
export function branch({ model, addInput }: GraphBuilder, conditionName: string, outputs: readonly string[]): void {
  const condition = addInput(conditionName, ElementType.bool, []);
  const inside = nodesOnlyFor(model, outputs);
  if (inside.size === 0) return;
  const made = new Set([...inside].flatMap((node) => node.outputs));
  const results = model.outputs.filter(({ name }) => made.has(name));
  const names = results.map(({ name }) => name);
  // Names inside a body must differ from those outside.
  const inner = new Map(names.map((name) => [name, `${name}/inner`]));
  const whenTrue = createMessage();
  for (const node of model.nodes.filter((each) => inside.has(each))) {
    const renamed = renamedNode(node, (name) => inner.get(name) ?? name);
    whenTrue.message(1, encodeNode({ ...renamed, name: node.name })); // it moves
  }
  const whenFalse = createMessage();
  for (const { name, type, dimensions } of results) {
    const lengths = (dimensions ?? []).map(() => 0);
    const nothing = makeTensor(`${ADDED}nothing/${name}`, type, lengths, []);
    model.initialisers.set(nothing.name, nothing);
    whenFalse.message(1, encodeNode(makeNode('Identity', [nothing.name], [`${name}/inner/nothing`])));
  }
  const bodies = {
    then_branch: bodyWith(whenTrue, [...inner.values()]),
    else_branch: bodyWith(
      whenFalse,
      names.map((name) => `${name}/inner/nothing`),
    ),
  };
  model.nodes = [...model.nodes.filter((node) => !inside.has(node)), makeNode('If', [condition], names, bodies)];
}

function bodyWith(body: Message, outputs: readonly string[]): { readonly body: Message } {
  body.text(2, `${ADDED}results`);
  for (const name of outputs) body.message(12, createMessage().text(1, name));
  return { body };
}

/**
 * Lets the final norm and the head read given hidden states instead of the last layer's, float32 `[states, width]`, where a
 * bool input is true. Given those of an earlier layer, the head says what the network would predict if it ended there
 * (logit lens).
 *
 * @returns whether it can: where the last sum and the final norm are one operator, no tensor lies between them; a head
 *   without a norm before it reads the last layer itself
 * @source nostalgebraist 2020, "interpreting GPT: the logit lens"
 */
export function addGivenStates(builder: GraphBuilder, { flow, hiddenStates, types, head }: GraphAnalysis): boolean {
  const last = hiddenStates.at(-1)?.tensor ?? '';
  const type = types.get(last);
  const readers = flow.consumers(last).map(({ node }) => node);
  const isBetween = readers.length > 0 && readers.every(({ inputs }) => inputs.includes(last));
  const isHeadInput = last === head?.input || last === head?.product?.reads; // the head takes the last rows of that tensor by its name
  if (!isBetween || isHeadInput || (type !== ElementType.float32 && type !== ElementType.float16)) return false;
  const given = builder.addInput(TENSORS.givenStates, ElementType.float32, ['states', 'states_width']);
  const isGiven = builder.addInput(TENSORS.readsGiven, ElementType.bool, []);
  const state = builder.choose(
    isGiven,
    (body) => body.reshape(body.cast(given, ElementType.float32, type), body.node('Shape', [last])),
    (body) => body.node('Identity', [last]),
  );
  for (const { inputs } of readers) redirect(inputs, last, state);
  return true;
}

/**
 * Adds the outputs of hidden states, all float32: `pooled` `[batch, layers + 1, pools, width]`, a product with the input
 * `pool_weights` `[1|batch, pools, tokens]`, and two maxima over the positions from `maxima_skip` (int64 `[1]`) on,
 * `[batch, layers + 1, width]`. Pooling inside the graph keeps no layer's full state alive and reads none back.
 */
export function addPooledOutputs(builder: GraphBuilder, states: GraphAnalysis['hiddenStates'], run: RunLengths): void {
  const { float32, int64 } = ElementType;
  const weights = builder.addInput(TENSORS.poolWeights, float32, ['pool_batch', 'pools', 'pool_tokens']);
  const skip = builder.addInput(TENSORS.maximaSkip, int64, [1]);
  const pools = builder.node('Gather', [builder.node('Shape', [weights]), builder.integers(1)]);
  const pooledShape = builder.concat(0, run.batch, builder.integers(1), pools, builder.integers(-1));
  // Some exporters write the state as [batch · tokens, width].
  const stateShape = builder.concat(0, run.batch, run.tokens, builder.integers(-1));
  const [pooled, maxima, absoluteMaxima]: [string[], string[], string[]] = [[], [], []];
  for (const { tensor, step } of states) {
    materialise(step, tensor);
    // Always cast, to the same type at worst: the type of a sum inside a fused norm is not written down anywhere.
    const state = builder.node('Cast', [builder.reshape(tensor, stateShape)], { to: float32 });
    const counted = builder.node('Slice', [state, skip, run.tokens, builder.integers(1)]);
    const maximum = builder.reduce('ReduceMax', counted, 1); // [batch, 1, width]
    const negative = builder.node('Neg', [builder.reduce('ReduceMin', counted, 1)]);
    pooled.push(builder.reshape(builder.node('MatMul', [weights, state]), pooledShape));
    maxima.push(maximum);
    absoluteMaxima.push(builder.node('Max', [maximum, negative]));
  }
  const addLayers = (name: string, layers: readonly string[], ...dimensions: readonly string[]): void => {
    builder.node('Concat', layers, { axis: 1 }, name);
    builder.addOutput(name, float32, ['pooled_batch', states.length, ...dimensions, 'pooled_width']);
  };
  addLayers(TENSORS.pooled, pooled, 'pooled_pools');
  addLayers(TENSORS.maximum, maxima);
  addLayers(TENSORS.absoluteMaximum, absoluteMaxima);
}

/** Adds the looked-up rows as an output. @returns whether the graph looks them up in a way that was found */
export function addWordEmbeddings(builder: GraphBuilder, wordEmbeddings: string | undefined): boolean {
  if (wordEmbeddings === undefined) return false;
  builder.node('Cast', [wordEmbeddings], { to: ElementType.float32 }, TENSORS.wordEmbeddings);
  builder.addOutput(TENSORS.wordEmbeddings, ElementType.float32, ['embedded_batch', 'embedded_tokens', null]);
  return true;
}
