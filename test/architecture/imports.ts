import type { Rule } from './source.ts';
import { importsOf, urlsOf, type Import } from './syntax.ts';

/** What a folder may import of our own code; `types` vanish when types are erased. */
interface Imports {
  readonly values: readonly string[];
  readonly types?: readonly string[];
}

/** What pages and what they are made of may import besides each other. */
const SHARED = ['src/words', 'src/contract'];

/** Every allowed import between folders. A folder may always import from itself. */
const FOLDERS: Readonly<Record<string, Imports>> = {
  'src/main.tsx': {
    values: [
      'src/app',
      'src/pages',
      'src/stores',
      'src/client',
      'src/bridge',
      'src/service',
      'src/models',
      'src/protocol',
      ...SHARED,
    ],
  },
  'src/app': { values: ['src/pages', 'src/explanations', 'src/parts', 'src/stores', ...SHARED], types: ['src/client'] },
  'src/pages': {
    values: [
      'src/figures',
      'src/explanations',
      'src/parts',
      'src/stores',
      'src/files',
      'src/client',
      'src/pages/meaning/analysis-client.ts',
      'src/downloads',
      'src/models',
      ...SHARED,
    ],
    types: ['src/protocol', 'src/app'],
  },
  'src/figures': {
    values: ['src/explanations', 'src/formats', 'src/parts', 'src/stores', ...SHARED],
    types: ['src/files'],
  },
  'src/explanations': { values: ['src/stores', 'src/files', 'src/client', ...SHARED] },
  'src/parts': { values: ['src/stores', ...SHARED], types: ['src/client'] },
  // The types of all stores are known to each of them; the shell creates them.
  'src/stores': {
    values: ['src/models', ...SHARED],
    types: ['src/client', 'src/downloads', 'src/protocol', 'src/pages', 'src/app'],
  },
  'src/pages/meaning/analysis-client.ts': {
    values: ['src/scheduler', 'src/stores', 'src/contract'],
    types: ['src/protocol'],
  },
  'src/downloads': { values: ['src/scheduler', 'src/protocol', 'src/contract'], types: ['src/models'] },
  // What bounds and follows pdf.js runs where pdf.js runs.
  'src/files/pdf/guard': { values: [] },
  'src/files': { values: ['src/scheduler', 'src/contract', 'src/files/pdf/guard'], types: ['src/protocol'] },
  'src/words': { values: [] },
  'src/client': { values: ['src/contract'] },
  'src/service': {
    values: ['src/contract', 'src/models', 'src/router', 'src/scheduler'],
    types: ['src/protocol'],
  },
  'src/bridge': { values: ['src/fetching', 'src/contract', 'src/protocol'], types: ['src/router'] },
  'src/router': { values: ['src/contract', 'src/models'], types: ['src/protocol', 'src/scheduler'] },
  'src/scheduler': { values: ['src/protocol', 'src/models', 'src/contract'] },
  'src/protocol': { values: [], types: ['src/contract', 'src/models'] },
  'src/models': { values: [], types: ['src/contract'] },
  'src/contract': { values: [] },
  'src/formats': { values: ['src/contract'] },
  'src/fetching': { values: ['src/protocol'], types: ['src/models'] },
  'workers/operations': {
    values: [
      'workers/engine',
      'src/fetching',
      'workers/documents',
      'workers/kernels',
      'workers',
      'src/protocol',
      'src/models',
      'src/contract',
    ],
  },
  'workers/documents': { values: ['workers/kernels', 'src/contract'], types: ['src/protocol'] },
  'workers/engine': {
    values: ['workers/kernels', 'src/fetching', 'src/formats', 'src/protocol', 'src/models', 'src/contract'],
  },
  'workers/analysis': { values: ['workers/kernels', 'workers', 'src/contract'], types: ['src/protocol'] },
  'workers/downloads': {
    values: ['workers/operations', 'workers/engine', 'workers', 'src/fetching', 'src/protocol', 'src/contract'],
    types: ['src/models'],
  },
  'workers/kernels': { values: [], types: ['src/contract', 'src/protocol'] },
  // Scores as a file are drawn as the page draws them, without a page.
  'server/render': { values: ['src/figures', 'src/formats', 'src/explanations'] },
  // Exporting a model is rewriting it; the rest of the server knows no model.
  'server/export': { values: ['workers/engine', 'src/contract'] },
  // The services of the page on the platform of Node; `thread.ts` is the entry of the workers.
  'server/headless': {
    values: [
      'server',
      'src/client',
      'src/service',
      'src/models',
      'src/contract',
      'src/protocol',
      'workers',
      'workers/engine',
      'workers/operations',
    ],
    types: ['src/scheduler'],
  },
  server: {
    values: [
      'server/export',
      'server/headless',
      'server/render',
      'src/bridge',
      'src/client',
      'src/contract',
      'src/protocol',
    ],
    types: ['src/service'],
  },
  workers: {
    values: [
      'workers/operations',
      'workers/analysis',
      'workers/downloads',
      'workers/engine',
      'src/files/pdf/guard',
      'src/protocol',
      'src/models',
      'src/contract',
    ],
  },
};

