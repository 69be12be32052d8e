import {
  floatsOfOutput,
  type GraphFiles,
  openSession,
  type Ort,
  type SessionDevice,
  type Tensor,
  runtimeQueue,
} from '../session/session.ts';
import { FailureError } from '../../../src/contract/failure.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { ElementType, isFloating } from '../codec/tensor-proto.ts';
import { decodeModel, type ValueInfo } from '../codec/model-proto.ts';
import { guardOf, releaseOnError } from '../device/guard.ts';

/** Turns a picture into rows of input embeddings. */
interface VisionEncoder {
  /** Rows of every picture. */
  readonly tokens: number;
  readonly width: number;
  /** Why it does not run on the requested GPU; left out where it does. */
  readonly refusal?: string;
  /** @param pixels float32 `[3, side, side]`  @returns `[tokens, width]` */
  encode(pixels: Float32Array): Promise<Float32Array>;
  release(): Promise<void>;
}

interface EncoderOptions {
  readonly ort: Ort;
  readonly files: GraphFiles;
  /** Width and height of its pictures, in pixels. */
  readonly side: number;
  readonly on: SessionDevice;
}

/** Largest difference between backends, as a share of 1 + the largest number. */
const PARITY = 1e-2;

/**
 * Opens `vision_encoder.onnx`. On a GPU its result for one picture is compared with WebAssembly's: where they differ, or
 * the GPU cannot open it, pictures are encoded on WebAssembly.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for a graph with inputs other than pictures of one size
 */
export async function openVisionEncoder(options: EncoderOptions): Promise<VisionEncoder> {
  const wasm = await openOn({ ...options, on: { kind: 'wasm' } });
  if (options.on.kind === 'wasm') return wasm.encoder;
  const gpu = await releaseOnError(wasm.encoder.release, () =>
    openOn(options).catch((error: unknown) => {
      if (error instanceof FailureError && error.failure.code === 'MODEL_UNAVAILABLE') return error.message;
      throw error;
    }),
  );
  if (typeof gpu === 'string') return { ...wasm.encoder, refusal: gpu };
  const { difference, limit, agrees } = compared(gpu.sample, wasm.sample, PARITY);
  await (agrees ? wasm : gpu).encoder.release();
  if (agrees) return gpu.encoder;
  const refusal = `WebGPU differs by ${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`;
  return { ...wasm.encoder, refusal };
}

/** @returns the encoder, and its result for a test picture */
async function openOn(options: EncoderOptions) {
  const { ort, side, on } = options;
  const { inputs, output } = signatureOf(options.files.model);
  const guard = guardOf(on.kind === 'webgpu' ? on.device : null);
  const session = await sessionOf(options, guard);
  const run = (pixels: Float32Array) =>
    runtimeQueue(() =>
      guard(async () => {
        const feeds = inputs.map((input) => [input.name, feedOf(ort, input, pixels, side)]);
        const fetched = await session.run(Object.fromEntries(feeds), [output]);
        const dimensions = fetched[output]?.dims ?? [];
        return { dimensions, rows: floatsOfOutput(output, await fetched[output]?.getData(true)) };
      }),
    );
  const release = () => runtimeQueue(() => session.release());
  try {
    const { width, rows } = await releaseOnError(release, async () => sampleOf(await run(testPicture(side))));
    const encode = async (pixels: Float32Array) => (await run(pixels)).rows;
    const encoder: VisionEncoder = { tokens: rows.length / width, width, encode, release };
    return { encoder, sample: rows };
  } catch (error) {
    if (error instanceof FailureError) throw error;
    return refuse(`ONNX Runtime cannot run it on ${on.kind}: ${String(error)}`);
  }
}

/** Not in `openOn`, whose functions stay with the encoder, and would keep the bytes of its file. */
function sessionOf({ ort, files, on }: EncoderOptions, guard: ReturnType<typeof guardOf>) {
  return runtimeQueue(() => guard(() => openSession(ort, files, on)));
}

/** The result for a picture. @throws {FailureError} MODEL_UNAVAILABLE where it does not consist of rows */
function sampleOf({ dimensions, rows }: { readonly dimensions: readonly number[]; readonly rows: Float32Array }) {
  const width = dimensions.at(-1) ?? 0;
  if (!(width > 0) || rows.length % width !== 0) refuse('the result is not rows of embeddings');
  return { width, rows };
}

type EncoderInput = Pick<ValueInfo, 'name' | 'dimensions'>;

/** Inputs are the picture and, with some exporters, a mask of its pixels; the result is named or the first of floats. */
function signatureOf(file: Uint8Array): { readonly inputs: readonly EncoderInput[]; readonly output: string } {
  const { inputs, outputs } = decodeModel(file);
  for (const { name, type } of inputs) {
    if (name !== 'pixel_values' && name !== 'pixel_attention_mask')
      refuse(`input "${name}" is not known; expected "pixel_values"`);
    if (name === 'pixel_values' && type !== ElementType.float32)
      refuse(`input "${name}" has ONNX element type ${type}, expected float32`);
  }
  const output = outputs.find(({ name }) => name === 'image_features') ?? outputs.find(({ type }) => isFloating(type));
  if (!inputs.some(({ name }) => name === 'pixel_values') || output === undefined)
    return refuse('expected "pixel_values" in and embeddings out');
  return { inputs: inputs.map(({ name, dimensions }) => ({ name, dimensions })), output: output.name };
}

/** `[images, 3, side, side]`, or with a further axis for the parts of a split image; nothing is masked. */
function feedOf(ort: Ort, { name, dimensions }: EncoderInput, pixels: Float32Array, side: number): Tensor {
  if (name === 'pixel_attention_mask')
    return new ort.Tensor('bool', new Uint8Array(side * side).fill(1), [1, 1, side, side]);
  return new ort.Tensor('float32', pixels, [...(dimensions?.length === 5 ? [1, 1] : [1]), 3, side, side]);
}

/** Slanted bands of different widths in the three channels, between −1 and 1. */
function testPicture(side: number): Float32Array {
  return Float32Array.from({ length: 3 * side * side }, (_, i) => {
    const [channel, y, x] = [Math.floor(i / (side * side)), Math.floor(i / side) % side, i % side];
    return Math.sin((x + 0.6 * y) / (3 + 2 * channel));
  });
}

function refuse(reason: string): never {
  throw new FailureError('MODEL_UNAVAILABLE', `vision_encoder: ${reason}`);
}
