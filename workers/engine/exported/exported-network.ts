import type { Tensor } from '@huggingface/transformers';
import { likeliest } from '../../kernels/next-token.ts';
import {
  type KvCache,
  type Network,
  type NetworkAnswer,
  type NetworkRun,
  refuse,
  refuseUnchanged,
  tokensOf,
} from '../network.ts';
import type { LibraryModel, Transformers } from './library.ts';

/** The state of a network after some tokens: keys and values, and other tensors that it carries from token to token. */
interface DecoderState {
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** The encoder's output, of a network with one. */
  readonly encoded?: { readonly states: Tensor; readonly mask: Tensor };
  /** Ids that the decoder has read or generated. */
  readonly tokens: number;
}

/** Computes the logits of the given ids, `[1, rows, vocabulary]`, and the state after them. @param before  undefined: the ids begin a text */
export type TakeStep = (
  ids: Int32Array,
  before: DecoderState | undefined,
) => Promise<{ readonly logits: Tensor; readonly state: DecoderState }>;

/**
 * A network that transformers.js runs as it was exported: it computes logits of the next token only. A state continues from
 * its end only, because convolutional and recurrent states cannot be cut.
 */
export function exportedNetwork({
  step,
  shape,
  backend,
  release,
}: Pick<Network, 'shape' | 'backend' | 'release'> & { readonly step: TakeStep }): Network {
  const states = new WeakMap<KvCache, DecoderState>();
  const onDevice = countedTensors();
  const stateBefore = ({ cached }: NetworkRun): DecoderState | undefined => {
    if (!cached) return undefined;
    const state = states.get(cached.kvCache);
    if (!state || cached.tokens !== cached.kvCache.tokens)
      throw new RangeError('expected a whole state of this network that was not released');
    return state;
  };
  const keep = (state: DecoderState, run: NetworkRun): KvCache => {
    const kvCache: KvCache = {
      batch: 1,
      tokens: (run.cached?.tokens ?? 0) + tokensOf(run),
      release: () => {
        if (states.delete(kvCache)) onDevice.drop(state);
      },
    };
    states.set(kvCache, state);
    onDevice.hold(state);
    return kvCache;
  };
  return {
    shape,
    backend,
    async run(run): Promise<NetworkAnswer> {
      if (run.perturbation) refuseUnchanged(shape, 'attention controls');
      if (run.pooling || run.maxima || run.states) refuseUnchanged(shape, 'hidden states');
      if (run.targets || (run.rows ?? 1) > 1) refuseUnchanged(shape, 'ratings of given texts');
      if (run.batch !== 1 || run.lengths)
        throw new RangeError('a network that runs unchanged takes one text at a time');
      const { logits, state } = await step(run.ids, stateBefore(run));
      const values = Float32Array.from(logits.data as ArrayLike<number>);
      const last = values.slice(values.length - (logits.dims[2] ?? 0));
      if (!run.keepKvCache) onDevice.discard(state);
      return {
        ...(run.logits && { logits: last }),
        ...(run.likeliest && { likeliest: likeliestOf(last) }),
        ...(run.keepKvCache && { kvCache: keep(state, run) }),
      };
    },
    async embeddings() {
      refuseUnchanged(shape, 'contextual control');
      return new Float32Array(0);
    },
    release,
  };
}

/** Frees tensors on a GPU with the last state that holds them: the encoder's keys and values belong to all states after it. */
function countedTensors() {
  const holders = new Map<Tensor, number>();
  const onGpu = ({ tensors }: DecoderState) =>
    Object.values(tensors).filter(({ location }) => location === 'gpu-buffer');
  return {
    hold(state: DecoderState): void {
      for (const tensor of onGpu(state)) holders.set(tensor, (holders.get(tensor) ?? 0) + 1);
    },
    drop(state: DecoderState): void {
      for (const tensor of onGpu(state)) {
        const left = (holders.get(tensor) ?? 1) - 1;
        if (left > 0) holders.set(tensor, left);
        else {
          holders.delete(tensor);
          tensor.dispose();
        }
      }
    },
    /** Frees the tensors that no held state has. */
    discard(state: DecoderState): void {
      for (const tensor of onGpu(state)) if (!holders.has(tensor)) tensor.dispose();
    },
  };
}

/** Steps of a network of one graph. @param headSize  of keys, where graphs do not declare it; undefined: not known */
export function decoderSteps(library: Transformers, model: LibraryModel, headSize: number | undefined): TakeStep {
  const { integers, ones } = tensorsOf(library);
  const empty = emptyState(library, model, headSize);
  return async (ids, given) => {
    const before = given ?? empty;
    const tokens = (before?.tokens ?? 0) + ids.length;
    const outputs = await model.forward({
      input_ids: integers(ids),
      attention_mask: ones(tokens),
      num_logits_to_keep: new library.Tensor('int64', [1n], []), // of a long prompt all logits take as much memory as a small network
      ...(before && { past_key_values: before.tensors }),
    });
    return { logits: logitsOf(outputs), state: { tensors: stateIn(outputs, before), tokens } };
  };
}

