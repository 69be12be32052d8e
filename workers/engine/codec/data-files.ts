import { FailureError } from '../../../src/contract/failure.ts';
import { decodeModel, type OnnxModel as Graph } from './model-proto.ts';
import type { Initialiser } from './tensor-proto.ts';

/** A file of a network with its SHA-256, lower-case hexadecimal. */
export interface FileDigest {
  /** `graph`, or the path by which the graph names a data file. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Tensors outside a graph by the path of their data file.
 *
 * @param path  of the graph in its folder
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and tensor: not an ONNX file, one cut short, data outside its folder
 */
export function externalData(path: string, file: Uint8Array): ReadonlyMap<string, readonly Initialiser[]> {
  const files = new Map<string, Initialiser[]>();
  for (const tensor of decoded(path, file).initialisers.values()) {
    if (tensor.external === undefined) continue;
    const { location } = tensor.external;
    if (!isInFolder(location))
      throw broken(`${path}: tensor "${tensor.name}": expected data in the same folder, got "${location}"`);
    files.set(location, [...(files.get(location) ?? []), tensor]);
  }
  return files;
}

function decoded(path: string, file: Uint8Array): Graph {
  try {
    return decodeModel(file);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw broken(`${path} is cut short or damaged (${file.length} bytes): ${error.message}`);
  }
}

/** Whether a path stays in its folder: no parent folder, no other host, no character that a URL would read otherwise. */
function isInFolder(location: string): boolean {
  const parts = location.split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\:?#%]/.test(location);
}

/** Path in the folder of a data file that the graph at `path` names. */
export function dataPath(path: string, location: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + location;
}

/** @throws {FailureError} MODEL_UNAVAILABLE for a data file that ends before a tensor does; `bytes` is its size */
export function checkEnds(path: string, location: string, bytes: number, tensors: readonly Initialiser[]): void {
  for (const { name, external } of tensors) {
    const end = (external?.offset ?? 0) + (external?.byteCount ?? 0);
    if (end <= bytes) continue;
    throw broken(
      `${dataPath(path, location)} is cut short: tensor "${name}" ends at byte ${end}, the file has ${bytes} bytes`,
    );
  }
}

function broken(message: string): FailureError {
  return new FailureError('MODEL_UNAVAILABLE', message);
}
