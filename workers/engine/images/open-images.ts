import { orRelease } from '../device/or-release.ts';
import type { Network } from '../network.ts';
import { openGpu } from '../session/gpu-device.ts';
import type { Ort, GraphFiles, SessionDevice } from '../session/session.ts';
import type { ImageProcessor } from './image-processor.ts';
import { createImageReader, type DecodePicture, type ImageReader } from './image-reader.ts';
import { openVisionEncoder } from './vision-encoder.ts';

/** What a vision-language model has beside its decoder. */
export interface VisionFiles {
  /** Downloads the image encoder. @throws {FailureError} MODEL_UNAVAILABLE naming the URL */
  readonly encoder: () => Promise<GraphFiles>;
  readonly processor: ImageProcessor;
}

/** What pictures are read with: ONNX Runtime, and the platform's decoders. */
export interface ImageRuntime {
  readonly ort: Ort;
  readonly decode: DecodePicture;
}

/** Gives the reader of a model's pictures, opened with the first picture. @throws {FailureError} MODEL_UNAVAILABLE */
export type OpenImages = () => Promise<ImageReader>;

/**
 * Opens the image encoder on the network's own device with the first picture, so that texts need not wait for it. Its file
 * is fetched at once, after all that texts need, so that pictures work without a connection later. What fails is tried
 * again with the next picture.
 */
export function imagesOnDemand(
  runtime: ImageRuntime,
  vision: VisionFiles,
  network: Network,
): { readonly open: OpenImages; release(): Promise<void> } {
  const files = once(vision.encoder);
  files().catch(() => undefined); // the first picture tries again, and says why
  // A fetch ahead of time may have failed while offline.
  const fetched = () => files().catch(files);
  let opened: ImageReader | undefined;
  return {
    open: once(async () => {
      opened = await openReader(runtime, await fetched(), { processor: vision.processor, network });
      return opened;
    }),
    release: async () => opened?.release(),
  };
}

async function openReader(
  { ort, decode }: ImageRuntime,
  files: GraphFiles,
  { processor, network }: { readonly processor: ImageProcessor; readonly network: Network },
): Promise<ImageReader> {
  const gpu = network.backend.kind === 'webgpu' ? await openGpu() : undefined;
  const on: SessionDevice = gpu ? { kind: 'webgpu', device: gpu.device } : { kind: 'wasm' };
  const encoder = await openVisionEncoder({ ort, files, side: processor.side, on });
  if (encoder.refusal !== undefined) console.warn(`pictures are encoded on WASM: ${encoder.refusal}`);
  return orRelease(encoder.release, async () => createImageReader(decode, processor, encoder, network.shape.width));
}

/** Makes a value once; after a failure the next call tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
