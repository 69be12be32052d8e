import {
  isSource,
  type KvCacheTensor,
  kvCacheTensors,
  type NetworkConfig,
  type NetworkInput,
  networkInputs,
} from './network-inputs.ts';
import { ElementType, isFloating } from '../codec/tensor-proto.ts';
import type { OnnxModel, ValueInfo } from '../codec/model-proto.ts';
import { refuse } from '../network.ts';
import { type DataFlow, findLayers, findReader, followData, type Step } from './layers.ts';
import { constantNumbers, type ElementTypes, inferTypes, sortNodes } from './graph-traversal.ts';
import { integerAttribute } from '../codec/graph-node.ts';

/** The network inside a graph, as the rewrite needs it. */
export interface GraphAnalysis extends ReturnType<typeof findLayers> {
  readonly inputs: readonly NetworkInput[];
  readonly kvCache: readonly KvCacheTensor[];
  readonly types: ElementTypes;
  readonly flow: DataFlow;
  /** How positions are counted from the ids; undefined where they are not. */
  readonly counted: CountedPositions | undefined;
  /** Dynamic quantisation: numbers are rounded by the largest one of the pass. */
  readonly roundsTogether: boolean;
  /** undefined when the result is not one row of logits per position. */
  readonly head: LanguageHead | undefined;
  /** The looked-up word embeddings, before positions are added; undefined when ids are not looked up directly. */
  readonly wordEmbeddings: string | undefined;
}

/** Finds the network by structure. @throws {FailureError} MODEL_UNAVAILABLE with the structure that is in the way */
export function analyseGraph(model: OnnxModel, config: NetworkConfig): GraphAnalysis {
  refuseUnsupported(model);
  sortNodes(model);
  const inputs = networkInputs(model);
  const kvCache = kvCacheTensors(model, config);
  const types = inferTypes(model);
  const result = resultOf(model);
  const flow = followData(model, inputs.find(isSource)?.name ?? '', result.name);
  const sums = flow.steps.filter(({ operator }) => operator === 'CumSum');
  const counting = new Map(sums.map((step) => [step, countedPositions(flow, step, model)]));
  const counted = [...counting.values()].find((positions) => positions !== undefined);
  const { sites, hiddenStates } = findLayers(flow, types, (step) => counting.get(step) !== undefined);
  const head = result.name === 'logits' && result.dimensions?.length === 3 ? findLanguageHead(flow) : undefined;
  const wordEmbeddings = findWordEmbeddings(flow, types);
  const network = { inputs, kvCache, types, flow, sites, hiddenStates, counted, head, wordEmbeddings };
  return { ...network, roundsTogether: roundsTogether(model) };
}

/** Whether numbers are rounded by the largest one of the pass. */
export function roundsTogether({ nodes }: OnnxModel): boolean {
  return nodes.some(({ operator }) => operator.startsWith('DynamicQuantize'));
}

/** Versions of ONNX's operator set: the first with what the rewrite adds, and the last that the pinned ONNX Runtime opens. */
const OPERATOR_SETS = { oldest: 11, newest: 26 } as const;

/** @throws {FailureError} MODEL_UNAVAILABLE with the version of the operator set and those that are opened */
export function refuseUnsupported(model: OnnxModel): void {
  const version = model.operatorSets.get('') ?? 0;
  const { oldest, newest } = OPERATOR_SETS;
  if (version < oldest || version > newest)
    refuse(`ONNX operator set ${version} is too ${version < oldest ? 'old' : 'new'}, expected ${oldest} to ${newest}`);
}

/** Results that have a row for each position come first: pooling after them is not part of the network's layers. */
const ROWWISE_RESULTS = ['logits', 'last_hidden_state', 'token_embeddings', 'start_logits'];

function resultOf(model: OnnxModel): ValueInfo {
  const named = ROWWISE_RESULTS.map((name) => model.outputs.find((output) => output.name === name));
  const others = model.outputs.filter((output) => !output.name.startsWith('present'));
  const result = [...named, ...others].find((output) => output !== undefined && isFloating(output.type));
  return result ?? refuse('the network has no floating-point result');
}

/** Ids may be reshaped or cast on their way to the table. */
function findWordEmbeddings(flow: DataFlow, types: ElementTypes): string | undefined {
  const passed = /^(Reshape|Cast|Identity|Flatten)$/;
  const rows = findReader(flow, flow.source, /^Gather(BlockQuantized)?$/, { passed, depth: 4 })?.outputs[0];
  return isFloating(types.get(rows ?? '')) ? rows : undefined;
}

/** A running sum over "is not padding" picks rows of a table, as in RoBERTa, XLM-R and MPNet. */
interface CountedPositions {
  readonly paddingId: number;
  /** Positions that the table has left: it begins after the padding's own row. undefined: no table was found. */
  readonly tokens: number | undefined;
}

/** Operators between the comparison and the sum, and between the sum and the table; none of them joins positions. */
const BETWEEN = /^(Not|Cast|Identity|Where|Mul|Add|Sub|Unsqueeze|Squeeze|Reshape)$/;

