import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runtimeBuild, runtimeFile } from '../../src/protocol/page/runtime-builds.ts';
import type { WorkerPort } from '../../src/scheduler/spawn.ts';
import { SITE } from '../site/static-files.ts';
import type { RuntimeOptions } from './node-runtime.ts';
import { rangeOf } from '../model-files.ts';

/** What a thread is started with. */
export interface ThreadData extends RuntimeOptions {
  readonly files: FilesByUrl;
}

/** The built thread: this file is as deep below the package's root as the bundle `build/server/lightwell.mjs`. */
const THREAD = join(import.meta.dirname, '../../build/server/thread.mjs');

/** Starts a thread that serves the jobs of the page's inference and documents workers. @param threads  of ONNX Runtime */
export function spawnThread(threads: number, files: FilesByUrl): Worker {
  return new Worker(THREAD, { workerData: { threads, files, wasmPaths: wasmPaths() } satisfies ThreadData });
}

/** A thread as the scheduler sees it. @param onEnd  called once when it has ended by itself */
export function portOfThread(thread: Worker, onEnd: () => void = () => undefined): WorkerPort {
  let isOver = false;
  const port: WorkerPort = {
    onmessage: null,
    onlost: null,
    postMessage: (message, transfer) => thread.postMessage(message, transfer as readonly ArrayBuffer[]),
    terminate() {
      isOver = true;
      void thread.terminate();
    },
  };
  const lose = (reason: string) => {
    if (isOver) return;
    isOver = true;
    onEnd();
    port.onlost?.(reason);
  };
  thread.on('message', (data: unknown) => port.onmessage?.(new MessageEvent('message', { data })));
  thread.on('messageerror', () => lose('a message from the thread could not be read'));
  thread.on('error', (error) => lose(String(error)));
  thread.on('exit', () => lose('the thread ended by itself'));
  return port;
}

/** The runtime's files of the built page, whose names have a hash. */
function wasmPaths(): RuntimeOptions['wasmPaths'] {
  const assets = join(SITE, 'assets');
  const names = readdirSync(assets);
  const at = (ending: 'mjs' | 'wasm') => {
    const start = runtimeFile(runtimeBuild(), ending).slice(0, -ending.length - 1);
    const name = names.find((each) => each.startsWith(`${start}-`) && each.endsWith(`.${ending}`));
    if (name === undefined) throw new Error(`${assets}: expected a file ${start}-*.${ending}, got none`);
    return pathToFileURL(join(assets, name)).href;
  };
  return { mjs: at('mjs'), wasm: at('wasm') };
}

/** Where the files of models are: absolute paths by address. */
export type FilesByUrl = ReadonlyMap<string, string>;

/** A `fetch` of `files` on this computer's disk, by ranges too; nothing is requested from a network. */
export function fetchFrom(files: FilesByUrl): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const path = files.get(request.url);
    const file = path === undefined ? undefined : await openAsBlob(path);
    if (file === undefined) return new Response(null, { status: 404, statusText: 'Not found' });
    const range = rangeOf(request.headers.get('range') ?? undefined, file.size);
    if (range === 'unsatisfiable') return new Response(null, { status: 416 });
    const part = range === 'all' ? file : file.slice(range.start, range.end);
    const body = request.method === 'HEAD' ? null : part.stream();
    return new Response(body, {
      status: range === 'all' ? 200 : 206,
      headers: { 'Content-Length': String(part.size) },
    });
  };
}
