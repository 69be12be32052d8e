import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { BRIDGE_ANNOUNCEMENT, BRIDGE_PATH } from '../../src/protocol/frames/frames.ts';
import { createBridgeServer, isApi } from '../bridge/bridge-server.ts';
import { DOWNLOADS_WORKER_HEADERS, PAGE_HEADERS } from '../../src/protocol/page/headers.ts';
import { SITE_LIST, type SiteFile, type SiteFiles } from '../../src/protocol/page/site-files.ts';

const COMPRESSIBLE = /\.(css|html|js|json|md|mjs|onnx|svg|txt|wasm)$/;

/** A compressed file is kept only where it is at most this share of the whole: else decompressing costs more than it saves. */
const WORTHWHILE = 0.95;

/** Above this size Brotli's slow levels take minutes: level 9 takes the runtime's 27 MB from 4.76 to 4.63 MB, in thrice the time. */
const LARGE_BYTES = 2 ** 22;

interface Coding {
  readonly ending: string;
  /** Names level and window, so that a change of them misses the cache. */
  readonly name: (byteCount: number) => string;
  readonly compress: (content: Buffer) => Promise<Buffer>;
}

const CODINGS: readonly Coding[] = [
  {
    ending: '.br',
    name: (byteCount) => `br-${levelOf(byteCount)}`,
    compress: (content) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: levelOf(content.length),
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  { ending: '.gz', name: () => 'gz-9', compress: (content) => promisify(gzip)(content, { level: 9 }) },
];

/** Writes `.br` and `.gz` beside files below `folder` that shrink by 5 %. @param cache  keeps results by their hash */
export async function precompress(folder: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => COMPRESSIBLE.test(each))) await precompressFile(join(folder, name), cache);
}

async function precompressFile(path: string, cache: string): Promise<void> {
  const content = await readFile(path);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const write = async ({ ending, name, compress }: Coding) => {
    const kept = join(cache, `${hash}-${name(content.length)}`);
    if (!existsSync(kept)) await writeWhole(kept, await worthwhile(content, compress));
    const { length } = await readFile(kept);
    if (length > 0) await copyFile(kept, `${path}${ending}`);
  };
  await Promise.all(CODINGS.map(write)); // on threads of their own
}

/** The compressed content, or nothing where it gains too little; that is remembered too. */
async function worthwhile(content: Buffer, compress: Coding['compress']): Promise<Buffer> {
  const compressed = await compress(content);
  return compressed.length <= WORTHWHILE * content.length ? compressed : Buffer.alloc(0);
}

/** In one step, so that a build that is broken off leaves no half file for the next one. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}

function levelOf(byteCount: number): number {
  return byteCount > LARGE_BYTES ? 7 : 9;
}

/** The server's bridge in the development server: `/api` and `/v1` work while a tab of it is open. */
export function bridgeInDevelopment(): Plugin {
  return {
    name: 'lightwell:bridge-in-development',
    configureServer(server) {
      const { middlewares, httpServer } = server;
      if (httpServer === null) return; // it is part of another server, which has the sockets
      const bridge = createBridgeServer({ pageUrl: () => server.resolvedUrls?.local[0] ?? 'the page' }); // known once it listens
      middlewares.use((request, response, next) => {
        if (isApi(request.url ?? '')) return bridge.answer(request, response);
        response.setHeader('Server-Timing', BRIDGE_ANNOUNCEMENT);
        next();
      });
      // Hot reload has a socket of its own on the same server.
      httpServer.on('upgrade', (request, socket, head) => {
        if (request.url === BRIDGE_PATH) bridge.upgrade(request, socket, head);
      });
      httpServer.on('close', bridge.close);
    },
  };
}

/** The browser keeps the service worker's script itself; compressed copies are of no use after a download. */
const LEFT_OUT = new RegExp(`^(service-worker\\.js|${SITE_LIST.replace('.', '\\.')})$|\\.(br|gz)$`);

/** Writes the list of a build's files into its folder, for pages that keep them. */
export async function listSiteFiles(folder: string): Promise<void> {
  await writeFile(join(folder, SITE_LIST), JSON.stringify(siteFilesOf(folder)));
}

/** The list of the files in a folder. The same files give the same version. */
export function siteFilesOf(folder: string): SiteFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path));
  const files = Object.fromEntries(paths.toSorted().map((path) => [path, factsOf(readFileSync(join(folder, path)))]));
  const headers = sha256(JSON.stringify([PAGE_HEADERS, DOWNLOADS_WORKER_HEADERS])).slice(0, 8);
  return { version: sha256(JSON.stringify({ headers, files })), headers, files };
}

function factsOf(content: Buffer): SiteFile {
  return [content.length, sha256(content)];
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Takes ONNX Runtime's build for Node, in which its WebAssembly may have threads, in place of the one for browsers. Both run the
 * same WebAssembly.
 *
 * @param name  of the environment whose code runs in Node
 */
export function runtimeForNode(name: string): Plugin {
  return {
    name: 'lightwell:runtime-for-node',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === name,
    resolveId: (id) => (id === 'onnxruntime-web/webgpu' ? join(dirname(RUNTIME), 'ort.node.min.mjs') : undefined),
  };
}

const RUNTIME = createRequire(import.meta.url).resolve('onnxruntime-web');

/** How Vite writes the address of a worker where the base is relative. */
const WRAPPED =
  /new URL\(new URL\((["'`])([^"'`]+)\1,\s*import\.meta\.url\)\.href,\s*(["'`])\3\s*\+\s*import\.meta\.url\)/g;

/** Writes worker addresses as `new URL("…", import.meta.url)`, the one form that every bundler finds. */
export function plainWorkerUrls(): Plugin {
  return {
    name: 'lightwell:plain-worker-urls',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk')
          output.code = output.code.replace(WRAPPED, (_whole, _quote, path: string) => {
            const relative = path.startsWith('.') ? path : `./${path}`;
            return `new URL(${JSON.stringify(relative)},import.meta.url)`;
          });
    },
  };
}

/** Facts about the modules of a build. */
export type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/**
 * Name of the one chunk for all modules that the page loads at its start, and nothing but the page does; null for any other
 * module. Without it each set of modules that a later chunk shares with the start is a chunk of its own, and the start takes
 * more requests and more bytes.
 *
 * @param page  id of the page's own entry
 */
export function startChunk(page: string): (id: string, modules: Modules) => string | null {
  return (id, modules) => {
    const entries = entriesOver(id, modules);
    return id !== page && entries.length === 1 && entries[0] === page ? 'start' : null;
  };
}

/**
 * The same of a worker, which is the one entry of its build. Nothing may import a worker's own script: WebKit keeps it apart from
 * modules, and would run it a second time.
 */
export function workerStartChunk(id: string, modules: Modules): string | null {
  const [entry] = entriesOver(id, modules);
  return entry !== undefined && id !== entry ? 'worker-start' : null;
}

/** Entries that import a module at once, by themselves or through others. */
function entriesOver(id: string, modules: Modules): string[] {
  const above = new Set([id]);
  for (const one of above) for (const importer of modules.getModuleInfo(one)?.importers ?? []) above.add(importer);
  return [...above].filter((one) => modules.getModuleInfo(one)?.isEntry);
}
