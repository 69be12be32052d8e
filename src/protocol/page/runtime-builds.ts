/**
 * The two builds of ONNX Runtime with WebGPU that a site holds. `jspi` suspends WebAssembly by JavaScript Promise Integration
 * (WebAssembly proposal js-promise-integration) and is a third smaller than `asyncify`, which is for browsers without it.
 */
type RuntimeBuild = 'jspi' | 'asyncify';

const NAME = 'ort-wasm-simd-threaded';

/** The build that this browser runs, in pages and in workers. */
export function runtimeBuild(browser: { readonly WebAssembly?: object } = globalThis): RuntimeBuild {
  return 'Suspending' in (browser.WebAssembly ?? {}) ? 'jspi' : 'asyncify';
}

/** Name of a build's WebAssembly, or of its loader, in ONNX Runtime's package. */
export function runtimeFile(build: RuntimeBuild, ending: 'mjs' | 'wasm'): string {
  return `${NAME}.${build}.${ending}`;
}

/** Whether a file of a site is of a build that a browser does not run. */
export function isOfOtherBuild(path: string, own: RuntimeBuild): boolean {
  return path.includes(`${NAME}.${own === 'jspi' ? 'asyncify' : 'jspi'}`);
}
