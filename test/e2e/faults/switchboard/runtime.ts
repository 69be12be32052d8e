import { add, isFailing } from './board.ts';

/** As in `watchAllocations`. */
const SMALLEST_BYTES = 64 * 1024;

type Call = (...given: number[]) => unknown;

/** The part of ONNX Runtime's WebAssembly module that is watched. */
type RuntimeModule = Record<
  '_OrtCreateSession' | '_OrtReleaseSession' | '_OrtRun' | '_OrtRunWithBinding' | '_malloc',
  Call
>;

/** Sessions, runs, and the memory that ONNX Runtime's script takes for them. */
export function watchRuntime(module: RuntimeModule): RuntimeModule {
  const { _OrtCreateSession, _OrtReleaseSession, _OrtRun, _OrtRunWithBinding, _malloc } = module;
  const isHeld = (session: unknown) => {
    if (session !== 0) add('sessions', 1);
    return session;
  };
  module._OrtCreateSession = (...given) => {
    if (isFailing('session creation: throws')) throw new WebAssembly.RuntimeError('memory access out of bounds');
    const session = _OrtCreateSession(...given);
    return session instanceof Promise ? session.then(isHeld) : isHeld(session);
  };
  module._OrtReleaseSession = (...given) => {
    add('sessions', -1);
    return _OrtReleaseSession(...given);
  };
  const failing = (run: Call): Call => {
    return (...given) => {
      if (isFailing('run: throws')) throw new WebAssembly.RuntimeError('memory access out of bounds');
      return run(...given);
    };
  };
  module._OrtRun = failing(_OrtRun);
  module._OrtRunWithBinding = failing(_OrtRunWithBinding);
  module._malloc = (bytes = 0) =>
    bytes >= SMALLEST_BYTES && isFailing('allocation in WebAssembly: none') ? 0 : _malloc(bytes);
  return module;
}

declare global {
  // Called by the runtime's script in the test build.
  var watchRuntime: ((module: RuntimeModule) => RuntimeModule) | undefined;
}
