import type { Tensor } from '@huggingface/transformers';
import { FailureError } from '../../../../src/contract/failure.ts';
import type { Transformers, Writer } from './library.ts';

/** What a network keeps of the tokens before: keys and values, and whatever else it carries. */
export interface WriterState {
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** Of a network with an encoder: what it has read. */
  readonly reading?: { readonly states: Tensor; readonly mask: Tensor };
  /** Ids that the decoder has read or written. */
  readonly tokens: number;
}

/** Logits of each id that was given, `[ids, vocabulary]`, and the state behind them. */
export interface WriterStep {
  readonly logits: Tensor;
  readonly state: WriterState;
}

/** Goes on behind a state, or begins. */
export type TakeStep = (ids: Int32Array, before: WriterState | undefined) => Promise<WriterStep>;

/**
 * A network that reads and writes with one graph, whatever state that carries.
 *
 * @param headSize  length of a head's keys, for graphs that do not say it; undefined: not known
 */
export function decoderSteps(library: Transformers, writer: Writer, headSize: number | undefined): TakeStep {
  const { whole, ones } = tensorsOf(library);
  const nothing = nothingBefore(library, writer, headSize);
  return async (ids, given) => {
    const before = given ?? nothing;
    const tokens = (before?.tokens ?? 0) + ids.length;
    const outputs = await writer.forward({
      ...{ input_ids: whole(ids), attention_mask: ones(tokens), num_logits_to_keep: lastOnly(library) },
      ...(before && { past_key_values: before.tensors }),
    });
    return { logits: logitsOf(outputs), state: { tensors: carried(outputs, before), tokens } };
  };
}

/**
 * The state of a network that has read nothing, where its graph leaves the length of a head open, as ONNX Runtime's builder does: the
 * library would take it for 0. undefined: the library makes it.
 */
function nothingBefore(
  { Tensor }: Transformers,
  { sessions }: Writer,
  headSize: number | undefined,
): WriterState | undefined {
  const inputs = (sessions['model']?.inputMetadata ?? []).filter(({ name }) => name.startsWith('past'));
  const isOpen = (axis: number | string) => typeof axis === 'string' && !/batch|past|sequence/.test(axis);
  if (headSize === undefined || !inputs.some(({ shape }) => shape?.some(isOpen))) return undefined;
  const made = inputs.map(({ name, type, shape = [] }) => {
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
  return { tensors: Object.fromEntries(made), tokens: 0 };
}

/** How a network with an encoder is begun. */
export interface PairStart {
  /** Special ids behind what the encoder reads. */
  readonly suffix: readonly number[];
  /** Ids with which the decoder begins. */
  readonly first: readonly number[];
}

/** A network that reads with an encoder and writes with a decoder: what comes first is read, what comes behind is written. */
export function pairSteps(library: Transformers, writer: Writer, { suffix, first }: PairStart): TakeStep {
  const { whole, ones } = tensorsOf(library);
  const write = async (ids: Int32Array, before: WriterState, reading: NonNullable<WriterState['reading']>) => {
    const isFirst = Object.keys(before.tensors).length === 0;
    const outputs = await writer.forward({
      ...{ encoder_outputs: reading.states, attention_mask: reading.mask, decoder_input_ids: whole(ids) },
      ...(!isFirst && { past_key_values: before.tensors }),
    });
    const tensors = carried(outputs, isFirst ? undefined : before);
    return { logits: logitsOf(outputs), state: { tensors, reading, tokens: before.tokens + ids.length } };
  };
  return async (ids, before) => {
    if (before?.reading) return write(ids, before, before.reading);
    const read = Int32Array.from([...ids, ...suffix]);
    const reading = { states: await encoded(library, writer, whole(read)), mask: ones(read.length) };
    return write(Int32Array.from(first), { tensors: {}, tokens: 0 }, reading);
  };
}

/** The encoder alone; `forward` would read the prompt again for each token. */
async function encoded({ Tensor }: Transformers, { sessions }: Writer, ids: Tensor): Promise<Tensor> {
  const { model: session } = sessions;
  const mask = new Tensor('int64', new BigInt64Array(ids.size).fill(1n), ids.dims);
  const all: Readonly<Record<string, Tensor>> = { input_ids: ids, attention_mask: mask };
  const feeds = (session?.inputNames ?? []).map((name) => [name, all[name]?.ort_tensor] as const);
  const outputs = await session?.run(Object.fromEntries(feeds));
  const states: unknown = outputs?.['last_hidden_state'];
  if (states === undefined) throw broken('onnx/encoder_model.onnx', 'last_hidden_state');
  return new Tensor(states as never);
}

function tensorsOf({ Tensor }: Transformers) {
  return {
    /** int64 `[1, ids]`. */
    whole: (ids: Int32Array) => new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    ones: (tokens: number) => new Tensor('int64', new BigInt64Array(tokens).fill(1n), [1, tokens]),
  };
}

/** Logits of the last position: of a long prompt all of them take as much memory as a small network. */
function lastOnly({ Tensor }: Transformers): Tensor {
  return new Tensor('int64', [1n], []);
}

/**
 * The state behind a step. What an encoder gave stays as it was: merged decoders give it once.
 *
 * @source transformers.js 4.3.1, models/modeling_utils.js, getPastKeyValues
 */
function carried(
  outputs: Readonly<Record<string, Tensor>>,
  before: WriterState | undefined,
): Readonly<Record<string, Tensor>> {
  const kept = Object.entries(outputs).flatMap(([output, tensor]) => {
    const [, kind, rest] = /^present(_[a-z]+)?(.*)$/.exec(output) ?? [];
    if (rest === undefined) return [];
    const input = kind === undefined ? `past_key_values${rest}` : `past${kind}${rest}`;
    const earlier = input.includes('encoder') ? before?.tensors[input] : undefined;
    return [[input, earlier ?? tensor] as const];
  });
  return Object.fromEntries(kept);
}

function logitsOf({ logits }: Readonly<Record<string, Tensor>>): Tensor {
  if (logits === undefined) throw broken('the graph', 'logits');
  return logits.type === 'float32' ? logits : logits.to('float32');
}

function broken(file: string, output: string): FailureError {
  return new FailureError('MODEL_UNAVAILABLE', `${file}: expected the output "${output}", got none`);
}
