// @ts-check
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { giveUp, run } from '../../server/setup/dependencies.mjs';

/**
 * Prints the figures of the tree: `npm run structure`. A list is printed with its length. `npm run structure -- --shrink`
 * takes exceptions that are not needed any more from `test/architecture/allowed.json`.
 */
const [option] = process.argv.slice(2);
if (option === '--shrink') await shrink();
else if (option === undefined) await print();
else giveUp(`npm run structure: expected --shrink or nothing, got "${option}"`);

async function print() {
  /** @type {typeof import('./measure.ts')} */
  const { measureStructure } = await load('./test/structure/measure.ts');
  for (const [name, value] of Object.entries(measureStructure()))
    console.log(Array.isArray(value) ? `${name}: ${[value.length, ...value].join('\n  ')}` : `${name}: ${value}`);
}

async function shrink() {
  /** @type {typeof import('../architecture/allowed.ts')} */
  const { ALLOWED_FILE, readAllowed, shrunk } = await load('./test/architecture/allowed.ts');
  /** @type {typeof import('../architecture/source.ts')} */
  const { readApp } = await load('./test/architecture/source.ts');
  writeFileSync(ALLOWED_FILE, `${JSON.stringify(shrunk(readAllowed(), readApp()), null, 2)}\n`);
  run('npx', ['oxfmt', fileURLToPath(ALLOWED_FILE)]);
}

/** @param {string} path */
async function load(path) {
  const { module } = await runnerImport(path, { configFile: false, logLevel: 'error' });
  return /** @type {any} */ (module);
}
