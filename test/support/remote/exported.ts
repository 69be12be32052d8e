import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportEngine } from '../../../server/export/export-engine.ts';
import { decodeModel, encodeSkeleton } from '../../../workers/engine/codec/model-proto.ts';

const MODELS = fileURLToPath(new URL('../../../public/models/', import.meta.url));

/** A model, exported for an engine into a folder of its own; by its name alone, an embedded one. */
export async function exportedModel(name = 'lightwell-base', model = join(MODELS, name)) {
  const out = await mkdtemp(join(tmpdir(), 'lightwell-engine-'));
  const { digest, files } = await exportEngine({ model, out });
  return {
    name,
    out,
    digest,
    files,
    /** The model's folder in the repository. */
    folder: join(out, 'models', name),
    remove: () => rm(out, { recursive: true, force: true }),
  };
}

/** The graph of `lightwell-base`, and the data file of `modelWithData`, in `onnx/`. */
export const DATA_MODEL = { graph: 'decoder_model_merged.onnx', data: 'decoder_model_merged.onnx_data' } as const;

/** A copy of `lightwell-base` whose weights lie in a data file beside the graph; `change` may alter them. */
export async function modelWithData(name: string, change: (data: Uint8Array) => void = () => undefined) {
  const root = await mkdtemp(join(tmpdir(), 'lightwell-data-'));
  const folder = join(root, name);
  await mkdir(folder);
  await cp(join(MODELS, 'lightwell-base'), folder, { recursive: true });
  const whole = new Uint8Array(await readFile(join(folder, 'onnx', DATA_MODEL.graph)));
  const outline = encodeSkeleton(decodeModel(whole), DATA_MODEL.data);
  const data = new Uint8Array(whole);
  change(data);
  await writeFile(join(folder, 'onnx', DATA_MODEL.graph), outline);
  await writeFile(join(folder, 'onnx', DATA_MODEL.data), data);
  return { root, folder, outline, data, remove: () => rm(root, { recursive: true, force: true }) };
}
