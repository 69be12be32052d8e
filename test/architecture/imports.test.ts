import { describe, expect, it } from 'vitest';
import { folderOf, importRule, interfaceRule, libraryRule, workerUrlRule } from './imports.ts';
import { readApp, type Rule } from './source.ts';

/** What a rule says about one made-up file. */
const said = (rule: Rule, path: string, text: string): string[] => rule([{ path, text }]);

describe('imports', () => {
  const app = readApp();

  it('point one way', () => expect(importRule(app)).toEqual([]));
  it('name a worker in one file only', () => expect(workerUrlRule(app)).toEqual([]));
  it('reach the folders with an interface through it', () => expect(interfaceRule(app)).toEqual([]));
  it('of libraries stand in one folder', () => expect(libraryRule(app)).toEqual([]));
});

describe('folderOf', () => {
  it.each([
    ['src/pages/explain/result/bars.tsx', 'src/pages'],
    ['src/main.tsx', 'src/main.tsx'],
    ['workers/serving/serve.ts', 'workers'],
    ['workers/kernels/pooling.ts', 'workers/kernels'],
    ['src/stray.ts', undefined],
  ])('finds the folder of %s', (path, folder) => expect(folderOf(path)).toBe(folder));
});

describe('importRule', () => {
  it.each([
    [
      'a page that loads worker code',
      'src/scheduler/spawn.ts',
      "import { serve } from '../../workers/serving/serve.ts';",
    ],
    [
      'a page that loads it later',
      'src/parts/page.tsx',
      "const page = await import('../../workers/serving/serve.ts');",
    ],
    ['a worker that reads a store', 'workers/serving/serve.ts', "import { store } from '../../src/stores/store.ts';"],
    ['a worker that knows the router', 'workers/engine/run.ts', "import type { A } from '../../src/router/a.ts';"],
    ['a contract that knows the protocol', 'src/contract/a.ts', "import type { Job } from '../protocol/jobs.ts';"],
    ['a protocol that runs contract code', 'src/protocol/a.ts', "import { STATUS } from '../contract/failure.ts';"],
    ['a model catalogue that runs it', 'src/models/a.ts', "export { STATUS } from '../contract/failure.ts';"],
    ['a kernel that runs it', 'workers/kernels/a.ts', "import { STATUS } from '../../src/contract/failure.ts';"],
    ['a kernel that knows the engine', 'workers/kernels/a.ts', "import type { E } from '../engine/e.ts';"],
    ['a part that calls the client', 'src/parts/a.tsx', "import { embed } from '../client/client.ts';"],
    ['a page that names a type of the router', 'src/pages/a.tsx', "let a: import('../router/router.ts').Router;"],
    ['a store that schedules', 'src/stores/a.ts', "import { submit } from '../scheduler/scheduler.ts';"],
    ['a client that routes', 'src/client/a.ts', "export * from '../router/router.ts';"],
    ['a router that speaks to workers', 'src/router/a.ts', "import { transfer } from '../protocol/messages.ts';"],
    ['code that knows the composition root', 'src/app/a.tsx', "import '../main.tsx';"],
    ['code that reaches into tests', 'src/app/a.tsx', "import { fake } from '../../test/support/fake.ts';"],
    ['a server that routes', 'server/serve.ts', "import type { Router } from '../src/router/router.ts';"],
    ['a page that knows the server', 'src/bridge/a.ts', "import { isApi } from '../../server/bridge/bridge.ts';"],
    ['a file outside of every folder', 'src/stray.ts', ''],
  ])('refuses %s', (_name, path, text) => expect(said(importRule, path, text)).toHaveLength(1));

  it.each([
    ['types of the contract in a kernel', 'workers/kernels/a.ts', "import type { P } from '../../src/contract/p.ts';"],
    ['the same, marked name by name', 'src/protocol/a.ts', "import { type P } from '../contract/p.ts';"],
    ['a neighbour in the same folder', 'src/pages/explain/a.tsx', "import { b } from './result/b.tsx';"],
    ['types of jobs in the router', 'src/router/a.ts', "import type { EmbedJob } from '../protocol/jobs.ts';"],
    ['all folders in the composition root', 'src/service/a.ts', "import { route } from '../router/router.ts';"],
  ])('allows %s', (_name, path, text) => expect(said(importRule, path, text)).toEqual([]));
});

describe('interfaceRule', () => {
  it.each([
    ['workers/engine/loading/a.ts', "import { connectTo } from '../remote/connection.ts';"],
    ['workers/engine/loading/a.ts', "import type { Transformers } from '../exported/library.ts';"],
    ['server/export/a.ts', "const remote = await import('../../workers/engine/remote/remote-runtime.ts');"],
  ])('refuses in %s: %s', (path, text) => expect(said(interfaceRule, path, text)).toHaveLength(1));

  it.each([
    ['workers/engine/loading/a.ts', "const { openRemotely } = await import('../remote/open-remote.ts');"],
    ['workers/engine/remote/open-remote.ts', "import { connectTo } from './connection.ts';"],
  ])('allows in %s: %s', (path, text) => expect(said(interfaceRule, path, text)).toEqual([]));
});

describe('workerUrlRule', () => {
  const text = "new Worker(new URL('../../workers/inference.worker.ts', import.meta.url));";

  it('refuses a worker named outside spawn.ts', () =>
    expect(said(workerUrlRule, 'src/router/a.ts', text)).toHaveLength(1));
  it('allows it in spawn.ts', () => expect(said(workerUrlRule, 'src/scheduler/spawn.ts', text)).toEqual([]));
});

describe('libraryRule', () => {
  it.each([
    ['src/stores/a-store.ts', "import { useState } from 'react';"],
    ['src/explanations/a.ts', "import { useState } from 'react';"],
    ['src/pages/explain/a.tsx', "import { Bar } from 'recharts';"],
    ['src/pages/a.tsx', "import { createStore } from 'zustand/vanilla';"],
    ['src/pages/a.tsx', "import { useStore } from 'zustand/react';"],
    ['src/client/a.ts', "import { z } from 'zod';"],
    ['workers/kernels/a.ts', "import { Tensor } from 'onnxruntime-web/webgpu';"],
    ['workers/serving/serve.ts', "const t = await import('@huggingface/transformers');"],
    ['workers/engine/a.ts', "import { readFileSync } from 'node:fs';"],
    ['src/pages/a.tsx', "import { debounce } from 'lodash';"],
    ['src/protocol/frames.ts', "import { z } from 'zod';"],
    ['server/serve.ts', "import { WebSocketServer } from 'ws';"],
  ])('refuses in %s: %s', (path, text) => expect(said(libraryRule, path, text)).toHaveLength(1));

  it.each([
    ['src/pages/a.tsx', "import { useState } from 'react';"],
    ['src/parts/similarity/similarity-lines.tsx', "import { Line } from 'recharts';"],
    ['src/router/a.ts', "import { Hono } from 'hono';"],
    ['server/bridge/read-frame.ts', "import { z } from 'zod';"],
    ['server/bridge/a.ts', "import { WebSocketServer } from 'ws';"],
    ['server/serve.ts', "import { once } from 'node:events';"],
    ['workers/engine/a.ts', "import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';"],
  ])('allows in %s: %s', (path, text) => expect(said(libraryRule, path, text)).toEqual([]));
});
