import { shown } from '../../../src/contract/shown.ts';
import { isRecord, ownValue } from '../../../src/contract/records.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import type { OnnxModel, ValueInfo } from '../codec/model-proto.ts';
import { refuse } from '../network.ts';
import { TENSORS } from '../tensor-names.ts';
import { type GraphNode, integerAttribute } from '../codec/graph-node.ts';

/** How a graph input is fed. */
type InputRole =
  /** The token ids, `[batch, tokens]`. */
  | 'ids'
  /** Their rows of the embedding table, float32 `[batch, tokens, width]`, instead of ids. */
  | 'embeddings'
  /** Ones, and zeros in padding, `[batch, total]`. */
  | 'mask'
  /** 0 … total − 1, of the run's own positions, `[batch, tokens]`; `[3, batch, tokens]` where pictures have their own positions. */
  | 'positions'
  /** Zeros, unless a run says otherwise, `[batch, tokens]`. */
  | 'segments'
  /** Weight of each position in the network's own pooling, float32 `[batch, tokens]`. */
  | 'weights'
  /** A single zero, meaning all: how many positions get logits. */
  | 'keepAll';

/** An input of the original graph other than keys and values. */
export interface NetworkInput {
  readonly name: string;
  readonly role: InputRole;
  readonly type: number;
  readonly rank: number;
}

const ROLES: Readonly<Record<string, InputRole>> = {
  input_ids: 'ids',
  [TENSORS.embeddings]: 'embeddings',
  attention_mask: 'mask',
  position_ids: 'positions',
  token_type_ids: 'segments',
  token_weights: 'weights',
  num_logits_to_keep: 'keepAll',
  logits_to_keep: 'keepAll',
};

/** Why a network with this input cannot be run from token ids alone. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^past_(conv|recurrent|ssm)/, 'carries convolution or recurrent state: positions mix outside attention'],
  [/^use_cache_branch$/, 'is a merged decoder with two branches'],
  [/^encoder_/, 'is the decoder of an encoder-decoder'],
  [/^pixel_values|^image|^input_features/, 'takes pictures or sound'],
  [/^past/, 'keeps its past in a layout other than past_key_values.N.key and .value'],
];

/** The graph's inputs with their roles. @throws {FailureError} MODEL_UNAVAILABLE for an input that is unknown */
export function networkInputs(model: OnnxModel): NetworkInput[] {
  const inputs = model.inputs.filter((input) => !isKvCacheInput(input)).map(networkInput);
  const sources = inputs.filter(isSource);
  if (sources.length === 0) refuse('the network has no input "input_ids" and no "inputs_embeds"');
  if (sources.length > 1) refuse('the network takes token ids and embeddings at once');
  return inputs;
}

/** Whether an input carries the sequence itself. */
export function isSource({ role }: NetworkInput): boolean {
  return role === 'ids' || role === 'embeddings';
}

function networkInput(input: ValueInfo): NetworkInput {
  const role = ownValue(ROLES, input.name);
  if (role === undefined) return refuseInput(input);
  const { name, type, dimensions } = input;
  if (role === 'embeddings') return { name, role, type, rank: 3 };
  const rank = dimensions?.length ?? (role === 'keepAll' ? 0 : 2);
  const isSpatial =
    role === 'positions' && rank === 3 && (dimensions?.[0] === 3 || typeof dimensions?.[0] !== 'number');
  if (role !== 'keepAll' && rank !== 2 && !isSpatial)
    refuse(`input "${name}" has ${rank} axes, expected [batch, tokens]`);
  if (role === 'ids' && typeof dimensions?.[1] === 'number')
    refuse(`the network takes exactly ${dimensions[1]} tokens at a time`);
  if (role === 'weights' && type !== ElementType.float32)
    refuse(`input "${name}" has ONNX element type ${type}, expected float32`);
  if (role !== 'weights' && type !== ElementType.int64 && type !== ElementType.int32)
    refuse(`input "${name}" has ONNX element type ${type}, expected int64 or int32`);
  return { name, role, type, rank };
}

function refuseInput({ name }: ValueInfo): never {
  const reason = REFUSED.find(([pattern]) => pattern.test(name))?.[1] ?? 'has an input that is not known';
  return refuse(`the network ${reason} (input "${name}")`);
}

/** Keys or values of one layer: a graph input with those of past positions, a graph output with past and present. */
export interface KvCacheTensor {
  readonly input: string;
  readonly output: string;
  readonly type: number;
  readonly heads: number;
  readonly headSize: number;
  /** Keys and values in one tensor, `[2, batch, heads, tokens, headSize]`, as older exports of GPT-2 have them. */
  readonly isStacked: boolean;
}

const PAST = /^past_key_values\.(\d+)\.(key|value)$/;
const STACKED = /^past_(\d+)$/;

