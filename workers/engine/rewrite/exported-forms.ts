import { type KvCacheTensor, kvCacheTensors, type NetworkConfig } from '../analysis/network-inputs.ts';
import { constantDimensions, constantNumbers, inferTypes, makersIn, sortNodes } from '../analysis/graph-traversal.ts';
import { type GraphNode, integerAttribute, makeNode, renamedNode } from '../codec/graph-node.ts';
import { graphBodyOf, makeValueInfo, type OnnxModel } from '../codec/model-proto.ts';
import { ElementType, isFloating } from '../codec/tensor-proto.ts';
import { refuse } from '../network.ts';
import { TENSORS } from '../tensor-names.ts';
import type { FusedForm } from './fused-form.ts';
import { fuseRotary } from './fuse-rotary.ts';
import { groupHeads } from './group-heads.ts';
import { foldNumbers } from './known-lengths.ts';

/** Brings forms that exporters differ in into one, before anything is looked for in the graph. */
export function simplify(model: OnnxModel, config: NetworkConfig, fused: FusedForm | undefined): void {
  inlineMergedDecoder(model);
  simplifyChains(model, kvCacheTensors(model, config), fused);
  namedEmbeddings(model);
}

/** Chains of operators in fewer. */
export function simplifyChains(model: OnnxModel, kvCache: readonly KvCacheTensor[], fused?: FusedForm): void {
  dropNoOps(model);
  foldNumbers(model, kvCache);
  if (fused) fused.fuseNodes(model);
  else fuseRotary(model);
  groupHeads(model, kvCache);
}

/**
 * Drops casts to the type that a tensor has, and products with 1, behind which chains of operators are not recognised: ONNX Runtime drops
 * them after the rewrite only. Also zeros in place of attention weights that are NaN, as rows that see nothing have them: each row of a
 * run sees its own position, or that of a text before its padding.
 *
 * @source PyTorch, its ONNX exporter of scaled_dot_product_attention: `where(isnan(weights), 0, weights)`
 */
function dropNoOps(model: OnnxModel): void {
  sortNodes(model);
  const types = inferTypes(model);
  const makers = makersIn(model.nodes);
  const kept = new Set(model.outputs.map(({ name }) => name));
  for (const tensor of model.nodes.flatMap(({ captures }) => captures)) kept.add(tensor);
  const isNumber = (tensor: string, value: number, maxAxes: number) =>
    (constantDimensions(model, tensor, makers)?.length ?? Infinity) <= maxAxes &&
    constantNumbers(model, tensor, makers)?.join() === String(value);
  const isNanOf = (tensor: string, condition?: GraphNode) =>
    condition?.operator === 'IsNaN' && condition.inputs[0] === tensor && makers.get(tensor)?.operator === 'Softmax';
  const unchanged = (node: GraphNode) => {
    const { operator, inputs } = node;
    const [first = '', second = '', third = ''] = inputs;
    if (operator === 'Cast' && types.get(first) === integerAttribute(node, 'to', 0)) return first;
    if (operator === 'Where' && isNumber(second, 0, 1) && isNanOf(third, makers.get(first))) return third;
    return operator === 'Mul' && isNumber(second, 1, 0) ? first : undefined;
  };
  const same = new Map<string, string>();
  const nodes = model.nodes.filter((node) => {
    node.inputs.forEach((input, at) => (node.inputs[at] = same.get(input) ?? input));
    const [output = ''] = node.outputs;
    const tensor = kept.has(output) ? undefined : unchanged(node);
    if (tensor !== undefined) same.set(output, tensor);
    return tensor === undefined;
  });
  model.nodes = nodes;
}

const ORIGINAL = 'inputs_embeds';

/**
 * Puts a Cast between the input `inputs_embeds`, where a network has one, and its readers. The network is then fed
 * float32 whatever it computes in, and its word embeddings are the result of a node, as they are in networks with a
 * table of their own: that result is hidden state 0.
 */
export function namedEmbeddings(model: OnnxModel): void {
  const input = model.inputs.find(({ name }) => name === ORIGINAL);
  if (input === undefined) return;
  if (!isFloating(input.type)) refuse(`input "${ORIGINAL}" has ONNX element type ${input.type}, expected floats`);
  if (input.dimensions && input.dimensions.length !== 3)
    refuse(`input "${ORIGINAL}" has ${input.dimensions.length} axes, expected [batch, tokens, width]`);
  const renamed = makeValueInfo(TENSORS.embeddings, ElementType.float32, input.dimensions ?? [null, null, null]);
  model.inputs = model.inputs.map((each) => (each === input ? renamed : each));
  model.nodes.unshift(makeNode('Cast', [TENSORS.embeddings], [ORIGINAL], { to: input.type }));
}

/** The input by which older exports choose between their two branches. */
const CHOICE = 'use_cache_branch';

/**
 * Replaces the choice between two branches by the branch for cached steps, where a graph is a merged decoder. That branch
 * reads keys and values of any length, 0 included, so that it also computes a whole sequence; the self-test shows whether
 * it does.
 *
 * @source optimum, `merge_decoders`: one `If`, whose `then` is the decoder with a past
 */
function inlineMergedDecoder(model: OnnxModel): void {
  const choice = model.nodes.find(({ operator, inputs }) => operator === 'If' && inputs[0] === CHOICE);
  const body = choice && graphBodyOf(choice, 'then_branch');
  if (choice === undefined || body === undefined) return;
  const outer = new Map(body.outputs.map(({ name }, place) => [name, choice.outputs[place] ?? name]));
  const nodes = body.nodes.map((node) => renamedNode(node, (tensor) => outer.get(tensor) ?? tensor));
  for (const [name, tensor] of body.initialisers) model.initialisers.set(name, tensor);
  model.nodes = [...model.nodes.filter((node) => node !== choice), ...nodes];
  model.inputs = model.inputs.filter(({ name }) => name !== CHOICE);
}
