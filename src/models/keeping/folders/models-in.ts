import type { HeldFiles } from '../../model.ts';

/** Files by their paths; the parts of a path are joined by `/`. */
export type FileTree = ReadonlyMap<string, Blob>;

/** A model that was found among files. */
export interface FolderOfModel {
  readonly name: string;
  readonly held: HeldFiles;
}

/** Files of a model, as the local server has them; nothing else of a folder is read. */
const MODEL_FILE = /(^|\/)((?:licence|license)|[^/]+\.(json|md|txt|jinja|onnx|onnx_data(_\d+)?|data|safetensors))$/i;

/** Names a model whose files came without a folder. */
const NAMELESS = 'model';

/**
 * Every folder in the hub's layout among files: one with a `config.json`. Folders inside it are its own. Files that came without
 * a folder are taken for one.
 */
export function modelsIn(files: FileTree): readonly FolderOfModel[] {
  const paths = [...files.keys()].filter((path) => MODEL_FILE.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path));
  const folders = paths
    .filter((path) => path === 'config.json' || path.endsWith('/config.json'))
    .map((path) => path.slice(0, -'config.json'.length))
    .toSorted((a, b) => a.length - b.length);
  const outermost = folders.filter((folder, at) => !folders.slice(0, at).some((outer) => folder.startsWith(outer)));
  return outermost.map((folder) => {
    const inside = paths.filter((path) => path.startsWith(folder));
    const held = Object.fromEntries(inside.map((path) => [path.slice(folder.length), files.get(path) as Blob]));
    return { name: folder.slice(0, -1) || NAMELESS, held: withGraphsInTheirFolder(held) };
  });
}

/** Graphs that lie beside `config.json` are taken as if they lay in `onnx`, where the hub has them. */
function withGraphsInTheirFolder(held: HeldFiles): HeldFiles {
  const paths = Object.keys(held);
  if (paths.some((path) => path.startsWith('onnx/'))) return held;
  const isGraphs = (path: string) => !path.includes('/') && /\.(onnx|onnx_data(_\d+)?|data)$/.test(path);
  return Object.fromEntries(Object.entries(held).map(([path, file]) => [isGraphs(path) ? `onnx/${path}` : path, file]));
}
