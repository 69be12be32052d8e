// @ts-check
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { provideChromium } from '../../test/support/browser/chromium.mjs';

/**
 * A page on which Lightwell and transformers.js each run the same model in a worker, with the same build of ONNX Runtime.
 *
 * @typedef {object} Beside
 * @property {string} name                            of the folder beside this file, and of the function that its page gives
 * @property {string | undefined} transformers         the unpacked package of another version
 * @property {(folder: string) => Promise<void>} writeModel
 */

/**
 * Builds and opens the page.
 *
 * @param {Beside} options
 * @param {(call: (...given: readonly unknown[]) => Promise<any>, folder: string) => Promise<void>} measure  calls the page's
 *   function, on a fresh page each time, so that no worker is left from the call before; `folder` is the model's address
 */
export async function beside({ name, transformers, writeModel }, measure) {
  const library = resolve(transformers ?? 'node_modules/@huggingface/transformers', 'dist/transformers.web.js');
  if (!existsSync(library)) throw new Error(`--transformers: expected the unpacked package, got no ${library}`);
  const outDir = `node_modules/.cache/lightwell-bench-${process.pid}`;
  const index = `bench/networks/${name}/index.html`;
  await build({
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: { [name]: index } } },
    resolve: { alias: aliases(library) },
    logLevel: 'error',
  });
  mkdirSync(join(outDir, 'made/random/onnx'), { recursive: true });
  await writeModel(join(outDir, 'made/random'));
  const server = await preview({ appType: 'mpa', build: { outDir }, preview: { port: 0 }, logLevel: 'error' });
  const url = server.resolvedUrls?.local[0] ?? '';
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
    const call = async (/** @type {readonly unknown[]} */ ...given) => {
      await page.goto(`${url}${index}`);
      await page.waitForFunction(`"${name}" in globalThis`);
      return page.evaluate(
        ([called, args]) => Reflect.get(globalThis, called)(...args),
        /** @type {[string, readonly unknown[]]} */ ([name, given]),
      );
    };
    await measure(call, `${url}made/random/`);
  } finally {
    await browser.close();
    await server.close();
    rmSync(outDir, { recursive: true });
  }
}

/** @param {string} library  the script of transformers.js */
function aliases(library) {
  const require = createRequire(import.meta.url);
  /** @param {string} name */
  const own = (name) => ({
    find: new RegExp(`^${name}$`),
    replacement: require.resolve(name).replace(/\.cjs$/, '.mjs'),
  });
  const runtime = resolve('node_modules/onnxruntime-web/dist/ort.webgpu.bundle.min.mjs');
  return [
    { find: '@huggingface/transformers', replacement: library },
    { find: /^onnxruntime-web\/webgpu$/, replacement: runtime },
    own('onnxruntime-common'),
  ];
}
