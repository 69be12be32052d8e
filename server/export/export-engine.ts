import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ENGINE_MODEL } from '../../src/contract/wire/engine.ts';
import { readNetworkConfig } from '../../workers/engine/analysis/network-inputs.ts';
import { servedGraph, inOrder } from '../../workers/engine/rewrite/served-graph.ts';
import { planNetwork } from '../../workers/engine/rewrite/plan-network.ts';
import { checkEnds, externalData, type FileDigest } from '../../workers/engine/codec/data-files.ts';
import { ORIGINAL_FILE } from '../../workers/engine/tensor-names.ts';
import { repositoryFiles, type SourceFile } from './repository.ts';

/** Model files in the order in which they are looked for: the most exact first. */
const SUFFIXES = ['', '_q4', '_fp16', '_q4f16'];

/**
 * Writes a model repository for inference servers: the rewritten graph with the original and its data files beside it,
 * Triton's and KServe's descriptions, an app for Ray Serve, and the SHA-256 of everything.
 *
 * @param options  `model`: a folder in the hub's layout; `out`: an empty folder, or one that is created
 * @returns the model's name, the SHA-256 of its original graph, and the paths below `out`
 * @throws {ExportError} for a folder without a model or a data file, or one to write to that is not empty
 * @throws {FailureError} MODEL_UNAVAILABLE for a network that cannot be rewritten, or a data file that is cut short
 */
export async function exportEngine({ model, out }: { readonly model: string; readonly out: string }) {
  const name = basename(resolve(model));
  if (!ENGINE_MODEL.test(name))
    throw new ExportError(
      `the folder's name becomes the model's: expected letters, digits, ".", "_", "-", got "${name}"`,
    );
  if (existsSync(out) && (await readdir(out)).length > 0)
    throw new ExportError(`${out}: expected an empty folder, got one with files`);
  const config = await readJson(join(model, 'config.json'));
  const graph = await graphIn(model, 'vision_config' in config ? 'decoder_model_merged' : 'model');
  const file = new Uint8Array(await readFile(graph));
  const sources = await sourceFiles(graph, file);
  const served = servedGraph(planNetwork(file, readNetworkConfig(config)), sources);
  const described = repositoryFiles({ name, inputs: served.inputs, outputs: served.outputs, sources });
  const version = join(out, 'models', name, '1');
  await mkdir(version, { recursive: true });
  await writeFile(join(version, SERVED_FILE), served.file);
  for (const { from, name: path } of sources) {
    const to = join(version, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  }
  for (const [path, text] of Object.entries(described)) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  const files = await filesIn(out);
  const sums = await Promise.all(files.map(async (path) => `${await sha256OfFile(join(out, path))}  ${path}\n`));
  await writeFile(join(out, 'SHA256SUMS'), sums.join(''));
  return { name, digest: sources[0].sha256, files: [...files, 'SHA256SUMS'] };
}

async function readJson(path: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) throw new ExportError(`${path}: expected a model's configuration, got no file`);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new ExportError(`${path}: expected a JSON object`);
  return value;
}

async function graphIn(model: string, name: string): Promise<string> {
  const paths = SUFFIXES.map((suffix) => join(model, 'onnx', `${name}${suffix}.onnx`));
  const found = paths.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ExportError(
    `${join(model, 'onnx')}: expected ${name}.onnx, or one of its 4-bit and 16-bit forms, got none`,
  );
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.toSorted().map((name) => join(folder, name));
  const stats = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, index) => stats[index]?.isFile()).map((path) => relative(folder, path).replaceAll('\\', '/'));
}

/** The name that servers look for. */
const SERVED_FILE = 'model.onnx';

/**
 * The graph and the data files that it names, in the order of their digests.
 *
 * @param path  of the graph
 * @param file  its bytes
 * @throws {ExportError} for a data file that is missing, or that has the name of a file of the export
 * @throws {FailureError} MODEL_UNAVAILABLE for one outside the graph's folder, and for one that is cut short
 */
async function sourceFiles(path: string, file: Uint8Array): Promise<readonly [SourceFile, ...SourceFile[]]> {
  const data: FileDigest[] = [];
  for (const [location, tensors] of externalData(path, file)) {
    const from = join(dirname(path), location);
    if (location === SERVED_FILE || location === ORIGINAL_FILE)
      throw new ExportError(`${path} names the data file "${location}": expected a name that the export does not use`);
    const found = await stat(from).catch(() => undefined);
    if (!found?.isFile()) throw new ExportError(`${from}: expected a data file that ${path} names, got none`);
    checkEnds(path, location, found.size, tensors);
    data.push({ file: location, sha256: await sha256OfFile(from) });
  }
  const [graph, ...rest] = inOrder(await sha256OfFile(path), data);
  const beside = rest.map((each) => ({ ...each, from: join(dirname(path), each.file), name: each.file }));
  return [{ ...graph, from: path, name: ORIGINAL_FILE }, ...beside];
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Why a folder cannot be exported; the message is shown to people. */
export class ExportError extends Error {}
