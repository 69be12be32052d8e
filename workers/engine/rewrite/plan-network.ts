import { rewriteAttention } from './attention.ts';
import { addAttended } from './perturbation.ts';
import {
  addGivenStates,
  addPooledOutputs,
  addSteering,
  addWordEmbeddings,
  branch,
  leaveOnProcessor,
  nodesOnlyFor,
} from './results.ts';
import {
  isKvCacheInput,
  type KvCacheTensor,
  type NetworkConfig,
  type NetworkInput,
  networkInputs,
} from '../analysis/network-inputs.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import {
  analyseGraph,
  type GraphAnalysis,
  ownLogits,
  refuseUnsupported,
  roundsTogether,
} from '../analysis/graph-analysis.ts';
import {
  ancestors,
  type ElementTypes,
  inferTypes,
  rowsOfTable,
  sortNodes,
  tabledPositions,
} from '../analysis/graph-traversal.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../codec/model-proto.ts';
import { ADDED, isPrediction, ORIGINAL_FILE, TENSORS } from '../tensor-names.ts';
import { type GraphNode, tensorAttribute } from '../codec/graph-node.ts';
import { refuse } from '../network.ts';
import type { FusedForm } from './fused-form.ts';
import { createGraphBuilder, type GraphBuilder, runLengths } from './graph-builder.ts';
import { simplify } from './exported-forms.ts';
import { foldLengths } from './known-lengths.ts';
import { rewriteHead } from './logits-head.ts';
import { shareIds, shareKvCache } from './sharing.ts';
import { unpackEmbeddings } from './unpack-embeddings.ts';

/** A network that is ready to become a session. */
export interface NetworkPlan {
  /** Why the graph was left as it is: it has no inputs for controls and no hidden states. Left out: it was rewritten. */
  readonly keptBecause?: string;
  /** ONNX file that refers to the original one for its weights. */
  readonly skeleton: Uint8Array<ArrayBuffer>;
  /** Names of nodes that a GPU computes too roughly: the processor computes them, which costs a copy of a few numbers. */
  readonly onProcessor: readonly string[];
  /** Inputs of the original graph; those added by the rewrite are always the same. */
  readonly inputs: readonly NetworkInput[];
  readonly kvCache: readonly KvCacheTensor[];
  /** Floating-point outputs of the original graph that are still there: not the keys and values, not the head's logits. */
  readonly outputs: readonly string[];
  readonly layers: number;
  readonly hasHead: boolean;
  /** Final norm and head can read given hidden states. */
  readonly readsGivenStates: boolean;
  /** It has the input for vectors that are added to the hidden states after its layers. */
  readonly takesSteering: boolean;
  /** Runs can return attention weights. */
  readonly showsAttention: boolean;
  readonly hasWordEmbeddings: boolean;
  /** A run may leave attention to the fused operators of the file. */
  readonly keepsFused: boolean;
  /** Such a run may begin after a KV cache that is cut, or repeated for a batch. */
  readonly fusesBatches: boolean;
  /** One row of ids may stand for a batch, in runs that only compute keys and values. */
  readonly sharesIds: boolean;
  /** Dynamic int8 rounds all of a pass together, so each sequence is computed alone, in one pass, as in the file. */
  readonly runsAlone: boolean;
  /** Longest sequence that its tables of positions reach; undefined where they do not limit it. */
  readonly tabledPositions: number | undefined;
  /** Rows of its table of word embeddings; undefined where ids are not looked up in it directly. */
  readonly tableRows: number | undefined;
  /** The id that the graph itself leaves out where it counts positions; undefined where it counts none. */
  readonly paddingId?: number | undefined;
  /** Logits of the file's own graph, where it can take a step with a KV cache itself; undefined where it cannot. */
  readonly ownLogits?: string | undefined;
  /** The coarsest arithmetic in the graph: it decides how closely results agree. */
  readonly precision: 'float32' | 'float16' | 'int8';
}

/** Whether the original graph has an input of that role. */
export function hasInput({ inputs }: Pick<NetworkPlan, 'inputs'>, role: NetworkInput['role']): boolean {
  return inputs.some((input) => input.role === role);
}

