import { releaseOnError } from '../device/guard.ts';
import type { Network } from '../network.ts';
import { openGpu } from '../session/gpu-device.ts';
import type { Ort, SessionDevice } from '../session/session.ts';
import { createImageReader, type DecodePicture, type ImageReader, type VisionFiles } from './image-reader.ts';
import { openVisionEncoder } from './vision-encoder.ts';

/** ONNX Runtime, and the platform's decoders of pictures. */
export interface ImageRuntime {
  readonly ort: Ort;
  readonly decode: DecodePicture;
}

/** Opens the reader of a model's pictures with the first picture. @throws {FailureError} MODEL_UNAVAILABLE */
export type OpenImages = () => Promise<ImageReader>;

/**
 * Opens the image encoder on the network's own device with the first picture, so that texts need not wait for it. Its file
 * is fetched at once, after the files that texts need, so that pictures work offline later. After a failure the next picture
 * tries again.
 */
export function imagesOnDemand(
  { ort, decode }: ImageRuntime,
  { encoder: fetchEncoder, processor }: VisionFiles,
  network: Network,
): { readonly open: OpenImages; release(): Promise<void> } {
  const files = once(fetchEncoder);
  files().catch(() => undefined); // the first picture tries again, and reports the error
  let opened: ImageReader | undefined;
  const open = async () => {
    const fetched = await files().catch(files); // the fetch ahead of time may have failed while offline
    const gpu = network.backend.kind === 'webgpu' ? await openGpu() : undefined;
    const on: SessionDevice = gpu ? { kind: 'webgpu', device: gpu.device } : { kind: 'wasm' };
    const encoder = await openVisionEncoder({ ort, files: fetched, side: processor.side, on });
    if (encoder.refusal !== undefined) console.warn(`pictures are encoded on WASM: ${encoder.refusal}`);
    const create = async () => createImageReader(decode, processor, encoder, network.shape.width);
    opened = await releaseOnError(encoder.release, create);
    return opened;
  };
  return { open: once(open), release: async () => opened?.release() };
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
