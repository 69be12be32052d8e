import * as ort from 'onnxruntime-web/webgpu';
import type { LoadRuntime } from '../../workers/engine/loading/load-model.ts';
import type { Ort } from '../../workers/engine/session/session.ts';
import { wholeOf } from '../../workers/engine/session/tensor-data.ts';
import type { DecodedPicture, DecodePicture } from '../../workers/engine/images/image-reader.ts';
import type { ImageFormat, Square } from '../../src/protocol/model-job.ts';

/** ONNX Runtime of a thread. */
export interface RuntimeOptions {
  readonly threads: number;
  /** Addresses of the loader of ONNX Runtime's WebAssembly, and of the WebAssembly. */
  readonly wasmPaths: { readonly mjs: string; readonly wasm: string };
}

/** The functions of `onnxruntime-node` that are used. */
interface NativeRuntime extends Ort {
  /** Tells the package from others that are installed under its name. */
  readonly listSupportedBackends: () => unknown;
}

/** ONNX Runtime for a thread of Node: `onnxruntime-node` where it is installed beside this package, else WebAssembly. */
export async function openRuntime({ threads, wasmPaths }: RuntimeOptions): Promise<LoadRuntime> {
  ort.env.wasm.wasmPaths = wasmPaths;
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const native = await findNative();
  const threadReason = `${threads} for each worker${native ? ', onnxruntime-node' : ''}`;
  return { ort: native ? onProcessor(native, threads) : ort, threads, threadReason, decode: decodeFile };
}

async function findNative(): Promise<NativeRuntime | undefined> {
  const name = 'onnxruntime-node'; // not bundled: it holds machine code
  try {
    const found = (await import(name)) as Partial<NativeRuntime>;
    return found.listSupportedBackends ? (found as NativeRuntime) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The native runtime, whose name for the processor is another one than that of WebAssembly, and which takes whole files. */
function onProcessor({ Tensor, InferenceSession }: NativeRuntime, threads: number): Ort {
  const settings = { executionProviders: ['cpu'], intraOpNumThreads: threads };
  return {
    Tensor,
    InferenceSession: {
      create(model, options) {
        const externalData = options?.externalData?.map(withWholeData) ?? [];
        return InferenceSession.create(model, { ...options, ...settings, externalData });
      },
    },
  };
}

type ExternalFile = NonNullable<ort.InferenceSession.SessionOptions['externalData']>[number];

function withWholeData(file: ExternalFile): ExternalFile {
  if (typeof file === 'string' || !(file.data instanceof Uint8Array)) return file;
  return { path: file.path, data: wholeOf(file.data) };
}

/** Pixels, `[height, width, 4]`, as the codecs return them. */
interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

type Decoder = (bytes: ArrayBuffer) => Promise<Pixels>;

/** The class of the browser that the codecs construct, and Node lacks. */
class NodeImageData implements Pixels {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

/** The codecs of Squoosh, each loaded with its first picture. */
const DECODERS: Readonly<Record<ImageFormat, () => Promise<Decoder>>> = {
  PNG: async () => {
    const { init, decode } = await import('@jsquash/png/decode.js');
    await init(await compiled(await import('@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url&inline')));
    return decode;
  },
  JPEG: async () => {
    const { init, default: decode } = await import('@jsquash/jpeg/decode.js');
    await init(await compiled(await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url&inline')));
    return (bytes) => decode(bytes, { preserveOrientation: true });
  },
  WebP: async () => {
    const { init, default: decode } = await import('@jsquash/webp/decode.js');
    await init(await compiled(await import('@jsquash/webp/codec/dec/webp_dec.wasm?url&inline')));
    return decode;
  },
};

/** @param url  `data:` address of a module's bytes in base64 */
function compiled({ default: url }: { readonly default: string }): Promise<WebAssembly.Module> {
  return WebAssembly.compile(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}

const opened = new Map<ImageFormat, Promise<Decoder>>();

/** Decodes a picture as a browser does, without its colour profile. */
const decodeFile: DecodePicture = async (bytes, format) => {
  globalThis.ImageData ??= NodeImageData as unknown as typeof ImageData;
  const decoder = opened.get(format) ?? DECODERS[format]();
  opened.set(format, decoder);
  const decode = await decoder;
  try {
    const picture = await decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    return pictureOf(picture);
  } catch {
    return undefined; // what the codecs throw for a file that cannot be decoded: texts, numbers and errors
  }
};

function pictureOf(picture: Pixels): DecodedPicture {
  const { width, height } = picture;
  return { width, height, pixels: (square) => onWhite(picture, square), close: () => undefined };
}

/** A square of a picture on white, `[size, size, 4]`; what is outside the picture is white. */
function onWhite({ data, width, height }: Pixels, { x, y, size }: Square): Uint8ClampedArray {
  const square = new Uint8ClampedArray(4 * size * size).fill(255);
  for (let row = Math.max(0, -y); row < Math.min(size, height - y); row++)
    for (let column = Math.max(0, -x); column < Math.min(size, width - x); column++) {
      const from = 4 * ((y + row) * width + x + column);
      const to = 4 * (row * size + column);
      const alpha = (data[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel++)
        square[to + channel] = 255 + alpha * ((data[from + channel] ?? 0) - 255);
    }
  return square;
}
