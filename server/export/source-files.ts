import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inOrder } from '../../workers/engine/remote/digest.ts';
import { checkEnds, externalData, type FileDigest } from '../../workers/engine/codec/data-files.ts';
import { ORIGINAL_FILE } from '../../workers/engine/tensor-names.ts';
import { ExportError } from './export-error.ts';

/** A file of the model as it lies beside the rewritten graph. */
export interface SourceFile extends FileDigest {
  /** Where it is read from. */
  readonly from: string;
  /** Its name in the export's version folder. */
  readonly name: string;
}

/** The name that servers look for. */
export const SERVED_FILE = 'model.onnx';

/**
 * The graph and the data files that it names, in the order of their digests.
 *
 * @param path  of the graph
 * @param file  its bytes
 * @throws {ExportError} for a data file that is missing, or that has the name of a file of the export
 * @throws {FailureError} MODEL_UNAVAILABLE for one outside the graph's folder, and for one that is cut short
 */
export async function sourceFiles(path: string, file: Uint8Array): Promise<readonly [SourceFile, ...SourceFile[]]> {
  const data: FileDigest[] = [];
  for (const [location, tensors] of externalData(path, file)) {
    const from = join(dirname(path), location);
    if (location === SERVED_FILE || location === ORIGINAL_FILE)
      throw new ExportError(`${path} names the data file "${location}": expected a name that the export does not use`);
    const found = await stat(from).catch(() => undefined);
    if (!found?.isFile()) throw new ExportError(`${from}: expected a data file that ${path} names, got none`);
    checkEnds(path, location, found.size, tensors);
    data.push({ file: location, sha256: await sumOf(from) });
  }
  const [graph, ...rest] = inOrder(await sumOf(path), data);
  const beside = rest.map((each) => ({ ...each, from: join(dirname(path), each.file), name: each.file }));
  return [{ ...graph, from: path, name: ORIGINAL_FILE }, ...beside];
}

/** SHA-256 of a file, lower-case hexadecimal. */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
