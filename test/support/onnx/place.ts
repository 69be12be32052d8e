import { inject } from 'vitest';
import { decodePicture } from '../../../workers/engine/images/image-reader.ts';
import type { LoadRuntime } from '../../../workers/engine/loading/load-model.ts';
import { decodeOwnPng } from '../files/png.ts';

/** Where a golden test runs. */
export interface Place {
  readonly backend: 'wasm' | 'webgpu';
  readonly browser: boolean;
  /** A sample of the cases runs here, because each costs seconds. `GOLDEN=all` runs them all. */
  readonly samples: boolean;
  /** Absolute paths on the machine that runs the tests. */
  readonly root: string;
  readonly data: string | null;
  /** Folder with graphs of families, see `make-families.py`. */
  readonly families: string | null;
  /** Whether the data holds folders that `make-hub-folders.py` has made. */
  readonly hasHubFolders: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly place: Place;
  }
}

/** Where this test runs. */
export const place: Place = inject('place');

/** The cases that run here: all of them, or the first `count` where this place runs a sample. */
export function casesHere<Case>(cases: readonly Case[], count: number): readonly Case[] {
  return place.samples ? cases.slice(0, count) : cases;
}

/**
 * ONNX Runtime for this place, and decoders of pictures. In Node the WebAssembly lies beside the script, and PNG files
 * are read that the tests wrote themselves. WebGPU is tested in the build for browsers without promise integration; the pages of
 * the end-to-end tests run it in the other one, and the tests on WebAssembly run both, in Node and in the browser.
 */
export async function testRuntime(): Promise<LoadRuntime> {
  if (place.browser) {
    if (place.backend === 'webgpu') Reflect.deleteProperty(WebAssembly, 'Suspending');
    const { browserRuntime } = await import('../../../workers/engine/session/browser-runtime.ts');
    return { ...browserRuntime(), decode: decodePicture };
  }
  const ort = await import('onnxruntime-web/webgpu');
  ort.env.wasm.numThreads = 1; // threads need the script as a file of its own, which Node's loader hides
  ort.env.logLevel = 'error';
  return { ort, threads: 1, threadReason: 'one thread in Node', decode: decodeOwnPng };
}

/** A file of this repository or of the data beside it, by its absolute path. */
export async function fileBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!place.browser) return new Uint8Array(await (await import('node:fs/promises')).readFile(path));
  const response = await fetch(`/@fs${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The file, or undefined where it does not exist. */
export async function fileBytesIfPresent(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return fileBytes(path).catch(() => undefined);
}
