// @ts-check
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DIST, buildAll } from '../server/setup/build.mjs';
import { ROOT } from '../server/setup/dependencies.mjs';

/**
 * What the build may weigh, a little above what was measured, so that growth is a decision. Of the entry react-dom is 60 kB, of
 * the service validation 25; the service is 63.0 kB since it serves the routes of OpenAI and lists models of a server, and the inference worker 115.2 since it
 * explains by deletion and plans passes for the device.
 *
 * @typedef {{ what: string, unit: 'kB' | 'MB' | 'files', limit: number, measured: () => number }} Budget
 */

buildAll();
const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((path) =>
  statSync(join(DIST, path)).isFile(),
);
const scripts = files.filter((path) => /\.m?js$/.test(path));
const entry = reachable(entryOf(readFileSync(join(DIST, 'index.html'), 'utf8')));

/**
 * What files of the build weigh on the way to a browser.
 *
 * @type {(what: string, limit: number, paths: () => readonly string[]) => Budget}
 */
const sent = (what, limit, paths) => ({
  what: `${what}, gzip`,
  unit: 'kB',
  limit,
  measured: () => kilobytes(paths()),
});

/** @type {(what: string, limit: number, paths: () => readonly string[]) => Budget} */
const count = (what, limit, paths) => ({ what, unit: 'files', limit, measured: () => paths().length });

/** @type {(what: string, limit: number, folder: string) => Budget} */
const models = (what, limit, folder) => ({
  what,
  unit: 'MB',
  limit,
  measured: () => folderMegabytes(join('public/models', folder)),
});

const BUDGETS = [
  count('scripts that import a worker’s own, which WebKit would run a second time', 0, () =>
    scripts.filter((path) =>
      /(from|import|import\() ?"\.\/[a-z-]+\.worker-/.test(readFileSync(join(DIST, path), 'utf8')),
    ),
  ),
  sent('entry JavaScript', 110, () => entry),
  count('recharts in the entry', 0, () => entry.filter(holdsCharts)),
  sent('charts, loaded later', 105, () => scripts.filter(holdsCharts)),
  sent('exports, loaded later', 20, () => scripts.filter((path) => /\/export-(dialog|files)-/.test(path))),
  sent('models page and its reader of Markdown, loaded later', 19, () => [
    ...named(scripts, '/models-page-'),
    ...named(scripts, '/markdown-tokens-'),
  ]),
  sent('inference worker, with what it imports at once', 116, () => reachable(named(scripts, 'inference.worker-'))),
  sent('transformers.js, loaded with the first model that runs as exported', 140, () =>
    named(scripts, '/transformers.web-'),
  ),
  sent('JSON of a schema, loaded with the first request for it', 25, () => named(scripts, '/constraint-')),
  sent('PDF reader in the page, loaded later', 155, () => named(scripts, '/pdf-library-')),
  sent('PDF worker, loaded later', 415, () => reachable(named(scripts, 'pdf.worker-'))),
  sent('page Meaning with its views, loaded later', 21, () =>
    scripts.filter((path) => /\/(meaning-page|map-view|matrix-view|sort-view|duplicates-view)-/.test(path)),
  ),
  sent('downloads worker, loaded with the first model that is fetched', 36, () =>
    reachable(named(scripts, 'downloads.worker-')),
  ),
  sent('models that somebody brings, loaded later', 10, () => named(scripts, '/own-models-')),
  sent('analysis worker', 40, () => reachable(named(scripts, 'analysis.worker-'))),
  sent('documents worker', 98, () => reachable(named(scripts, 'documents.worker-'))),
  sent('service: router, validation, scheduler', 64, () => scripts.filter((path) => path === 'lightwell.js')),
  count('scripts with validation beside the service', 0, () =>
    scripts.filter((path) => path !== 'lightwell.js' && /\b_zod\b/.test(readFileSync(join(DIST, path), 'utf8'))),
  ),
  sent('heat map, for other pages', 20, () => scripts.filter((path) => path === 'heat-map.js')),
  sent('scores of other tools, for other pages', 5, () => scripts.filter((path) => path === 'formats.js')),
  count('heat map or scores of other tools with imports', 0, () =>
    scripts.filter(
      (path) =>
        ['heat-map.js', 'formats.js'].includes(path) &&
        /(^|[;}])(import|export)[^;]*?from *["'`]|\bimport *[("'`]/.test(readFileSync(join(DIST, path), 'utf8')),
    ),
  ),
  sent('service worker', 4.4, () => scripts.filter((path) => path === 'service-worker.js')),
  sent('styles at the entry', 6, () => files.filter((path) => /\/start-[^/]*\.css$/.test(path))),
  sent('styles of all pages', 27, () => files.filter((path) => path.endsWith('.css'))),
  count('WebAssembly, of which a browser fetches one', 2, () => files.filter((path) => path.endsWith('.wasm'))),
  models('lightwell-base, for /explain', 15, 'lightwell-base'),
  models('model lightwell-embed', 22, 'lightwell-embed'),
  models('model lightwell-reader', 20, 'lightwell-reader'),
  models('all models together', 56, ''),
];

let isOver = false;
for (const { what, unit, limit, measured } of BUDGETS) {
  const value = measured();
  isOver ||= value > limit;
  console.log(
    `${what.padEnd(28)}${value.toFixed(1).padStart(8)} of ${limit} ${unit}${value > limit ? '   TOO MUCH' : ''}`,
  );
}
process.exit(isOver ? 1 : 0);

/**
 * Files with this in their path: a worker's has its name, also where the bundler splits it.
 *
 * @param {readonly string[]} paths
 * @param {string} part
 */
function named(paths, part) {
  return paths.filter((path) => path.includes(part));
}

/**
 * The scripts that a page loads before it shows anything; what it loads later is none of them.
 *
 * @param {string} html
 */
function entryOf(html) {
  const tags = [...html.matchAll(/<script [^>]+>|<link rel="modulepreload"[^>]+>/g)];
  return tags.flatMap(([tag]) => /(?:src|href)="\.?\/?([^"]+\.js)"/.exec(tag)?.[1] ?? []);
}

/**
 * These scripts and all they import at once; what is imported later, by `import()`, is left out.
 *
 * @param {readonly string[]} paths
 */
function reachable(paths) {
  const found = new Set(paths);
  for (const path of found) {
    const text = readFileSync(join(DIST, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) found.add(`assets/${name}`);
  }
  return [...found];
}

/**
 * Whether a script is made of recharts, told by the class names it writes.
 *
 * @param {string} path
 */
function holdsCharts(path) {
  return readFileSync(join(DIST, path), 'utf8').includes('recharts-surface');
}

/**
 * What files weigh on the way to a browser.
 *
 * @param {readonly string[]} paths  below dist
 */
function kilobytes(paths) {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(DIST, path))).length, 0) / 1000;
}

/** @param {string} folder */
function folderMegabytes(folder) {
  const path = join(ROOT, folder);
  if (!existsSync(path)) return 0;
  const sizes = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(path, name)));
  return sizes.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6;
}