/** Folders of which other code imports one file only. */
const INTERFACES: Readonly<Record<string, string>> = {
  'workers/engine/exported': 'workers/engine/exported/open-exported.ts',
  'workers/engine/remote': 'workers/engine/remote/open-remote.ts',
};

/** The other files of these folders may change without a look at the rest. */
export const interfaceRule: Rule = (files) =>
  files.flatMap((file) =>
    Object.entries(INTERFACES)
      .filter(([folder]) => !file.path.startsWith(`${folder}/`))
      .flatMap(([folder, entry]) =>
        importsOf(file)
          .filter(({ target }) => target?.startsWith(`${folder}/`) && target !== entry)
          .map(({ target }) => `${file.path}: may import ${entry}, not ${target}`),
      ),
  );

/** The one file that names a worker, by its URL. */
const SPAWN = 'src/scheduler/spawn.ts';

/** The folder of the table that a file is in: its longest prefix, or undefined. */
export function folderOf(path: string): string | undefined {
  const folders = Object.keys(FOLDERS).filter((folder) => path === folder || path.startsWith(`${folder}/`));
  return folders.toSorted((a, b) => b.length - a.length)[0];
}

/** Imports point one way: a folder imports what the table allows and nothing else. */
export const importRule: Rule = (files) =>
  files.flatMap((file) => {
    const folder = folderOf(file.path);
    if (folder === undefined) return [`${file.path}: expected to be in a folder of the table`];
    return importsOf(file)
      .filter((each) => each.target !== undefined && !isAllowed(folder, each))
      .map((each) => `${file.path}: ${folder} may not import ${each.isTypeOnly ? 'types of ' : ''}${each.target}`);
  });

function isAllowed(from: string, { target, isTypeOnly }: Import): boolean {
  const to = folderOf(target ?? '');
  const imports = FOLDERS[from];
  if (to === undefined || imports === undefined) return false;
  return to === from || imports.values.includes(to) || (isTypeOnly && (imports.types ?? []).includes(to));
}

/** The page never loads worker code into itself; it names a worker's URL, in one file. */
export const workerUrlRule: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('src/') && path !== SPAWN)
    .flatMap((file) =>
      urlsOf(file)
        .filter((url) => url.startsWith('workers/'))
        .map((url) => `${file.path}: only ${SPAWN} may name ${url}`),
    );

/** One library, one folder. A library that is not listed here is not used yet. */
const LIBRARIES: readonly (readonly [library: RegExp, files: RegExp])[] = [
  // Stores know no React: it is imported by components and hooks, and by what computes their styles.
  [/^(react|react-dom)(\/|$)/, /^src\/(main\.tsx$|(app|pages|figures|parts|stores)\/(?!.*(?<!\/use)-stores?\.ts$))/],
  [/^@ai-sdk\/openai-compatible$/, /^src\/client\/ai-sdk\.ts$/],
  [/^marked$/, /^src\/(files|pages\/models)\//],
  [/^(entities|htmlparser2)$/, /^src\/files\//],
  [/^pdfjs-dist(\/|$)/, /^(src\/files\/pdf\/|workers\/pdf\.worker\.ts$)/],
  [/^recharts$/, /^src\/parts\/similarity\/similarity-lines\.tsx$/],
  [/^zustand\/(vanilla|middleware)$/, /^src\/(app|pages|explanations|stores|parts)\/.*\.ts$/],
  [/^zustand\/react$/, /^src\/stores\/use-stores\.ts$/], // where stores meet React
  [/^(hono|zod)(\/|$)/, /^src\/(contract|router)\//],
  [/^zod$/, /^server\/bridge\/read-frame\.ts$/], // page and workers trust what sends to them, and load no check of frames
  [/^(minisearch|umap-js)$/, /^workers\/analysis\//],
  [/^(papaparse|hyparquet-writer)$/, /^src\/files\/table\//],
  [/^culori\/fn$/, /^src\/figures\/colours\.ts$/],
  [/^d3-polygon$/, /^src\/pages\/meaning\//],
  [/^sirv$/, /^server\/site\//],
  [/^ws$/, /^server\/bridge\//],
  [/^@modelcontextprotocol\/sdk\//, /^server\/headless\/mcp\//],
  [/^(prom-client|@jsquash\/(png|jpeg|webp)\/.*|onnxruntime-web\/webgpu)$/, /^server\/headless\//],
  [/^vite$/, /^server\/vite\//],
  [/^node:/, /^server\//],
  [/^@noble\/hashes(\/|$)/, /^src\/fetching\//],
  [/^mammoth(\/|$)/, /^workers\/documents\//],
  [/^(onnxruntime-web|@huggingface\/(transformers|tokenizers))(\/|$)/, /^workers\/engine\//],
  [/^@eslint-community\/regexpp$/, /^workers\/operations\/complete\/json\//],
  [/^@huggingface\/jinja$/, /^workers\/operations\/complete\//],
];

/** Replacing a library touches one folder. */
export const libraryRule: Rule = (files) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter(({ target, specifier }) => target === undefined && !mayUse(file.path, specifier))
      .map(({ specifier }) => `${file.path}: ${specifier} does not belong in this folder`),
  );

function mayUse(path: string, specifier: string): boolean {
  return LIBRARIES.some(([library, files]) => library.test(specifier) && files.test(path));
}