/**
 * The state before the first token, where the graph leaves the length of a head open, as ONNX Runtime's builder does: the library
 * would take it for 0. undefined: the library makes it.
 */
function emptyState(
  { Tensor }: Transformers,
  { sessions }: LibraryModel,
  headSize: number | undefined,
): DecoderState | undefined {
  const inputs = (sessions['model']?.inputMetadata ?? []).filter(({ name }) => name.startsWith('past'));
  const isOpen = (axis: number | string) => typeof axis === 'string' && !/batch|past|sequence/.test(axis);
  if (headSize === undefined || !inputs.some(({ shape }) => shape?.some(isOpen))) return undefined;
  const tensors = inputs.map(({ name, type, shape = [] }) => {
    const axes = shape.map((axis) => {
      if (typeof axis === 'number') return axis;
      if (isOpen(axis)) return headSize;
      return axis.includes('batch') ? 1 : 0;
    });
    const count = axes.reduce((product, axis) => product * axis, 1);
    const isHalf = type === 'float16';
    const values = isHalf ? new Uint16Array(count) : new Float32Array(count);
    return [name, new Tensor(isHalf ? 'float16' : 'float32', values, axes)] as const;
  });
  return { tensors: Object.fromEntries(tensors), tokens: 0 };
}

/**
 * Steps of a network with an encoder and a decoder: the first ids are read by the encoder, the others by the decoder.
 *
 * @param suffix  special ids after the encoder's text
 * @param first   ids with which the decoder begins
 */
export function encoderDecoderSteps(
  library: Transformers,
  model: LibraryModel,
  { suffix, first }: Readonly<Record<'suffix' | 'first', readonly number[]>>,
): TakeStep {
  const { integers, ones } = tensorsOf(library);
  const decode = async (ids: Int32Array, before: DecoderState, encoded: NonNullable<DecoderState['encoded']>) => {
    const isFirst = Object.keys(before.tensors).length === 0;
    const outputs = await model.forward({
      encoder_outputs: encoded.states,
      attention_mask: encoded.mask,
      decoder_input_ids: integers(ids),
      ...(!isFirst && { past_key_values: before.tensors }),
    });
    const tensors = stateIn(outputs, isFirst ? undefined : before);
    return { logits: logitsOf(outputs), state: { tensors, encoded, tokens: before.tokens + ids.length } };
  };
  return async (ids, before) => {
    if (before?.encoded) return decode(ids, before, before.encoded);
    const read = Int32Array.from([...ids, ...suffix]);
    const encoded = { states: await encode(library, model, integers(read)), mask: ones(read.length) };
    return decode(Int32Array.from(first), { tensors: {}, tokens: 0 }, encoded);
  };
}

/** Runs the encoder alone; `forward` would read the prompt again for each token. */
async function encode({ Tensor }: Transformers, { sessions }: LibraryModel, ids: Tensor): Promise<Tensor> {
  const { model: session } = sessions;
  const mask = new Tensor('int64', new BigInt64Array(ids.size).fill(1n), ids.dims);
  const all: Readonly<Record<string, Tensor>> = { input_ids: ids, attention_mask: mask };
  const feeds = (session?.inputNames ?? []).map((name) => [name, all[name]?.ort_tensor] as const);
  const outputs = await session?.run(Object.fromEntries(feeds));
  const states: unknown = outputs?.['last_hidden_state'];
  if (states === undefined) refuse('onnx/encoder_model.onnx: expected the output "last_hidden_state", got none');
  return new Tensor(states as never);
}

/** Tensors of int64, `[1, length]`. */
function tensorsOf({ Tensor }: Transformers) {
  return {
    integers: (ids: Int32Array) => new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    ones: (tokens: number) => new Tensor('int64', new BigInt64Array(tokens).fill(1n), [1, tokens]),
  };
}

/**
 * The state in a step's outputs. The encoder's keys and values stay as they were: merged decoders return them once.
 *
 * @source transformers.js 4.3.1, models/modeling_utils.js, getPastKeyValues
 */
function stateIn(
  outputs: Readonly<Record<string, Tensor>>,
  before: DecoderState | undefined,
): Readonly<Record<string, Tensor>> {
  const entries = Object.entries(outputs).flatMap(([output, tensor]) => {
    const [, kind, rest] = /^present(_[a-z]+)?(.*)$/.exec(output) ?? [];
    if (rest === undefined) return [];
    const input = kind === undefined ? `past_key_values${rest}` : `past${kind}${rest}`;
    const earlier = input.includes('encoder') ? before?.tensors[input] : undefined;
    return [[input, earlier ?? tensor] as const];
  });
  return Object.fromEntries(entries);
}

/** As a row of `NetworkAnswer.likeliest`. */
function likeliestOf(logits: Float32Array): Float32Array {
  const { id, logProbability } = likeliest(logits);
  return Float32Array.of(id, logProbability);
}

function logitsOf({ logits }: Readonly<Record<string, Tensor>>): Tensor {
  if (logits === undefined) return refuse('the graph: expected the output "logits", got none');
  return logits.type === 'float32' ? logits : logits.to('float32');
}
