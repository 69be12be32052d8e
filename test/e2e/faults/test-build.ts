import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** The page that services are tried in. */
export const HARNESS_PAGE = 'faults.html';

const SCRIPT = '<script src="./faults.js"></script>';

/**
 * Copies a built page and puts the switchboard in front of its scripts: a script of its own before the page's, lines ahead
 * of each worker's, and ONNX Runtime's module passed through it. Nothing of the product is built anew.
 *
 * @param dist  the built page
 * @param folder  where the test build is put; what lies there is removed
 */
export async function makeTestBuild(dist: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(dist, folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const [page, worker] = await Promise.all([bundled('page'), bundled('worker')]);
  const assets = join(folder, 'assets');
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(path, changed(path, readFileSync(path, 'utf8'), change));
  writeFileSync(join(folder, 'faults.js'), page);
  writeFileSync(join(folder, HARNESS_PAGE), `<!doctype html>\n<title>Faults</title>\n${SCRIPT}\n`);
  edit(join(folder, 'index.html'), (text) => text.replace('<script type="module"', `${SCRIPT}\n    $&`));
  for (const name of readdirSync(assets)) {
    if (/^(inference|documents)\.worker-.*\.js$/.test(name)) edit(join(assets, name), (text) => `${worker}\n${text}`);
    if (/^ort-wasm.*\.mjs$/.test(name)) edit(join(assets, name), watched);
  }
}

/** ONNX Runtime's module, told to the switchboard once it is there. Its threads load the same script, and have none. */
function watched(text: string): string {
  return text.replace(
    /export default (\w+);/,
    'export default (options) => $1(options).then((made) => globalThis.watchRuntime?.(made) ?? made);',
  );
}

function changed(path: string, text: string, change: (text: string) => string): string {
  const after = change(text);
  if (after === text) throw new Error(`${path}: found no place for the switchboard`);
  return after;
}

/** A part of the switchboard as one classic script. */
async function bundled(name: 'page' | 'worker'): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: join(import.meta.dirname, `switchboard/${name}.ts`), output: { format: 'iife' } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output.find(({ type }) => type === 'chunk') : undefined;
  if (chunk?.type !== 'chunk') throw new Error(`the switchboard's ${name} was not built`);
  return chunk.code;
}
