// @ts-check
import { runnerImport } from 'vite';

/** Prints the figures of the tree: `npm run structure`. */
const { module } = await runnerImport('./test/structure/measure.ts', { configFile: false, logLevel: 'error' });
const figures = /** @type {typeof import('./measure.ts')} */ (module).measureStructure();
for (const [name, value] of Object.entries(figures))
  console.log(`${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : value}`);
