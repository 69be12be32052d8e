import { FailureError } from '../../../../src/contract/failure.ts';
import type { BackendKind } from '../../../../src/protocol/model-job.ts';
import { differenceOf, magnitudeOf } from '../../../kernels/float-arrays.ts';
import { type Guard, guardOf } from '../../device/guard.ts';
import { orRelease } from '../../device/or-release.ts';
import { createPace, threadPulse } from '../../device/pulse.ts';
import type { Backend, Network, NetworkShape } from '../../network.ts';
import { openGpu } from '../gpu-device.ts';
import { runtimeQueue } from '../run-queue.ts';
import { announceOpening } from '../session.ts';
import { exportedNetwork } from './exported-network.ts';
import { openWriter, type Transformers, type WriterFolder } from './library.ts';
import type { OpenedSessions } from './opened-sessions.ts';
import { isPair } from './written-kinds.ts';
import { decoderSteps, type PairStart, pairSteps, type TakeStep } from './writer-steps.ts';

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
  /** Left out: WebAssembly. */
  readonly backend?: BackendKind | undefined;
  readonly threads: number;
  /** Left out: the library, which is loaded now. */
  readonly library?: Transformers;
}

/** How far a text in two steps may be off one in a single step, as a share of 1 + its largest logit. */
const TOLERANCE = { fp32: 1e-3, fp16: 5e-2, q4: 5e-2, q4f16: 5e-2, q8: Infinity } as const;

/** Ids that every vocabulary has. */
const TEXT = Int32Array.of(5, 9, 7, 11, 6);

/**
 * Opens a network that cannot be rewritten with transformers.js. Its steps pass a test: numbers, and the same ones whether a text
 * comes at once or its last token by itself.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with the library's own message, or with how far its numbers are off
 */
export async function openExported(options: ExportedOptions): Promise<Network> {
  const { backend: asked, keptBecause, config, threads, headSize } = options;
  const library = options.library ?? (await import('@huggingface/transformers'));
  const gpu = asked === 'webgpu' ? await openGpu() : undefined;
  if (asked === 'webgpu' && !gpu)
    throw new FailureError('MODEL_UNAVAILABLE', 'WebGPU was asked for, and this browser offers no adapter');
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
    const shape = await tested(step, options, provider.isPair);
    const { version } = library.env;
    const reason = `transformers.js ${version} runs the graph unchanged, on ${gpu ? `WebGPU (${gpu.description})` : 'WebAssembly'}`;
    const backend: Backend = { kind: provider.device, threads: gpu ? 1 : threads, reason };
    return exportedNetwork({ step, keptBecause, shape, backend, release });
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
): Promise<NetworkShape> {
  const whole = await step(TEXT, undefined);
  const vocabulary = whole.logits.dims[2] ?? 0;
  if (ids > vocabulary)
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `tokenizer.json: its ids go up to ${ids - 1}, and the network rates ${vocabulary}: the two are of different models`,
    );
  const logits = last(whole.logits.data as ArrayLike<number>, vocabulary);
  if (vocabulary === 0 || !logits.every(Number.isFinite))
    throw new FailureError('MODEL_UNAVAILABLE', 'its logits are no numbers');
  const carries = Object.keys(whole.state.tensors).length > 0;
  // What an encoder has read is not read again, so that there is nothing to compare.
  if (!pair && carries) {
    const begun = await step(TEXT.subarray(0, -1), undefined);
    const behind = await step(TEXT.subarray(-1), begun.state);
    const difference = differenceOf(last(behind.logits.data as ArrayLike<number>, vocabulary), logits);
    if (!(difference <= TOLERANCE[dtype] * (1 + magnitudeOf(logits))))
      throw new FailureError(
        'MODEL_UNAVAILABLE',
        `it computes wrong numbers: a text in two steps is off one in a single step by ${difference.toPrecision(2)}`,
      );
  }
  if (pair && !carries) throw new FailureError('MODEL_UNAVAILABLE', 'its decoder keeps no keys and values');
  return {
    ...{
      layers: 0,
      width: 0,
      vocabulary,
      contextTokens,
      showsLayers: false,
      showsAttention: false,
      sharesKvCache: carries,
      outputs: [],
    },
    ...{ takesPadding: false, takesPositions: false, takesTokenWeights: false, paddingId: 0, keptBecause },
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
