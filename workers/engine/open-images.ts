import { openGpu } from './gpu-device.ts';
import type { ImageProcessor } from './image-processor.ts';
import { createImageReader, type DecodePicture, type ImageReader } from './image-reader.ts';
import type { Network } from './network.ts';
import type { Ort } from './runtime-types.ts';
import type { GraphFiles, SessionDevice } from './session.ts';
import { openVisionEncoder } from './vision-encoder.ts';

/** What a vision-language model has beside its decoder. */
export interface VisionFiles {
  readonly encoder: GraphFiles;
  readonly processor: ImageProcessor;
}

/** What pictures are read with: ONNX Runtime, and the platform's decoders. */
export interface ImageRuntime {
  readonly ort: Ort;
  readonly decode: DecodePicture;
}

/**
 * Opens the image encoder on the network's own device. Where it has to run elsewhere, the network's reason says so.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE; the network is released then
 */
export async function openImages(
  { ort, decode }: ImageRuntime,
  { encoder: files, processor }: VisionFiles,
  network: Network,
): Promise<{ readonly network: Network; readonly images: ImageReader }> {
  try {
    const gpu = network.backend.kind === 'webgpu' ? await openGpu() : undefined;
    const on: SessionDevice = gpu ? { kind: 'webgpu', device: gpu.device } : { kind: 'wasm' };
    const encoder = await openVisionEncoder({ ort, files, side: processor.side, on });
    const images = createImageReader(decode, processor, encoder, network.shape.width);
    if (encoder.refusal === undefined) return { network, images };
    const reason = `${network.backend.reason}; pictures are encoded on WASM: ${encoder.refusal}`;
    return { network: { ...network, backend: { ...network.backend, reason } }, images };
  } catch (error) {
    await network.release();
    throw error;
  }
}
