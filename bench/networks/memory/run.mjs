// @ts-check
import { runnerImport } from 'vite';

/** Prints how far ONNX Runtime's heap grows when a network is opened, over the bytes of its weights: `npm run bench -- memory`. */
/** @type {{ module: typeof import('./heap.ts') }} */
const { module } = await runnerImport('./bench/networks/memory/heap.ts');
const rows = await module.heapOf();
const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);
console.table(
  rows.map(({ weights, heap }) => ({
    'weights, MB': megabytes(weights),
    'heap, MB': megabytes(heap),
    ratio: (heap / weights).toFixed(2),
  })),
);
process.exit(0); // the runtime keeps the process
