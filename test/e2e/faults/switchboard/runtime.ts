import { addSessions, isFailing } from './board.ts';

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
  const replace = (name: keyof RuntimeModule, by: (original: Call) => Call) => void (module[name] = by(module[name]));
  replace('_OrtCreateSession', counted);
  replace('_OrtReleaseSession', (release) => (...given) => {
    addSessions(-1);
    return release(...given);
  });
  for (const name of ['_OrtRun', '_OrtRunWithBinding'] as const)
    replace(name, (run) => (...given) => {
      if (isFailing('run: throws')) throw trap();
      return run(...given);
    });
  replace('_malloc', (allocate) => (bytes = 0) => {
    return bytes >= SMALLEST_BYTES && isFailing('allocation in WebAssembly: none') ? 0 : allocate(bytes);
  });
  return module;
}

function counted(create: Call): Call {
  const isHeld = (session: unknown) => {
    if (session !== 0) addSessions(1);
    return session;
  };
  return (...given) => {
    if (isFailing('session creation: throws')) throw trap();
    const session = create(...given);
    return session instanceof Promise ? session.then(isHeld) : isHeld(session);
  };
}

function trap(): Error {
  return new WebAssembly.RuntimeError('memory access out of bounds');
}

declare global {
  // Called by the runtime's script in the test build.
  var watchRuntime: ((module: RuntimeModule) => RuntimeModule) | undefined;
}
