import { integersAttribute, MICROSOFT, type GraphNode } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import { isFloating } from '../codec/tensor-proto.ts';
import type { ElementTypes } from './graph-traversal.ts';
import type { OnnxModel } from '../codec/model-proto.ts';
import { ADDED } from '../tensor-names.ts';

/** A place where positions read from one another. */
interface AttentionSite {
  readonly kind: 'softmax' | 'fused';
  /** The softmax, or the fused attention operator. */
  readonly step: Step;
  /** Where the site begins: hidden states that enter the layer come before it. */
  readonly begin: number;
  /** Rank of the scores where it is known; 4 is `[batch, heads, queries, keys]`. */
  readonly rank: number | undefined;
}

const FUSED = new RegExp(`^(${MICROSOFT}:(GroupQuery|MultiHead)?Attention|:Attention)$`);
/** Product of queries and keys, both computed from the ids. */
const PRODUCT = /^(MatMul|FusedMatMul|Einsum|Gemm)$/;
/** Operators that exporters put between that product and the softmax: scaling, masks, soft caps, casts. */
const PASSED = /^(Add|Sub|Mul|Div|Cast|Where|Tanh|Reshape|Identity|Max|Min|Clip|Concat)$/;
/** Operators by which positions reach one another without attention: an explanation through attention would be partial. */
const OTHER_MIXING = /^(Conv|ConvTranspose|LSTM|GRU|RNN|Scan|Loop|CumSum|CausalConv.*|LinearAttention|.*Pool)$/;

/**
 * Finds the network's layers: every attention, and the hidden states between them.
 *
 * @param counts  whether a step only counts positions
 * @throws {FailureError} MODEL_UNAVAILABLE when positions also mix in a way that cannot be controlled, or a layer has no state
 */
export function findLayers(flow: DataFlow, types: ElementTypes, counts: (step: Step) => boolean): Layers {
  const sites = findSites(flow, counts);
  return { sites, hiddenStates: findHiddenStates(flow, findCuts(flow, types), sites) };
}

/**
 * Every attention, by structure, not by name: fused operators, and softmaxes over a product of two data-dependent tensors
 * (which leaves out routers of expert layers and output heads).
 */
function findSites(flow: DataFlow, counts: (step: Step) => boolean): AttentionSite[] {
  const sites: AttentionSite[] = [];
  for (const step of flow.steps) {
    if (OTHER_MIXING.test(step.operator) && !counts(step))
      refuse(`operator ${step.operator} (${step.node.name}) mixes positions outside attention`);
    if (FUSED.test(`${step.domain}:${step.operator}`))
      sites.push({ kind: 'fused', step, begin: step.position, rank: undefined });
    else if (step.operator === 'Softmax') {
      const product = scoreProduct(flow, step);
      if (product) sites.push({ kind: 'softmax', step, begin: product.position, rank: rankOf(flow, product) });
    }
  }
  refuseUnexplained(flow, sites);
  return sites;
}

/** Two products belong to each softmax: queries with keys, weights with values. Any more is attention of another kind. */
function refuseUnexplained(flow: DataFlow, sites: readonly AttentionSite[]): void {
  const expected = 2 * sites.filter((site) => site.kind === 'softmax').length;
  const products = flow.steps.filter((step) => isProduct(flow, step));
  if (sites.length === 0) refuse('no attention was found in the graph');
  if (products.length > expected)
    refuse(
      `${products.length} products of positions with positions, but only ${expected} belong to a softmax attention`,
    );
}

function isProduct(flow: DataFlow, step: Step): boolean {
  return PRODUCT.test(step.operator) && flow.dependentInputs(step).length >= 2;
}

/** The product that a softmax's scores come from; at most 16 steps back. */
function scoreProduct(flow: DataFlow, softmax: Step): Step | undefined {
  let frontier = flow.dependentInputs(softmax);
  for (let depth = 0; depth < 16 && frontier.length > 0; depth++) {
    const makers = frontier.map((tensor) => flow.producer(tensor)).filter((step) => step !== undefined);
    const product = makers.find((step) => isProduct(flow, step));
    if (product) return product;
    frontier = makers.filter((step) => PASSED.test(step.operator)).flatMap((step) => flow.dependentInputs(step));
  }
  return undefined;
}

/** Rank of a product, from the permutation that shaped one of its inputs. */
function rankOf(flow: DataFlow, product: Step): number | undefined {
  for (const input of flow.dependentInputs(product)) {
    let step = flow.producer(input);
    for (let depth = 0; depth < 8 && step !== undefined; depth++) {
      const rank = step.operator === 'Transpose' && integersAttribute(step.node, 'perm')?.length;
      if (rank) return rank;
      if (!['Mul', 'Div', 'Cast', 'Identity', 'Add'].includes(step.operator)) break;
      step = flow.producer(flow.dependentInputs(step)[0] ?? '');
    }
  }
  return undefined;
}

interface Layers {
  readonly sites: readonly AttentionSite[];
  /** Cuts that carry the network's state between layers; index 0 enters the first layer, index L leaves the last. */
  readonly hiddenStates: HiddenStates;
}

type HiddenStates = readonly GraphCut[];

