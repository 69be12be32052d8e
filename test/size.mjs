// @ts-check
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DIST, buildAll } from '../server/setup/build.mjs';
import { ROOT } from '../server/setup/project.mjs';

/**
 * What the build may weigh. Limits stand about a tenth above what was measured on 2026-11-21, so that growth is a
 * decision: entry 97 kB (react-dom 60 of them), service 48 (validation 41 of them), charts 93, models page 17, inference worker 88,
 * documents worker 88 (a Docx reader with its XML parser), service worker 2, styles 9.5, models 14.1, 10.9
 * and 8.6 MB.
 *
 * @typedef {{ what: string, unit: 'kB' | 'MB' | 'files', limit: number, measured: () => number }} Budget
 */

buildAll();
const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((path) =>
  statSync(join(DIST, path)).isFile(),
);
const scripts = files.filter((path) => /\.m?js$/.test(path));
const entry = reachable(entryOf(readFileSync(join(DIST, 'index.html'), 'utf8')));

/** @type {readonly Budget[]} */
const BUDGETS = [
  { what: 'entry JavaScript, gzip', unit: 'kB', limit: 100, measured: () => kilobytes(entry) },
  { what: 'recharts in the entry', unit: 'files', limit: 0, measured: () => entry.filter(holdsCharts).length },
  {
    what: 'charts, loaded later, gzip',
    unit: 'kB',
    limit: 105,
    measured: () => kilobytes(scripts.filter(holdsCharts)),
  },
  {
    what: 'models page and its reader of Markdown, loaded later, gzip',
    unit: 'kB',
    limit: 19,
    measured: () => kilobytes(scripts.filter((path) => path.includes('/models-page-'))),
  },
  {
    what: 'inference worker, gzip',
    unit: 'kB',
    limit: 96,
    measured: () => kilobytes(workers('inference')),
  },
  {
    what: 'documents worker, gzip',
    unit: 'kB',
    limit: 98,
    measured: () => kilobytes(workers('documents')),
  },
  {
    what: 'service: router, validation, scheduler, gzip',
    unit: 'kB',
    limit: 52,
    measured: () => kilobytes(scripts.filter((path) => path === 'lightwell.js')),
  },
  {
    what: 'service worker, gzip',
    unit: 'kB',
    limit: 3,
    measured: () => kilobytes(scripts.filter((path) => path === 'service-worker.js')),
  },
  {
    what: 'styles, gzip',
    unit: 'kB',
    limit: 10,
    measured: () => kilobytes(files.filter((path) => path.endsWith('.css'))),
  },
  {
    what: 'WebAssembly',
    unit: 'files',
    limit: 1,
    measured: () => files.filter((path) => path.endsWith('.wasm')).length,
  },
  {
    what: 'lightwell-base, for /explain',
    unit: 'MB',
    limit: 15,
    measured: () => folderMegabytes('public/models/lightwell-base'),
  },
  {
    what: 'model lightwell-embed',
    unit: 'MB',
    limit: 12,
    measured: () => folderMegabytes('public/models/lightwell-embed'),
  },
  {
    what: 'model lightwell-reader',
    unit: 'MB',
    limit: 10,
    measured: () => folderMegabytes('public/models/lightwell-reader'),
  },
  {
    what: 'all models together',
    unit: 'MB',
    limit: 40,
    measured: () => folderMegabytes('public/models'),
  },
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
 * The script of a worker, and where the bundler splits it, of each part.
 *
 * @param {string} name
 */
function workers(name) {
  return scripts.filter((path) => path.includes(`${name}.worker-`));
}

/**
 * The scripts that a page loads before it shows anything; what it prefetches for later is none of them.
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
