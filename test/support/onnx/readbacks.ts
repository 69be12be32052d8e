/** Copies from a GPU to memory that the processor reads. */
interface Readbacks {
  readonly readbacks: number;
  readonly bytes: number;
}

/** Runs a task, and counts the buffers that are mapped for reading meanwhile in this thread, and their bytes. */
export async function watchReadbacks<Value>(
  task: () => Promise<Value>,
): Promise<{ readonly counted: Readbacks; readonly value: Value }> {
  let [readbacks, bytes] = [0, 0];
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = function (mode, offset, size) {
    if (mode & GPUMapMode.READ) {
      readbacks++;
      bytes += size ?? this.size - (offset ?? 0);
    }
    return mapAsync.call(this, mode, offset, size);
  };
  try {
    const value = await task();
    return { counted: { readbacks, bytes }, value };
  } finally {
    GPUBuffer.prototype.mapAsync = mapAsync;
  }
}

/** Runs a task, and counts the kernels that a GPU is told to run meanwhile by this thread. */
export async function watchKernels<Value>(
  task: () => Promise<Value>,
): Promise<{ readonly kernels: number; readonly value: Value }> {
  let kernels = 0;
  const { dispatchWorkgroups } = GPUComputePassEncoder.prototype;
  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...sizes) {
    kernels++;
    return dispatchWorkgroups.apply(this, sizes);
  };
  try {
    const value = await task();
    return { kernels, value };
  } finally {
    GPUComputePassEncoder.prototype.dispatchWorkgroups = dispatchWorkgroups;
  }
}