/** Outputs of a question-answering head, `[batch, tokens]` each. @source transformers, AutoModelForQuestionAnswering */
export const SPAN_OUTPUTS = ['start_logits', 'end_logits'] as const;

/** Outputs with what an encoder makes of a text. @source Optimum and sentence-transformers, their exports to ONNX */
const STATE_OUTPUTS = ['last_hidden_state', 'token_embeddings', 'sentence_embedding'] as const;

/**
 * How a network is run: rewritten, or unchanged where the rewrite is refused and the network points at answers or gives its
 * last states. Explanations do not use such a network, so it may mix positions in any way; other uses are refused.
 *
 * @param fused  for a GPU
 * @throws {FailureError} MODEL_UNAVAILABLE with the operator or structure in the way, for any other network
 */
export function planNetwork(file: Uint8Array, config: NetworkConfig, fused?: FusedForm): NetworkPlan {
  try {
    return rewriteNetwork(file, config, fused);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const plan = unchangedPlan(file, error.message, config);
    if (!plan) throw error;
    return plan;
  }
}

/** @throws {FailureError} MODEL_UNAVAILABLE for inputs that nothing here can feed, or operators that ONNX Runtime cannot open */
function unchangedPlan(file: Uint8Array, keptBecause: string, config: NetworkConfig): NetworkPlan | undefined {
  const model = decodeModel(file);
  const has = (name: string) => model.outputs.some((output) => output.name === name);
  const isReader = SPAN_OUTPUTS.every(has);
  const outputs = isReader ? SPAN_OUTPUTS : STATE_OUTPUTS.filter(has);
  if (outputs.length === 0 || model.inputs.some(isKvCacheInput)) return undefined;
  refuseUnsupported(model);
  const runsAlone = roundsTogether(model);
  return {
    keptBecause,
    skeleton: encodeSkeleton(model, ORIGINAL_FILE),
    onProcessor: [],
    inputs: networkInputs(model),
    kvCache: [],
    outputs: [...outputs],
    layers: isReader ? 0 : (config.layers ?? 1),
    hasHead: false,
    readsGivenStates: false,
    takesSteering: false,
    showsAttention: false,
    hasWordEmbeddings: false,
    sharesIds: false,
    keepsFused: false,
    fusesBatches: false,
    runsAlone,
    tabledPositions: tabledPositions(model),
    tableRows: rowsOfTable(model),
    precision: precisionOf(model, inferTypes(model), runsAlone),
  };
}

/**
 * Rewrites a network at load time: perturbation inputs in front of every softmax, pooled hidden states, logits of chosen
 * positions only, a KV cache that is shared by the batch. With neutral controls the result computes what the original does.
 *
 * @param file  the original `.onnx` file; weights are not copied
 * @param fused  for a GPU
 * @throws {FailureError} MODEL_UNAVAILABLE naming the operator or structure that cannot be rewritten
 */
