// @ts-check
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { printChanges } from './changes.mjs';

/**
 * Prints how far ONNX Runtime's heap grows when a network is opened, over the bytes of its weights: `npm run bench -- memory`.
 * With `--models DIR` it prints the memory of the browser while a page changes between models instead.
 */
const { values } = parseArgs({ options: { models: { type: 'string' }, changes: { type: 'string', default: '20' } } });
if (values.models !== undefined) {
  await printChanges(values.models, Number(values.changes));
  process.exit();
}
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
