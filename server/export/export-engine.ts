import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ENGINE_MODEL } from '../../src/contract/wire/engine.ts';
import { readNetworkConfig } from '../../workers/engine/analysis/network-config.ts';
import { servedGraph } from '../../workers/engine/remote/served-graph.ts';
import { planNetwork } from '../../workers/engine/rewrite/plan-network.ts';
import { ExportError } from './export-error.ts';
import { exportReadme } from './readme.ts';
import { RAY_APP, RAY_REQUIREMENTS } from './ray-app.ts';
import { kserveManifest, tritonConfig } from './repository.ts';
import { SERVED_FILE, sourceFiles, sumOf } from './source-files.ts';

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
  /** SHA-256 of the graph that it was made from. */
  readonly digest: string;
  /** Paths below `out`. */
  readonly files: readonly string[];
}

/** Model files in the order in which they are looked for: the most exact first. */
const SUFFIXES = ['', '_q4', '_fp16', '_q4f16'];

/**
 * Writes a model repository for inference servers: the rewritten graph with the original and its data files beside it,
 * Triton's and KServe's descriptions, an app for Ray Serve, and the SHA-256 of everything.
 *
 * @throws {ExportError} for a folder that is no model's or lacks a data file, or one to write to that is not empty
 * @throws {FailureError} MODEL_UNAVAILABLE for a network that cannot be rewritten, or a data file that is cut short
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
  const sources = await sourceFiles(graph, file);
  const served = servedGraph(planNetwork(file, readNetworkConfig(config)), sources);
  const described = { name, inputs: served.inputs, outputs: served.outputs, sources };
  const version = join(out, 'models', name, '1');
  await mkdir(version, { recursive: true });
  await writeFile(join(version, SERVED_FILE), served.file);
  for (const { from, name: to } of sources) await copyInto(version, from, to);
  await writeText(join(out, 'models', name, 'config.pbtxt'), tritonConfig(described));
  await writeText(join(out, 'kserve/inference-service.yaml'), kserveManifest(described));
  await writeText(join(out, 'ray/serve_app.py'), RAY_APP);
  await writeText(join(out, 'ray/requirements.txt'), RAY_REQUIREMENTS);
  await writeText(join(out, 'README.md'), exportReadme(described));
  const files = await filesIn(out);
  const sums = await Promise.all(files.map(async (path) => `${await sumOf(join(out, path))}  ${path}\n`));
  await writeText(join(out, 'SHA256SUMS'), sums.join(''));
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

async function copyInto(folder: string, from: string, name: string): Promise<void> {
  const to = join(folder, name);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
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