export function rewriteNetwork(file: Uint8Array, config: NetworkConfig, fused?: FusedForm): NetworkPlan {
  const model = decodeModel(file);
  const exported = { inputs: model.inputs, outputs: model.outputs };
  simplify(model, config, fused);
  const analysis = analyseGraph(model, config);
  const { inputs, kvCache, types, flow, sites, hiddenStates, head, counted, roundsTogether: runsAlone } = analysis;
  if (config.layers !== undefined && config.layers !== sites.length)
    refuse(`config.json speaks of ${config.layers} layers, the graph has ${sites.length} attentions`);
  const asExported = {
    tableRows: rowsOfTable(model),
    tabledPositions: shorter(tabledPositions(model), counted?.tokens),
    outputs: otherOutputs(model, analysis),
    ownLogits: head && ownLogits(exported, analysis),
  };

  const builder = createGraphBuilder(model);
  const run = runLengths(builder, flow.source);
  unpackEmbeddings(builder, types);
  const takesSteering = config.wantsSteering === true && head !== undefined && addSteering(builder, analysis);
  foldLengths(builder, kvCache, run);
  const pasts = shareKvCache(builder, kvCache, run);
  const { perturbed, blocks, mixed, keepsFused, fusesBatches } = rewriteAttention(builder, analysis, run, fused);
  addPooledOutputs(builder, hiddenStates, run);
  const hasWordEmbeddings = addWordEmbeddings(builder, analysis.wordEmbeddings);
  const always = new Set([...kvCache.map(({ output }) => output), TENSORS.wordEmbeddings, TENSORS.attended]);
  /** Outputs that a run can leave out. */
  const results = () => model.outputs.map(({ name }) => name).filter((name) => !always.has(name));
  const hasBranches = kvCache.length > 0;
  const skipped = hasBranches && !runsAlone && !keepsFused ? nodesOnlyFor(model, results()) : new Set<GraphNode>();
  const sharesIds = shareIds(builder, run, { types, pasts }, skipped);
  const readsGivenStates = head !== undefined && !runsAlone && addGivenStates(builder, analysis);
  if (head) rewriteHead(builder, analysis, head, run, { sharesIds, blocks, mixed, isFused: fused !== undefined });
  const showsAttention = addAttended(builder, perturbed, mixed !== undefined);
  keepRead(model);
  const onProcessor = named(model, angleNodes(model, types));
  branchResults(builder, hasBranches ? results() : []);
  onProcessor.push(...leaveOnProcessor(model));
  return {
    ...asExported,
    skeleton: encodeSkeleton(model, ORIGINAL_FILE),
    onProcessor,
    inputs,
    kvCache,
    layers: sites.length,
    hasHead: head !== undefined,
    readsGivenStates,
    takesSteering,
    showsAttention,
    hasWordEmbeddings,
    sharesIds,
    keepsFused,
    fusesBatches,
    runsAlone,
    paddingId: counted?.paddingId,
    precision: precisionOf(model, types, runsAlone),
  };
}

/** Drops nodes that only replaced results depended on, and sorts the others. */
function keepRead(model: OnnxModel): void {
  const names = model.outputs.map(({ name }) => name);
  model.nodes = [...ancestors(model.nodes, names)];
  sortNodes(model);
}

/** Lets a run leave out its predictions, or its hidden states. */
function branchResults(builder: GraphBuilder, outputs: readonly string[]): void {
  const states = outputs.filter((name) => !isPrediction(name));
  branch(builder, TENSORS.needsLogits, outputs.filter(isPrediction));
  branch(builder, TENSORS.needsStates, states);
}

function shorter(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Floating-point outputs other than keys, values and logits. */
function otherOutputs({ outputs }: OnnxModel, { kvCache, head, flow }: GraphAnalysis): string[] {
  const others = new Set([...kvCache.map(({ output }) => output), ...(head ? [flow.sink] : [])]);
  const names = outputs.filter(({ type }) => type === ElementType.float32 || type === ElementType.float16);
  return names.map(({ name }) => name).filter((name) => !others.has(name));
}

/** Gives nodes names of their own, by which a session knows where to compute them: exporters may leave them out. */
function named(model: OnnxModel, nodes: ReadonlySet<GraphNode>): string[] {
  const nameOf = ({ outputs }: GraphNode) => `${ADDED}angle/${outputs[0]}`;
  model.nodes = model.nodes.map((node) => (nodes.has(node) ? { ...node, name: nameOf(node) } : node));
  return [...nodes].map(nameOf);
}

function precisionOf({ nodes }: OnnxModel, types: ElementTypes, runsAlone: boolean): NetworkPlan['precision'] {
  if (runsAlone) return 'int8';
  // Weights that are stored in 16 bits and cast before use compute in 32.
  const computesInHalf = nodes.some(
    ({ operator, inputs }) => operator !== 'Cast' && inputs.some((input) => types.get(input) === ElementType.float16),
  );
  return computesInHalf ? 'float16' : 'float32';
}

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
  const isInteger = (type: number) => type === ElementType.int64 || type === ElementType.int32;
  return inputs.some(({ name, type }) => name === tensor && isInteger(type));
}

const isSmall = (shape: readonly number[]) => shape.reduce((count, length) => count * length, 1) <= MAX_NUMBERS;
