import { FailureError } from '../../../../src/contract/failure.ts';
import type { BackendKind } from '../../../../src/protocol/model-job.ts';
import { differenceOf, magnitudeOf } from '../../../kernels/float-arrays.ts';
import { type Guard, guardOf } from '../../device/guard.ts';
import { orRelease } from '../../device/or-release.ts';
import { createPace, threadPulse } from '../../device/pulse.ts';
import type { Backend, Network, NetworkShape } from '../../network.ts';
import { type Gpu, openGpu } from '../gpu-device.ts';
import { runtimeQueue } from '../run-queue.ts';
import { announceOpening } from '../session.ts';
import { exportedNetwork } from './exported-network.ts';
import { because, onFasterDevice, type Tried } from './faster-device.ts';
import { openWriter, type Transformers, type WriterFolder } from './library.ts';
import type { OpenedSessions } from './opened-sessions.ts';
import { isPair } from './written-kinds.ts';
import { decoderSteps, type PairStart, pairSteps, type TakeStep, type WriterState } from './writer-steps.ts';

/** What an unchanged network is opened from. */
export interface ExportedOptions extends WriterFolder {
  readonly generation: object;
  /** Special ids behind a text. */
  readonly suffix: readonly number[];
  readonly contextTokens: number;
  readonly headSize: number | undefined;
  /** Ids of the folder's tokenizer are below this; left out: not compared with the network. */
  readonly vocabulary?: number | undefined;
  /** Why the graph could not be rewritten. */
  readonly keptBecause: string;
  /** Left out: the device that takes its steps faster. */
  readonly backend?: BackendKind | undefined;
  readonly threads: number;
  /** Left out: the library, which is loaded now. */
  readonly library?: Transformers;
  /** Left out: this thread's. */
  readonly findGpu?: () => Promise<Gpu | undefined>;
}

/** How far a text in two steps may be off one in a single step, as a share of 1 + its largest logit. */
const TOLERANCE = { fp32: 1e-3, fp16: 5e-2, q4: 5e-2, q4f16: 5e-2, q8: Infinity } as const;

/** How far two devices may be apart, in the same measure. */
const PARITY = { fp32: 1e-2, fp16: 5e-2, q4: 5e-2, q4f16: 5e-2, q8: 0.25 } as const;

/** Ids that every vocabulary has. */
const TEXT = Int32Array.of(5, 9, 7, 11, 6);

/**
 * Opens a network that cannot be rewritten with transformers.js. Its steps pass a test: numbers, and the same ones whether a text
 * comes at once or its last token by itself.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the library's own message, or with how far its numbers are off
 */
export async function openExported(options: ExportedOptions): Promise<Network> {
  const { backend: asked, dtype, findGpu = openGpu } = options;
  if (asked === 'wasm') return (await openOn(options, undefined)).network;
  // Dynamic int8 is made for processors, and its parity cannot be checked closely.
  if (asked === undefined && dtype === 'q8')
    return because((await openOn(options, undefined)).network, 'dynamic int8 runs on processors');
  const gpu = await findGpu();
  if (asked === 'webgpu') {
    if (gpu) return (await openOn(options, gpu)).network;
    throw new FailureError('MODEL_UNAVAILABLE', 'WebGPU was asked for, and this browser offers no adapter');
  }
  const why = whyNot(gpu, dtype);
  if (!gpu || why !== undefined) return because((await openOn(options, undefined)).network, why ?? '');
  const open = (kind: BackendKind) => openOn(options, kind === 'webgpu' ? gpu : undefined);
  return onFasterDevice({ open, parity: PARITY[dtype], gpu: gpu.description });
}

/** Why a GPU is not tried; undefined: it is. */
function whyNot(gpu: Gpu | undefined, dtype: ExportedOptions['dtype']): string | undefined {
  if (!gpu) return 'no WebGPU here';
  if (gpu.isSoftware) return `the only GPU is software (${gpu.description})`;
  const isHalf = dtype === 'fp16' || dtype === 'q4f16';
  return isHalf && !gpu.device.features.has('shader-f16')
    ? `the GPU (${gpu.description}) offers no 16-bit floats`
    : undefined;
}

/** @param gpu  undefined: WebAssembly */
async function openOn(options: ExportedOptions, gpu: Gpu | undefined): Promise<Tried> {
  const { keptBecause, config, threads, headSize } = options;
  const library = options.library ?? (await import('@huggingface/transformers'));
  const guard = guardOf(gpu?.device ?? null);
  const provider = {
    ...({ device: gpu ? 'webgpu' : 'wasm', isPair: isPair(config) } as const),
    executionProvider: gpu ? { name: 'webgpu', device: gpu.device } : 'wasm',
  };
  const { writer, opened } = await runtimeQueue(() => {
    announceOpening(bytesOf(options));
    return guard(() => openWriter(library, options, provider));
  });
  const release = () => runtimeQueue(opened.release);
  return orRelease(release, async () => {
    const steps = provider.isPair
      ? pairSteps(library, writer, startOf(options))
      : decoderSteps(library, writer, headSize);
    const step = paced(steps, guard, opened);
    const { shape, ...figures } = await tested(step, options, provider.isPair);
    const { version } = library.env;
    const reason = `transformers.js ${version} runs the graph unchanged, on ${gpu ? `WebGPU (${gpu.description})` : 'WebAssembly'}`;
    const backend: Backend = { kind: provider.device, threads: gpu ? 1 : threads, reason };
    return { network: exportedNetwork({ step, keptBecause, shape, backend, release }), ...figures };
  });
}

