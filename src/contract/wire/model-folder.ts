/** The files of a model: all that its folder may hold besides, such as pictures and weights of other frameworks, is left out. */
const MODEL_FILE =
  /(^|\/)((?:licence|license)[^/]*|[^/]+\.(json|md|txt|jinja|onnx|onnx_data(_\d+)?|data|safetensors))$/i;

/** Whether a file belongs to a model, by its path. Hidden ones do not. */
export function isModelFile(path: string): boolean {
  return MODEL_FILE.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path);
}

/** Graphs and their data. */
const GRAPH_FILE = /^[^/]+\.(onnx|onnx_data(_\d+)?|data)$/;

/**
 * Where the hub has a file: graphs and their data beside `config.json` are in the folder `onnx`.
 *
 * @param path   in the model's folder
 * @param paths  of all its files: a file that is in `onnx` already stays the one
 */
export function hubPath(path: string, paths: ReadonlySet<string>): string {
  const moved = `onnx/${path}`;
  return GRAPH_FILE.test(path) && !paths.has(moved) ? moved : path;
}
