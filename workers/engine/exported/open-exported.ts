import { runtimeQueue } from '../session/session.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import { shown } from '../../../src/contract/shown.ts';
import type { BackendKind } from '../../../src/protocol/model-job.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { attempt, createPassTimer, type Guard, guardOf, releaseOnError } from '../device/guard.ts';
import { type Network, type NetworkShape, refuse } from '../network.ts';
import { type Gpu, openGpu } from '../session/gpu-device.ts';
import { decoderSteps, encoderDecoderSteps, exportedNetwork, type TakeStep } from './exported-network.ts';
import { type LibraryFolder, openLibraryModel } from './library.ts';

/** The folder of a network that cannot be rewritten. */
export interface ExportedOptions extends LibraryFolder {
  /** `generation_config.json`, parsed. */
  readonly generation: object;
  /** Special ids after a text. */
  readonly suffix: readonly number[];
  readonly contextTokens: number;
  readonly headSize: number | undefined;
  /** Ids of the folder's tokenizer are below this; left out: not compared with the network. */
  readonly vocabulary?: number | undefined;
  /** Why the graph could not be rewritten. */
  readonly keptBecause: string;
  /** Left out: the faster one. */
  readonly backend?: BackendKind | undefined;
  readonly threads: number;
  readonly findGpu?: (() => Promise<Gpu | undefined>) | undefined;
}

/** Largest difference between a text in one step and in two, as a share of 1 + its largest logit. */
const TOLERANCE = { fp32: 1e-3, fp16: 5e-2, q4: 5e-2, q4f16: 5e-2, q8: Infinity } as const;

/** Largest difference between two devices, in the same measure. */
const PARITY = { fp32: 1e-2, fp16: 5e-2, q4: 5e-2, q4f16: 5e-2, q8: 0.25 } as const;

/** Ids that every vocabulary has. */
const TEXT = Int32Array.of(5, 9, 7, 11, 6);

/**
 * Opens a network that cannot be rewritten with transformers.js. Its steps are tested: logits are finite, and the same whether a
 * text comes at once or its last token by itself.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the library's own message, or with the difference of the logits
 */
export async function openExported(options: ExportedOptions): Promise<Network> {
  const { backend, dtype, findGpu = openGpu } = options;
  const openOnWasm = async () => (await openOn(options, undefined)).network;
  if (backend === 'wasm') return openOnWasm();
  // Dynamic int8 is made for processors, and its parity cannot be checked closely.
  if (backend === undefined && dtype === 'q8') return withReason(await openOnWasm(), 'dynamic int8 runs on processors');
  const gpu = await findGpu();
  if (backend === 'webgpu') {
    if (gpu) return (await openOn(options, gpu)).network;
    return refuse('WebGPU was asked for, and this browser offers no adapter');
  }
  if (!gpu) return withReason(await openOnWasm(), 'no WebGPU here');
  const whyNot = reasonAgainst(gpu, dtype);
  if (whyNot !== undefined) return withReason(await openOnWasm(), whyNot);
  const open = (kind: BackendKind) => openOn(options, kind === 'webgpu' ? gpu : undefined);
  return onFasterDevice(open, PARITY[dtype], gpu.description);
}

/** Why a GPU is not tried; undefined: it is. */
function reasonAgainst(gpu: Gpu, dtype: ExportedOptions['dtype']): string | undefined {
  if (gpu.isSoftware) return `the only GPU is software (${gpu.description})`;
  const isHalf = dtype === 'fp16' || dtype === 'q4f16';
  return isHalf && !gpu.device.features.has('shader-f16')
    ? `the GPU (${gpu.description}) offers no 16-bit floats`
    : undefined;
}

interface Tried {
  readonly network: Network;
  readonly logits: Float32Array;
  readonly stepMs: number;
}

/** @param gpu  undefined: WebAssembly */
async function openOn(options: ExportedOptions, gpu: Gpu | undefined): Promise<Tried> {
  const { threads, headSize, graphs } = options;
  const library = await import('@huggingface/transformers');
  const guard = guardOf(gpu?.device ?? null);
  const isPair = graphs.length > 1;
  const provider = {
    isPair,
    ...(gpu
      ? ({ device: 'webgpu', executionProvider: { name: 'webgpu', device: gpu.device } } as const)
      : ({ device: 'wasm', executionProvider: 'wasm' } as const)),
  };
  const { model, opened } = await openLibraryModel(library, options, guard, provider);
  const release = () => runtimeQueue(opened.release);
  return releaseOnError(release, async () => {
    const steps = isPair
      ? encoderDecoderSteps(library, model, { suffix: options.suffix, first: decoderStart(options) })
      : decoderSteps(library, model, headSize);
    const step = guarded(steps, guard, opened);
    const { shape, ...figures } = await tested(step, options, isPair);
    const { version } = library.env;
    const reason = `transformers.js ${version} runs the graph unchanged, on ${gpu ? `WebGPU (${gpu.description})` : 'WebAssembly'}`;
    const backend = { kind: provider.device, threads: gpu ? 1 : threads, reason };
    return { network: exportedNetwork({ step, shape, backend, release }), ...figures };
  });
}

/** Ids with which the decoder begins. @throws {FailureError} MODEL_UNAVAILABLE where the folder does not have them */
function decoderStart({ config, generation }: ExportedOptions): number[] {
  const idOf = (name: string): unknown => Reflect.get(generation, name) ?? Reflect.get(config, name);
  const start = idOf('decoder_start_token_id');
  const forced = idOf('forced_bos_token_id');
  if (typeof start !== 'number')
    return refuse(`config.json: decoder_start_token_id: expected an id, got ${shown(start)}`);
  return [start, ...(typeof forced === 'number' ? [forced] : [])];
}

