import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ENGINE_MODEL } from '../../src/contract/wire/engine.ts';
import { readNetworkConfig } from '../../workers/engine/analysis/network-config.ts';
import { decodeModel } from '../../workers/engine/codec/model-proto.ts';
import { servedGraph } from '../../workers/engine/remote/served-graph.ts';
import { planNetwork } from '../../workers/engine/rewrite/plan-network.ts';
import { ORIGINAL_FILE } from '../../workers/engine/tensor-names.ts';
import { exportReadme } from './readme.ts';
import { RAY_APP, RAY_REQUIREMENTS } from './ray-app.ts';
import { kserveManifest, tritonConfig } from './repository.ts';

/** What to export, and where to. */
export interface ExportOptions {
  /** A folder in the hub's layout. */
  readonly model: string;
  /** An empty folder, or one that is to be made. */
  readonly out: string;
}

/** What was written. */
export interface Exported {
  readonly name: string;
  /** SHA-256 of the model file. */
  readonly digest: string;
  /** Paths below `out`. */
  readonly files: readonly string[];
}

/** A file by which a folder cannot be exported; said to people. */
export class ExportError extends Error {}

/** Model files in the order in which they are looked for: the most exact first. */
const SUFFIXES = ['', '_q4', '_fp16', '_q4f16'];

/**
 * Writes a model repository for inference servers: the rewritten graph with the original beside it, Triton's and KServe's
 * descriptions, an app for Ray Serve, and the SHA-256 of everything.
 *
 * @throws {ExportError} for a folder that is no model's, or one to write to that is not empty
 * @throws {FailureError} MODEL_UNAVAILABLE for a network that cannot be rewritten
 */
export async function exportEngine({ model, out }: ExportOptions): Promise<Exported> {
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
  const digest = createHash('sha256').update(file).digest();
  const served = servedGraph(planNetwork(file, readNetworkConfig(config)), digest);
  const described = { name, inputs: served.inputs, outputs: served.outputs, digest: digest.toString('hex') };
  const version = join(out, 'models', name, '1');
  await mkdir(version, { recursive: true });
  await writeFile(join(version, 'model.onnx'), served.file);
  await copyFile(graph, join(version, ORIGINAL_FILE));
  for (const location of dataFiles(file)) {
    const to = join(version, location);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(dirname(graph), location), to);
  }
  await writeText(join(out, 'models', name, 'config.pbtxt'), tritonConfig(described));
  await writeText(join(out, 'kserve/inference-service.yaml'), kserveManifest(described));
  await writeText(join(out, 'ray/serve_app.py'), RAY_APP);
  await writeText(join(out, 'ray/requirements.txt'), RAY_REQUIREMENTS);
  await writeText(join(out, 'README.md'), exportReadme(described));
  const files = await filesIn(out);
  const sums = await Promise.all(files.map(async (path) => `${await sumOf(join(out, path))}  ${path}\n`));
  await writeText(join(out, 'SHA256SUMS'), sums.join(''));
  return { name, digest: described.digest, files: [...files, 'SHA256SUMS'] };
}

/** Data files that a graph names. @throws {ExportError} for one outside the graph's folder */
function dataFiles(file: Uint8Array): ReadonlySet<string> {
  const tensors = [...decodeModel(file).initialisers.values()];
  const locations = new Set(tensors.flatMap(({ external }) => external?.location ?? []));
  const outside = [...locations].find((location) => !/^[^\\/:]+$/.test(location) || /^\.+$/.test(location));
  if (outside === undefined) return locations;
  throw new ExportError(`the graph names "${outside}": expected a file beside it`);
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

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.toSorted().map((name) => join(folder, name));
  const stats = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, index) => stats[index]?.isFile()).map((path) => relative(folder, path).replaceAll('\\', '/'));
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
