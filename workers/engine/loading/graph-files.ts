import { FailureError } from '../../../src/contract/failure.ts';
import { decodeModel, type Model as Graph } from '../codec/model-proto.ts';
import type { Initialiser } from '../codec/tensor-proto.ts';
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
  const external: ExternalFile[] = [];
  for (const [location, tensors] of named) {
    const data = await fetchFile(beside(path, location));
    checkEnds(path, location, data.length, tensors);
    external.push({ path: location, data });
  }
  return { model, external };
}

/**
 * A graph alone, for passes that run elsewhere, and the data files that it names.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE: no ONNX file, or data outside the graph's folder
 */
export async function fetchModelFile(path: string, fetchFile: FetchFile) {
  const model = await fetchFile(path);
  return { model, named: externalData(path, model) };
}

/**
 * Data files that a graph names, with the tensors in them.
 *
 * @throws {FailureError} as `fetchGraph`
 */
export function externalData(path: string, file: Uint8Array): ReadonlyMap<string, readonly Initialiser[]> {
  const found = new Map<string, Initialiser[]>();
  for (const tensor of decoded(path, file).initialisers.values()) {
    if (tensor.external === undefined) continue;
    const { location } = tensor.external;
    if (!isBeside(location))
      throw broken(`${path}: tensor "${tensor.name}": expected data in the same folder, got "${location}"`);
    found.set(location, [...(found.get(location) ?? []), tensor]);
  }
  return found;
}

function decoded(path: string, file: Uint8Array): Graph {
  try {
    return decodeModel(file);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw broken(`${path} is cut short or damaged (${file.length} bytes): ${error.message}`);
  }
}

/** A path downwards: no parent folder, no other host, nothing that an address would read as something else. */
function isBeside(location: string): boolean {
  const parts = location.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\:?#%]/.test(location);
}

function beside(path: string, location: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + location;
}

function checkEnds(path: string, location: string, bytes: number, tensors: readonly Initialiser[]): void {
  for (const { name, external } of tensors) {
    const end = (external?.offset ?? 0) + (external?.byteCount ?? 0);
    if (end <= bytes) continue;
    throw broken(
      `${beside(path, location)} is cut short: tensor "${name}" ends at byte ${end}, the file has ${bytes} bytes`,
    );
  }
}

function broken(message: string): FailureError {
  return new FailureError('MODEL_UNAVAILABLE', message);
}
