import type { Rule } from './source.ts';
import { importsOf, urlsOf, type Import } from './syntax.ts';

/** What a room may import of our own code; `types` are names that vanish when the types are erased. */
interface Room {
  readonly values: readonly string[];
  readonly types?: readonly string[];
}

/** Every arrow that exists; docs/architecture.md has the same table. A room always sees itself. */
const ROOMS: Readonly<Record<string, Room>> = {
  'src/main.tsx': {
    values: [
      ...['src/ui', 'src/state', 'src/client', 'src/bridge', 'src/service', 'src/models', 'src/contract'],
      ...['src/protocol', 'src/models/keeping'],
    ],
  },
  'src/ui': {
    values: ['src/state', 'src/files', 'src/models/keeping', 'src/words', 'src/contract'],
    types: ['src/models', 'src/protocol'],
  },
  'src/state': {
    values: [
      ...['src/client', 'src/analysis', 'src/models', 'src/models/keeping', 'src/files', 'src/words', 'src/contract'],
    ],
    types: ['src/protocol'],
  },
  'src/analysis': { values: ['src/scheduler'], types: ['src/protocol'] },
  'src/models/keeping': { values: ['src/scheduler', 'src/protocol'], types: ['src/models'] },
  'src/files': { values: ['src/scheduler', 'src/contract'], types: ['src/protocol'] },
  'src/words': { values: [] },
  'src/client': { values: ['src/contract'] },
  'src/service': {
    values: ['src/contract', 'src/models', 'src/router', 'src/scheduler'],
    types: ['src/protocol'],
  },
  'src/bridge': { values: ['src/contract', 'src/protocol'], types: ['src/router'] },
  'src/router': { values: ['src/contract', 'src/models'], types: ['src/protocol', 'src/scheduler'] },
  'src/scheduler': { values: ['src/protocol', 'src/models', 'src/contract'] },
  'src/protocol': { values: [], types: ['src/contract', 'src/models'] },
  'src/models': { values: [], types: ['src/contract'] },
  'src/contract': { values: [] },
  'workers/operations': {
    values: ['workers/engine', 'workers/documents', 'workers/kernels', 'src/protocol', 'src/models', 'src/contract'],
  },
  'workers/documents': { values: ['workers/kernels', 'src/contract'], types: ['src/protocol'] },
  'workers/engine': { values: ['workers/kernels', 'src/protocol', 'src/models', 'src/contract'] },
  'workers/analysis': { values: ['workers/kernels', 'workers'], types: ['src/protocol'] },
  'workers/keeping': {
    values: ['workers/operations', 'workers/engine', 'workers', 'src/protocol', 'src/contract'],
    types: ['src/models'],
  },
  'workers/kernels': { values: [], types: ['src/contract', 'src/protocol'] },
  // Exporting a model is rewriting it; the rest of the server knows no model.
  'server/export': { values: ['workers/engine', 'src/contract'] },
  server: { values: ['server/export', 'src/client', 'src/contract', 'src/protocol'] },
  workers: { values: ['workers/operations', 'workers/engine', 'src/protocol', 'src/models', 'src/contract'] },
};

/** The one file that names a worker, by its URL. */
const SPAWN = 'src/scheduler/spawn.ts';

/** The room a file lies in: its longest prefix in the table, or undefined for a file outside every room. */
export function roomOf(path: string): string | undefined {
  const rooms = Object.keys(ROOMS).filter((room) => path === room || path.startsWith(`${room}/`));
  return rooms.toSorted((a, b) => b.length - a.length)[0];
}

/** Imports point one way: each room sees what the table says and nothing else. */
export const roomRule: Rule = (files) =>
  files.flatMap((file) => {
    const room = roomOf(file.path);
    if (room === undefined) return [`${file.path}: lies in no room`];
    return importsOf(file)
      .filter((each) => each.target !== undefined && !isAllowed(room, each))
      .map((each) => `${file.path}: ${room} may not import ${each.isTypeOnly ? 'types of ' : ''}${each.target}`);
  });

function isAllowed(from: string, { target, isTypeOnly }: Import): boolean {
  const to = roomOf(target ?? '');
  const room = ROOMS[from];
  if (to === undefined || room === undefined) return false;
  return to === from || room.values.includes(to) || (isTypeOnly && (room.types ?? []).includes(to));
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

/** The check of frames, which brings its validation along; the page and its workers trust what sends to them. */
const FRAME_SCHEMA = 'src/protocol/frames/frame-schema.ts';

/** Neither page nor worker loads what only the server needs. */
export const frameSchemaRule: Rule = (files) =>
  files
    .filter(({ path }) => !path.startsWith('server/'))
    .filter((file) => importsOf(file).some(({ target }) => target === FRAME_SCHEMA))
    .map(({ path }) => `${path}: only the server may import ${FRAME_SCHEMA}`);

/** One library, one room. A library that is not listed here belongs to no room yet. */
const LIBRARIES: readonly (readonly [library: RegExp, rooms: RegExp])[] = [
  [/^(react|react-dom)(\/|$)/, /^src\/(ui\/|main\.tsx$)/],
  [/^marked$/, /^src\/(files\/markdown|ui\/models)\//],
  [/^pdfjs-dist(\/|$)/, /^(src\/files\/pdf\/|workers\/pdf\.worker\.ts$)/],
  [/^recharts$/, /^src\/ui\/charts\//],
  [/^radix-ui(\/|$)/, /^src\/ui\/parts\//],
  [/^zustand\/(vanilla|middleware)$/, /^src\/state\//],
  [/^zustand\/react$/, /^src\/ui\/use-stores\.ts$/], // where stores meet React
  [/^(hono|zod)(\/|$)/, /^src\/(contract|router)\//],
  [/^zod$/, /^src\/protocol\/frames\/frame-schema\.ts$/],
  [/^(minisearch|umap-js)$/, /^workers\/analysis\//],
  [/^(papaparse|hyparquet-writer)$/, /^src\/files\/table\//],
  [/^d3-polygon$/, /^src\/state\/meaning\//],
  [/^sirv$/, /^server\/site\//],
  [/^ws$/, /^server\/bridge\//],
  [/^vite$/, /^server\/vite\//],
  [/^node:/, /^server\//],
  [/^@noble\/hashes(\/|$)/, /^workers\/(engine\/loading|keeping\/fetching)\//],
  [/^mammoth(\/|$)/, /^workers\/documents\//],
  [/^(onnxruntime-web|@huggingface\/(transformers|tokenizers))(\/|$)/, /^workers\/engine\//],
  [/^@huggingface\/jinja$/, /^workers\/operations\/complete\//],
];

/** Replacing a library touches one folder. */
export const libraryRule: Rule = (files) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter(({ target, specifier }) => target === undefined && !mayUse(file.path, specifier))
      .map(({ specifier }) => `${file.path}: ${specifier} does not belong in this room`),
  );

function mayUse(path: string, specifier: string): boolean {
  return LIBRARIES.some(([library, rooms]) => library.test(specifier) && rooms.test(path));
}
