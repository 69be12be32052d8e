import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isOfOtherBuild, runtimeBuild, runtimeFile } from '../../../../src/protocol/page/runtime-builds.ts';

describe('the build of ONNX Runtime that a browser runs', () => {
  it.each([
    ['with promise integration', { WebAssembly: { Suspending: () => null } }, 'jspi'],
    ['without it', { WebAssembly: {} }, 'asyncify'],
    ['without WebAssembly', {}, 'asyncify'],
  ])('is, %s, its own', (_, browser, build) => {
    expect(runtimeBuild(browser)).toBe(build);
  });

  it('has two files of its names in the package', () => {
    for (const build of ['jspi', 'asyncify'] as const)
      for (const ending of ['mjs', 'wasm'] as const)
        expect(existsSync(`node_modules/onnxruntime-web/dist/${runtimeFile(build, ending)}`)).toBe(true);
  });

  it('is told from the other by the names in a site', () => {
    const path = 'assets/ort-wasm-simd-threaded.asyncify-CxOG5pUO.wasm';
    expect(isOfOtherBuild(path, 'jspi')).toBe(true);
    expect(isOfOtherBuild(path, 'asyncify')).toBe(false);
    expect(isOfOtherBuild('assets/ort.webgpu.bundle.min-hGsQGFd1.mjs', 'jspi')).toBe(false);
  });
});
