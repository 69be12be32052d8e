import { isFailing } from './board.ts';

/** Decoding of pictures, the canvas that they are read from, and the GPU. */
export function watchPictures(): void {
  const decode = globalThis.createImageBitmap.bind(globalThis) as (...given: unknown[]) => Promise<ImageBitmap>;
  Reflect.set(globalThis, 'createImageBitmap', async (...given: unknown[]) => {
    if (isFailing('picture: not decoded'))
      throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
    return decode(...given);
  });
  const { getContext } = OffscreenCanvas.prototype;
  Reflect.set(OffscreenCanvas.prototype, 'getContext', function (this: OffscreenCanvas, ...given: unknown[]): unknown {
    return isFailing('canvas: no context') ? null : Reflect.apply(getContext, this, given);
  });
  if (!('gpu' in navigator)) return;
  const { gpu } = navigator;
  const request = gpu.requestAdapter.bind(gpu);
  Reflect.set(gpu, 'requestAdapter', async (...given: [GPURequestAdapterOptions?]) => {
    if (isFailing('GPU adapter: rejects')) throw new DOMException('The GPU process was lost.', 'OperationError');
    return request(...given);
  });
}
