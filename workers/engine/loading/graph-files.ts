import { beside, checkEnds, externalData, type DataFiles } from '../codec/data-files.ts';
import type { ExternalFile, GraphFiles } from '../session/session.ts';

/** Fetches a file by its path in the folder. */
export type FetchFile = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * A graph with the data files that it names.
 *
 * @param path  of the graph in its folder, such as `onnx/model.onnx`
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and tensor: no ONNX file, one cut short, data outside the graph's
 *   folder or behind the end of its file
 */
export async function fetchGraph(path: string, fetchFile: FetchFile): Promise<GraphFiles> {
  const { model, named } = await fetchModelFile(path, fetchFile);
  return { model, external: await fetchData(path, named, fetchFile) };
}

/** The data files that a graph names. @throws {FailureError} as `fetchGraph` */
export async function fetchData(path: string, named: DataFiles, fetchFile: FetchFile): Promise<ExternalFile[]> {
  const external: ExternalFile[] = [];
  for (const [location, tensors] of named) {
    const data = await fetchFile(beside(path, location));
    checkEnds(path, location, data.length, tensors);
    external.push({ path: location, data });
  }
  return external;
}

/**
 * A graph alone, for passes that run elsewhere, and the data files that it names.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE: no ONNX file, or data outside the graph's folder
 */
export async function fetchModelFile(
  path: string,
  fetchFile: FetchFile,
): Promise<{ readonly model: Uint8Array<ArrayBuffer>; readonly named: DataFiles }> {
  const model = await fetchFile(path);
  return { model, named: externalData(path, model) };
}