/** Whether a graph input takes keys or values of positions that were computed before. */
export function isKvCacheInput({ name }: ValueInfo): boolean {
  return PAST.test(name) || STACKED.test(name);
}

/**
 * Inputs and outputs with keys and values, by layer. Empty for networks without a KV cache.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when an output is missing or a length is not known
 */
export function kvCacheTensors(model: OnnxModel, config: NetworkConfig): KvCacheTensor[] {
  return model.inputs.flatMap(({ name, type, dimensions }) => {
    const [, layer, part] = PAST.exec(name) ?? STACKED.exec(name) ?? [];
    if (layer === undefined) return [];
    const isStacked = part === undefined;
    const output = isStacked ? `present_${layer}` : `present.${layer}.${part}`;
    if (!model.outputs.some((each) => each.name === output)) refuse(`"${name}" has no output "${output}"`);
    const [, heads, , noted] = dimensions?.slice(isStacked ? 1 : 0) ?? [];
    if (typeof heads !== 'number') return refuse(`"${name}" does not say how many heads it has`);
    const headSize = typeof noted === 'number' ? noted : headSizeOf(name, model, config);
    return { input: name, output, type, heads, isStacked, headSize };
  });
}

/** Current builders leave the axis symbolic: from the weights after the attention that reads the input, else `config.json`. */
function headSizeOf(input: string, model: OnnxModel, config: NetworkConfig): number {
  const reader = model.nodes.find((node) => node.inputs.includes(input));
  const size = (reader && headSizeOfGroupQuery(reader, model)) ?? config.headSize;
  return size ?? refuse(`the length of the heads of "${input}" is not known; config.json should give head_dim`);
}

/** Length of a head, from the projection after a GroupQueryAttention or its norms; undefined for other operators. */
function headSizeOfGroupQuery(node: GraphNode, model: OnnxModel): number | undefined {
  if (node.operator !== 'GroupQueryAttention') return undefined;
  const norm = model.initialisers.get(node.inputs[14] ?? '')?.dimensions[0];
  if (norm !== undefined) return norm;
  const widths = model.nodes.filter((each) => each.inputs[0] === node.outputs[0]).map((each) => rowsOf(each, model));
  const width = widths.find((rows) => rows !== undefined);
  const size = width === undefined ? undefined : width / integerAttribute(node, 'num_heads', 0);
  return size !== undefined && Number.isInteger(size) ? size : undefined;
}

/** Width of the rows that a product with weights takes. */
function rowsOf(node: GraphNode, model: OnnxModel): number | undefined {
  if (node.operator === 'MatMulNBits') return integerAttribute(node, 'K', 0) || undefined;
  if (node.operator === 'MatMul') return model.initialisers.get(node.inputs[1] ?? '')?.dimensions[0];
  return undefined;
}

/** Entries that the engine reads from a model's `config.json`; every entry may be missing. */
export interface NetworkConfig {
  readonly layers: number | undefined;
  readonly headSize: number | undefined;
  readonly contextTokens: number | undefined;
  /** The id in padding. */
  readonly paddingId: number | undefined;
  /** The rewritten graph gets the input for steering, and with it two more small operators in each layer. Not of `config.json`. */
  readonly wantsSteering?: boolean;
}

/** Names of the same number in different model families. @source transformers, configuration_*.py */
const LAYERS = ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers'];
const CONTEXT = ['max_position_embeddings', 'n_positions', 'n_ctx', 'max_sequence_length', 'seq_length'];
const WIDTH = ['hidden_size', 'n_embd', 'd_model'];
const HEADS = ['num_attention_heads', 'n_head'];

/** Reads `config.json`, of a vision-language model its text part. @throws {FailureError} MODEL_UNAVAILABLE by entry */
export function readNetworkConfig(config: unknown): NetworkConfig {
  const entries = isRecord(config) ? config : {};
  const text = isRecord(entries['text_config']) ? entries['text_config'] : entries;
  const width = firstNumber(text, WIDTH);
  const heads = firstNumber(text, HEADS);
  return {
    layers: firstNumber(text, LAYERS),
    headSize: firstNumber(text, ['head_dim']) ?? (width !== undefined && heads ? width / heads : undefined),
    contextTokens: firstNumber(text, CONTEXT),
    paddingId: paddingIdOf(text['pad_token_id']),
  };
}

/** The first entry that is neither missing nor `null`. */
function firstNumber(entries: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined {
  const name = names.find((each) => entries[each] !== undefined && entries[each] !== null);
  const value = name === undefined ? undefined : entries[name];
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return value;
  return refuse(`config.json: ${name}: expected a whole number ≥ 1, got ${shown(value)}`);
}

/** Models without padding say −1 or nothing. */
function paddingIdOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