/** One step at a time in this thread's ONNX Runtime; each announces how long it should take. */
function guarded(
  take: TakeStep,
  guard: Guard,
  { failure }: Awaited<ReturnType<typeof openLibraryModel>>['opened'],
): TakeStep {
  const timer = createPassTimer();
  return (ids, before) =>
    runtimeQueue(() =>
      timer.run(ids.length, () =>
        guard(() =>
          take(ids, before).catch((error: unknown) => {
            throw failure() ?? error; // the runtime's error says more than the library's
          }),
        ),
      ),
    );
}

async function tested(
  step: TakeStep,
  { dtype, contextTokens, keptBecause, vocabulary: ids = 0 }: ExportedOptions,
  isPair: boolean,
): Promise<Omit<Tried, 'network'> & { readonly shape: NetworkShape }> {
  const { logits: rows, state } = await step(TEXT, undefined);
  const vocabulary = rows.dims[2] ?? 0;
  if (ids > vocabulary)
    refuse(
      `tokenizer.json: its ids go up to ${ids - 1}, and the network rates ${vocabulary}: the two are of different models`,
    );
  const logits = lastRow(rows.data as ArrayLike<number>, vocabulary);
  if (vocabulary === 0 || !logits.every(Number.isFinite)) refuse('its logits are not numbers');
  const sharesKvCache = Object.keys(state.tensors).length > 0;
  if (isPair && !sharesKvCache) refuse('its decoder keeps no keys and values');
  // An encoder's text is not read again, so there is nothing to compare.
  if (!isPair && sharesKvCache) await checkSteps(step, logits, dtype);
  const shape = {
    layers: 0,
    width: 0,
    vocabulary,
    contextTokens,
    outputs: [],
    sharesKvCache,
    paddingId: 0,
    keptBecause,
    showsLayers: false,
    takesSteering: false,
    showsAttention: false,
    takesPadding: false,
    takesPositions: false,
  };
  return { shape, logits, stepMs: await timeOf(step, state) };
}

/** @throws {FailureError} MODEL_UNAVAILABLE where a text in two steps differs from one in a single step */
async function checkSteps(step: TakeStep, logits: Float32Array, dtype: ExportedOptions['dtype']): Promise<void> {
  const first = await step(TEXT.subarray(0, -1), undefined);
  const second = await step(TEXT.subarray(-1), first.state);
  const found = lastRow(second.logits.data as ArrayLike<number>, logits.length);
  const { difference, agrees } = compared(found, logits, TOLERANCE[dtype]);
  if (!agrees)
    refuse(
      `it computes wrong numbers: a text in two steps is off one in a single step by ${difference.toPrecision(2)}`,
    );
}

/** The shortest of a few steps: others may use the processor. */
async function timeOf(step: TakeStep, state: Awaited<ReturnType<TakeStep>>['state']): Promise<number> {
  const times: number[] = [];
  while (times.length < 3) {
    const startedMs = performance.now();
    await step(TEXT.subarray(-1), state);
    times.push(performance.now() - startedMs);
  }
  return Math.min(...times);
}

function lastRow(values: ArrayLike<number>, vocabulary: number): Float32Array {
  return Float32Array.from({ length: vocabulary }, (_, i) => values[values.length - vocabulary + i] ?? NaN);
}

/**
 * Opens a network on the device with the faster steps, if both compute the same. One is released before the other is opened,
 * because a network may fill half of the memory.
 *
 * @param parity  largest difference of their logits, as a share of 1 + the largest
 * @param gpu  the GPU's name
 * @throws {FailureError} MODEL_UNAVAILABLE with the fault of each, where it runs on neither
 */
export async function onFasterDevice(
  open: (kind: BackendKind) => Promise<Tried>,
  parity: number,
  gpu: string,
): Promise<Network> {
  const openAgain = async (reason: string) => withReason((await open('wasm')).network, reason);
  const wasm = await attempt(() => open('wasm'));
  if (!(wasm instanceof FailureError)) await wasm.network.release();
  const webgpu = await attempt(() => open('webgpu'));
  if (webgpu instanceof FailureError) {
    if (!(wasm instanceof FailureError)) return openAgain(`WebGPU was refused: ${webgpu.message}`);
    throw new FailureError(wasm.failure.code, `WASM: ${wasm.message}; WebGPU: ${webgpu.message}`);
  }
  if (wasm instanceof FailureError) return withReason(webgpu.network, `WASM was refused: ${wasm.message}`);
  const { difference, limit, agrees } = compared(webgpu.logits, wasm.logits, parity);
  const agreement = `results differ by ${difference.toPrecision(2)}`;
  const times = (one: Tried, other: Tried) =>
    `${one.stepMs.toFixed(1)} against ${other.stepMs.toFixed(1)} ms for a step`;
  if (agrees && webgpu.stepMs < wasm.stepMs)
    return withReason(webgpu.network, `WebGPU (${gpu}) against WASM: ${times(webgpu, wasm)}; ${agreement}`);
  await webgpu.network.release();
  if (agrees) return openAgain(`WASM against WebGPU (${gpu}): ${times(wasm, webgpu)}; ${agreement}`);
  return openAgain(`WebGPU (${gpu}) was refused: ${agreement}, at most ${limit.toPrecision(2)}`);
}

/** The same network, with a further reason for its backend. */
function withReason(network: Network, reason: string): Network {
  const { backend } = network;
  return { ...network, backend: { ...backend, reason: `${backend.reason}; ${reason}` } };
}
