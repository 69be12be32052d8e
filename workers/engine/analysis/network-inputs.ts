import { ElementType } from '../codec/element-type.ts';
import type { Model } from '../codec/model-proto.ts';
import type { ValueInfo } from '../codec/value-info.ts';
import { refuse } from '../refusal.ts';
import { EMBEDDINGS } from '../tensor-names.ts';
import { isKvCacheInput } from './kv-cache.ts';

/** How a graph input is fed. */
export type InputRole =
  /** The token ids, `[batch, tokens]`. */
  | 'ids'
  /** What the embedding table gives for them, float32 `[batch, tokens, width]`, in place of ids. */
  | 'embeddings'
  /** Ones, and zeros in padding, `[batch, total]`. */
  | 'mask'
  /** 0 … total − 1, of the run's own positions, `[batch, tokens]`; `[3, batch, tokens]` where pictures have positions of their own. */
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
  [EMBEDDINGS]: 'embeddings',
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

/** Sorts the graph's inputs by what they are fed. @throws {FailureError} MODEL_UNAVAILABLE for an input that is unknown */
export function networkInputs(model: Model): NetworkInput[] {
  const inputs = model.inputs.filter((input) => !isKvCacheInput(input)).map(networkInput);
  const sources = inputs.filter(isSource);
  if (sources.length === 0) refuse('the network has no input "input_ids" and no "inputs_embeds"');
  if (sources.length > 1) refuse('the network takes token ids and embeddings at once');
  return inputs;
}

/** Whether an input carries what the sequence consists of. */
export function isSource({ role }: NetworkInput): boolean {
  return role === 'ids' || role === 'embeddings';
}

function networkInput(input: ValueInfo): NetworkInput {
  const role = ROLES[input.name];
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