/**
 * The hidden states among the cuts: `h_i` is the last cut before attention site `i`; `h_L` lies after the last
 * residual sum at the distance at which the others lie after theirs. That distance is 0 where norms come before the
 * layers (the state *is* the sum, so the final norm is left out), and the norm's length where they come after (BERT).
 *
 * @source decided here, 2026-11: layer L of `/embed` is the last block's output before the final norm (interface:
 *         "the last transformer layer")
 */
function findHiddenStates(flow: DataFlow, cuts: HiddenStates, sites: readonly AttentionSite[]): HiddenStates {
  const entering = sites.map((site) => cuts.findLastIndex((cut) => cut.step.position < site.begin));
  entering.forEach((index, layer) => {
    if (index < 0 || index === entering[layer - 1]) refuse(`no hidden state was found for layer ${layer}`);
  });
  const leaving = leavingIndex(flow, cuts, sites, entering);
  const states = [...entering, leaving].map((index) => cuts[index]).filter((cut) => cut !== undefined);
  if (states.length !== sites.length + 1) refuse(`no hidden state was found after layer ${sites.length}`);
  return states;
}

function leavingIndex(
  flow: DataFlow,
  cuts: HiddenStates,
  sites: readonly AttentionSite[],
  entering: readonly number[],
): number {
  const lastMerge = cuts.findLastIndex((cut) => cut.merges);
  const lastSite = sites.at(-1)?.step.position ?? 0;
  if (lastMerge < 0 || (cuts[lastMerge]?.step.position ?? 0) < lastSite)
    return refuse('the last layer does not end in a residual sum');
  const secondLayer = entering[1];
  if (secondLayer !== undefined) return lastMerge + distanceAfterMerge(cuts, secondLayer);
  return isNormedFirst(flow, cuts[entering[0] ?? -1]) ? lastMerge : cuts.length - 1;
}

function distanceAfterMerge(cuts: HiddenStates, index: number): number {
  const merge = cuts.findLastIndex((cut, position) => position <= index && cut.merges);
  if (merge < 0) return refuse('the first layer does not end in a residual sum');
  return index - merge;
}

/** With a single layer there is no other to compare with: norms come first when no weight reads the state directly. */
function isNormedFirst(flow: DataFlow, entering: GraphCut | undefined): boolean {
  const passed = /^(Transpose|Reshape|Identity|Cast)$/;
  return entering === undefined || !findReader(flow, entering.tensor, /MatMul|Gemm/, { passed, depth: 4 });
}

/** A tensor through which everything flows: nothing computed before it is read after it, except the tensor itself. */
export interface GraphCut {
  readonly tensor: string;
  readonly step: Step;
  /** A residual sum: two branches meet, with weights in one of them. */
  readonly merges: boolean;
}

/** Operators that multiply by weights. */
const LINEAR = /MatMul|Gemm|Conv|MoE|Einsum/;

/** All cuts between the ids and the result, in order; integer tensors (the ids themselves, reshaped) are left out. */
function findCuts(flow: DataFlow, types: ElementTypes): GraphCut[] {
  const uses = countUses(flow);
  const live = new Map([[flow.source, uses.get(flow.source) ?? 0]]);
  const cuts: GraphCut[] = [];
  let hasWeights = false;
  for (const step of flow.steps) {
    hasWeights ||= LINEAR.test(step.operator);
    advance(live, flow, step, uses);
    const [tensor] = live.size === 1 ? live.keys() : [];
    if (tensor === undefined || !step.outputs.includes(tensor)) continue;
    const type = types.get(tensor);
    if (type !== undefined && !isFloating(type)) continue;
    const merges = step.operator === 'Add' && flow.dependentInputs(step).length > 1 && hasWeights;
    cuts.push({ tensor, step, merges });
    hasWeights = false;
  }
  return cuts;
}

function countUses(flow: DataFlow): Map<string, number> {
  const uses = new Map<string, number>([[flow.sink, 1]]);
  for (const step of flow.steps)
    for (const input of flow.dependentInputs(step)) uses.set(input, (uses.get(input) ?? 0) + 1);
  return uses;
}

function advance(live: Map<string, number>, flow: DataFlow, step: Step, uses: ReadonlyMap<string, number>): void {
  for (const input of flow.dependentInputs(step)) {
    const left = (live.get(input) ?? 0) - 1;
    if (left > 0) live.set(input, left);
    else live.delete(input);
  }
  for (const output of step.outputs) {
    const count = uses.get(output) ?? 0;
    if (count > 0) live.set(output, count);
  }
}

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
export type DataFlow = ReturnType<typeof followData>;

/** The nearest wanted reader of a tensor. @param passed  operators between @param depth  steps that are followed */
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

/** Follows data, not shapes, or every tensor would depend on every other. */
export function followData(model: OnnxModel, source: string, sink: string) {
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
    /** Inputs of the step that depend on the token ids. */
    dependentInputs: (step: Step) => step.inputs.filter((input) => dependent.has(input)),
    producer: (tensor: string) => producers.get(tensor),
    /** Relevant steps that read the tensor. */
    consumers: (tensor: string): readonly Step[] => consumers.get(tensor) ?? [],
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
