/**
 * Keeps hold of the WebAssembly memories that a runtime makes, to read how far they grew. WebAssembly memory never
 * shrinks, so its size is its peak. Import this before the runtime.
 */
const memories: WebAssembly.Memory[] = [];

const Original = WebAssembly.Memory;
WebAssembly.Memory = class extends Original {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    memories.push(this);
  }
};

/** Bytes of all WebAssembly memory that this thread has made. */
export function wasmBytes(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