/**
 * How a running sum counts positions; undefined where it sums anything else, by which positions would mix. It counts where
 * nothing reaches it but a comparison of the ids with one number: attention controls change no id, so that an explanation
 * through attention loses nothing.
 *
 * @source transformers, `create_position_ids_from_input_ids`
 */
function countedPositions(flow: DataFlow, sum: Step, model: OnnxModel): CountedPositions | undefined {
  const paddingId = comparedId(flow, sum, model);
  if (paddingId === undefined) return undefined;
  const lookup = findReader(flow, sum.outputs[0] ?? '', /^Gather$/, { passed: BETWEEN, depth: 8 });
  const rows = lookup && model.initialisers.get(lookup.inputs[0] ?? '')?.dimensions[0];
  return { paddingId, tokens: rows === undefined ? undefined : rows - paddingId - 1 };
}

/** The number that ids are compared with; undefined where something else flows into the sum. */
function comparedId(flow: DataFlow, sum: Step, model: OnnxModel): number | undefined {
  const open = flow.dependentInputs(sum);
  const compared = new Set<number>();
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const step = flow.producer(tensor);
    if (step?.operator === 'Equal') {
      if (!isIds(flow, step)) return undefined;
      const [number, ...others] = step.inputs.flatMap((input) => constantNumbers(model, input) ?? []);
      if (number === undefined || others.length > 0) return undefined;
      compared.add(number);
    } else if (step && BETWEEN.test(step.operator)) open.push(...flow.dependentInputs(step));
    else return undefined;
  }
  const [only, ...others] = compared;
  return others.length === 0 ? only : undefined;
}

/** Whether a step reads the ids themselves; they may be cast. */
function isIds(flow: DataFlow, step: Step): boolean {
  return flow.dependentInputs(step).every((input) => {
    const maker = flow.producer(input);
    if (maker === undefined) return input === flow.source;
    return ['Cast', 'Identity'].includes(maker.operator) && isIds(flow, maker);
  });
}

/** Where hidden states become logits. */
interface LanguageHead {
  /** Hidden states of all positions. */
  readonly input: string;
  /**
   * The product with the vocabulary's weights and the name it reads its rows under, when rows may be picked before it;
   * undefined when they must be picked from the finished logits.
   */
  readonly product: { readonly step: Step; readonly reads: string } | undefined;
}

/** Elementwise operators with constants: bias, scaling and soft caps of logits. */
const ELEMENTWISE = /^(Add|Sub|Mul|Div|Tanh|Cast|Identity|Clip)$/;
/** Products that take any number of leading axes. */
const ROWWISE_PRODUCT = /^(MatMul|MatMulNBits|FusedMatMul)$/;
const SHAPING = /^(Unsqueeze|Squeeze|Reshape|Identity)$/;

/** Finds the head of a network whose result is `[batch, tokens, vocabulary]`. */
function findLanguageHead(flow: DataFlow): LanguageHead {
  let step = flow.producer(flow.sink);
  while (step !== undefined && ELEMENTWISE.test(step.operator) && flow.dependentInputs(step).length === 1)
    step = flow.producer(flow.dependentInputs(step)[0] ?? '');
  const [rows, ...others] = step ? flow.dependentInputs(step) : [];
  if (!step || rows === undefined || others.length > 0 || !ROWWISE_PRODUCT.test(step.operator))
    return { input: flow.sink, product: undefined };
  return { input: beforePruning(flow, rows), product: { step, reads: rows } };
}

/** The tensor with all positions, where a builder gathers the last one's row (`prune_lm_head`). */
function beforePruning(flow: DataFlow, rows: string): string {
  let complete = rows;
  let tensor = rows;
  for (;;) {
    const step = flow.producer(tensor);
    const data = step?.inputs[0] ?? '';
    if (step === undefined || !flow.dependentInputs(step).includes(data)) return complete;
    if (step.operator === 'Gather' && integerAttribute(step.node, 'axis', 0) === 1) complete = data;
    else if (!SHAPING.test(step.operator)) return complete;
    tensor = data;
  }
}

/**
 * The logits of a file as it was exported, where its own graph can take a step with a KV cache: it has no input that a run of
 * the rewritten graph does not know.
 *
 * @param file  inputs and outputs before anything was rewritten
 * @returns     the output's name; undefined where only the rewritten graph can take the step
 */
export function ownLogits(
  { inputs, outputs }: Pick<OnnxModel, 'inputs' | 'outputs'>,
  { flow, kvCache, inputs: known, roundsTogether }: GraphAnalysis,
): string | undefined {
  if (kvCache.length === 0 || roundsTogether || known.some(({ role }) => role === 'embeddings')) return undefined;
  const fed = new Set([...known.map(({ name }) => name), ...kvCache.map(({ input }) => input)]);
  if (!inputs.every(({ name }) => fed.has(name))) return undefined;
  const logits = outputs.find(({ name }) => name === flow.sink);
  return logits?.type === ElementType.float32 ? logits.name : undefined;
}