function bytesOf({ graphs }: WriterFolder): number {
  const files = graphs.flatMap(({ model, external }) => [model, ...external.map(({ data }) => data)]);
  return files.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** One step at a time in this thread's ONNX Runtime; each says before how long it should take. */
function paced(take: TakeStep, guard: Guard, { failure }: OpenedSessions): TakeStep {
  const pace = createPace();
  return (ids, before) =>
    runtimeQueue(async () => {
      threadPulse.beat(pace.expected(ids.length));
      const startedMs = performance.now();
      const step = await guard(() =>
        take(ids, before).catch((error: unknown) => {
          throw failure() ?? error; // what the runtime says, not what the library makes of it
        }),
      );
      pace.measured(ids.length, performance.now() - startedMs);
      threadPulse.beat(0);
      return step;
    });
}

async function tested(
  step: TakeStep,
  { dtype, contextTokens, keptBecause, vocabulary: ids = 0 }: ExportedOptions,
  pair: boolean,
): Promise<Omit<Tried, 'network'> & { readonly shape: NetworkShape }> {
  const { logits: rows, state } = await step(TEXT, undefined);
  const vocabulary = rows.dims[2] ?? 0;
  if (ids > vocabulary)
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `tokenizer.json: its ids go up to ${ids - 1}, and the network rates ${vocabulary}: the two are of different models`,
    );
  const logits = last(rows.data as ArrayLike<number>, vocabulary);
  if (vocabulary === 0 || !logits.every(Number.isFinite))
    throw new FailureError('MODEL_UNAVAILABLE', 'its logits are no numbers');
  const carries = Object.keys(state.tensors).length > 0;
  if (pair && !carries) throw new FailureError('MODEL_UNAVAILABLE', 'its decoder keeps no keys and values');
  // What an encoder has read is not read again, so that there is nothing to compare.
  if (!pair && carries) await checkSteps(step, logits, dtype);
  return {
    shape: shapeOf({ vocabulary, contextTokens, carries, keptBecause }),
    logits,
    stepMs: await timeOf(step, state),
  };
}

/** @throws {FailureError} MODEL_UNAVAILABLE where a text in two steps is off one in a single step */
async function checkSteps(step: TakeStep, logits: Float32Array, dtype: ExportedOptions['dtype']): Promise<void> {
  const begun = await step(TEXT.subarray(0, -1), undefined);
  const behind = await step(TEXT.subarray(-1), begun.state);
  const difference = differenceOf(last(behind.logits.data as ArrayLike<number>, logits.length), logits);
  if (!(difference <= TOLERANCE[dtype] * (1 + magnitudeOf(logits))))
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `it computes wrong numbers: a text in two steps is off one in a single step by ${difference.toPrecision(2)}`,
    );
}

/** The shortest of a few steps: others may use the processor. */
async function timeOf(step: TakeStep, state: WriterState): Promise<number> {
  const times: number[] = [];
  while (times.length < 3) {
    const beganMs = performance.now();
    await step(TEXT.subarray(-1), state);
    times.push(performance.now() - beganMs);
  }
  return Math.min(...times);
}

function shapeOf({
  vocabulary,
  contextTokens,
  carries,
  keptBecause,
}: Pick<NetworkShape, 'vocabulary' | 'contextTokens'> &
  Pick<ExportedOptions, 'keptBecause'> & { carries: boolean }): NetworkShape {
  return {
    ...{
      layers: 0,
      width: 0,
      vocabulary,
      contextTokens,
      outputs: [],
      sharesKvCache: carries,
      paddingId: 0,
      keptBecause,
    },
    ...{
      showsLayers: false,
      showsAttention: false,
      takesPadding: false,
      takesPositions: false,
      takesTokenWeights: false,
    },
  };
}

function last(values: ArrayLike<number>, vocabulary: number): Float32Array {
  return Float32Array.from({ length: vocabulary }, (_, i) => values[values.length - vocabulary + i] ?? NaN);
}

/** @throws {FailureError} MODEL_UNAVAILABLE where the folder does not say how the decoder begins */
function startOf({ config, generation, suffix }: ExportedOptions): PairStart {
  const said = (name: string): unknown => Reflect.get(generation, name) ?? Reflect.get(config, name);
  const start = said('decoder_start_token_id');
  if (typeof start !== 'number')
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `config.json: decoder_start_token_id: expected an id, got ${JSON.stringify(start) ?? 'nothing'}`,
    );
  const forced = said('forced_bos_token_id');
  return { suffix, first: [start, ...(typeof forced === 'number' ? [forced] : [])] };
}
