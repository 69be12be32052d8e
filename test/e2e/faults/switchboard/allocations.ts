import { board, get, isFailing, set } from './board.ts';

/** Smaller arrays are countless, and have always been had. */
const SMALLEST_BYTES = 64 * 1024;

const PAGE_BYTES = 65_536;

type ArrayName = 'ArrayBuffer' | `${'Uint8' | 'Uint8Clamped' | 'Int32' | 'Float32' | 'Float64' | 'BigInt64'}Array`;
type ArrayConstructor = new (...given: unknown[]) => object;

const BYTES: Readonly<Record<ArrayName, number>> = {
  ArrayBuffer: 1,
  Uint8Array: 1,
  Uint8ClampedArray: 1,
  Int32Array: 4,
  Float32Array: 4,
  Float64Array: 8,
  BigInt64Array: 8,
};

/** Large arrays, WebAssembly's memory, and its compilation. */
export function watchAllocations(): void {
  for (const [name, bytes] of Object.entries(BYTES)) watchArray(name, bytes);
  const memories: WebAssembly.Memory[] = [];
  const note = () => {
    const bytes = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    if (get('worker') === board.worker) set('memoryPages', bytes / PAGE_BYTES);
  };
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, given: [WebAssembly.MemoryDescriptor]) {
      if (isFailing('WebAssembly memory: none'))
        throw new RangeError('WebAssembly.Memory(): could not allocate memory');
      const memory = new target(...given);
      memories.push(memory);
      note();
      return memory;
    },
  });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (isFailing('WebAssembly memory: does not grow'))
      throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
    const before = grow.call(this, pages);
    note();
    return before;
  };
  for (const name of ['instantiate', 'instantiateStreaming'] as const) {
    const original = WebAssembly[name];
    Reflect.set(WebAssembly, name, (...given: unknown[]): unknown =>
      isFailing('WebAssembly: does not compile')
        ? Promise.reject(new WebAssembly.CompileError('WebAssembly.instantiate(): out of memory'))
        : Reflect.apply(original, WebAssembly, given),
    );
  }
}

function watchArray(name: string, bytes: number): void {
  const original: ArrayConstructor = Reflect.get(globalThis, name);
  const watched: ArrayConstructor = new Proxy(original, {
    construct(target, given: unknown[], newTarget): object {
      const [length] = given;
      if (typeof length === 'number' && length * bytes >= SMALLEST_BYTES && isFailing('allocation of an array: none'))
        throw new RangeError('Array buffer allocation failed');
      return Reflect.construct(target, given, newTarget === watched ? target : newTarget) as object;
    },
  });
  Reflect.set(globalThis, name, watched);
  // Libraries look a type up by the constructor of its arrays.
  Reflect.set(original.prototype as object, 'constructor', watched);
}
