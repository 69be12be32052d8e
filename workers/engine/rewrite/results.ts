import { ElementType, type Initialiser, isFloating, makeTensor, numbersOf } from '../codec/tensor-proto.ts';
import { encodeBody, type GraphBuilder, type RunLengths, redirect } from './graph-builder.ts';
import type { GraphAnalysis } from '../analysis/graph-analysis.ts';
import { ancestors, descendants } from '../analysis/graph-traversal.ts';
import { type GraphNode, renamedNode, makeNode } from '../codec/graph-node.ts';
import type { OnnxModel, ValueInfo } from '../codec/model-proto.ts';
import { TENSORS } from '../tensor-names.ts';
import { materialise } from '../analysis/layers.ts';

/** Nodes that only these outputs depend on, but for constants and what is folded from them at load. */
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
  const moved = model.nodes.filter((node) => inside.has(node));
  model.nodes = model.nodes.filter((node) => !inside.has(node));
  const made = new Set(moved.flatMap((node) => node.outputs));
  const results = model.outputs.filter(({ name }) => made.has(name));
  const names = results.map(({ name }) => name);
  const constants = smallConstants(model, moved);
  // Names inside a body must differ from those outside.
  const isInner = new Set([...names, ...constants.map(({ name }) => name)]);
  const inner = (name: string) => (isInner.has(name) ? `${conditionName}/${name}` : name);
  const nodes = moved.map((node) => renamedNode(node, inner, true));
  const own = constants.map((constant) =>
    makeTensor(inner(constant.name), constant.type, constant.dimensions, numbersOf(constant)),
  );
  const nothing = results.map(({ name, type, dimensions }) =>
    makeTensor(
      `${conditionName}/nothing/${name}`,
      type,
      (dimensions ?? []).map(() => 0),
      [],
    ),
  );
  const empty = names.map((name) => `${conditionName}/empty/${name}`);
  const identities = nothing.map(({ name }, at) => makeNode('Identity', [name], [empty[at] ?? '']));
  const bodies = {
    then_branch: { body: encodeBody(`${conditionName}/results`, nodes, own, names.map(inner)) },
    else_branch: { body: encodeBody(`${conditionName}/nothing`, identities, nothing, empty) },
  };
  model.nodes.push(makeNode('If', [condition], names, bodies));
}

/** Constants with more numbers are weights. */
const MAX_NUMBERS = 64;
const OWN_TYPES: ReadonlySet<number> = new Set([ElementType.int64, ElementType.float32]);

/** Lengths, shapes and axes that some nodes read: a body has its own, see `createGraphBuilder`. */
function smallConstants({ initialisers }: OnnxModel, nodes: readonly GraphNode[]): Initialiser[] {
  const read = new Set(nodes.flatMap(({ inputs, captures }) => [...inputs, ...captures]));
  return [...read].flatMap((name) => {
    const constant = initialisers.get(name);
    if (!constant || constant.external || !OWN_TYPES.has(constant.type)) return [];
    return constant.dimensions.reduce((count, length) => count * length, 1) <= MAX_NUMBERS ? [constant] : [];
  });
}

/**
 * Keeps lengths, ids, positions and conditions that bodies read on the processor. ONNX Runtime has an input on the GPU that no node
 * of the graph itself reads on the processor, and copies it back in every pass where a body reads a shape or a condition from it.
 *
 * @returns names of nodes that the processor has to compute
 */
export function leaveOnProcessor(model: OnnxModel): string[] {
  const captured = new Set(model.nodes.flatMap(({ captures }) => captures));
  const isKept = ({ name, type }: ValueInfo) =>
    captured.has(name) && (type === ElementType.int64 || type === ElementType.bool);
  // Operators that change nothing here, and that ONNX Runtime does not remove: no number is negative.
  const keeping = model.inputs
    .filter(isKept)
    .map(({ name, type }) =>
      type === ElementType.bool
        ? makeNode('Or', [name, name], [`${name}/kept`])
        : makeNode('Abs', [name], [`${name}/kept`]),
    );
  const names = new Map(keeping.map(({ inputs: [input = ''], name }) => [input, name]));
  const renamed = model.nodes.map((node) => {
    const isReader = node.captures.some((name) => names.has(name));
    return isReader ? renamedNode(node, (name) => names.get(name) ?? name, true) : node;
  });
  model.nodes = [...keeping, ...renamed];
  return [...names.values()];
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
 * Adds the input `steering`, float32 `[layers, 1|width]`: a row for each layer, added to the hidden state after it at every
 * position of every sequence. A row of one zero changes no number.
 *
 * @returns whether it can: not where a layer ends in a norm. The row becomes a third term of the layer's residual sum
 * @source Turner et al. 2023, arXiv:2308.10248; Panickssery et al. 2023, arXiv:2312.06681
 */
export function addSteering(builder: GraphBuilder, { hiddenStates, types }: GraphAnalysis): boolean {
  const places = hiddenStates.slice(1).map(({ step: { operator, node } }) => {
    const index = operator === 'Add' ? 1 : STATE_OF_SUM.test(operator) ? 0 : -1;
    const term = node.inputs[index] ?? '';
    return { node, index, term, type: types.get(term) };
  });
  if (places.some(({ type }) => type === undefined || !isFloating(type))) return false;
  const { float32 } = ElementType;
  const steering = builder.addInput(TENSORS.steering, float32, [places.length, 'steering_width']);
  for (const [layer, { node, index, term, type = float32 }] of places.entries()) {
    const row = builder.node('Gather', [steering, builder.integer(layer)]);
    node.inputs[index] = builder.node('Add', [term, builder.cast(row, float32, type)]);
  }
  return true;
}

/** Operators that exporters put between a layer's residual sum and its hidden state. */
const STATE_OF_SUM = /^(Cast|Reshape|Identity)$/;

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
