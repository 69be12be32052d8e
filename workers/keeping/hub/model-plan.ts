import type { Model } from '../../../src/models/model.ts';
import type { HubAddress, HubFound } from '../../../src/protocol/keeping/keeping-tasks.ts';
import type { FetchPlan, PlannedFile } from '../../../src/protocol/keeping/kept-model.ts';
import { DTYPES, graphPath } from '../../engine/loading/model-files.ts';
import { ProblemError } from '../problem.ts';
import { encodedPath, type HubFile, type HubRepository } from './hub-files.ts';

/** Graphs of a model that reads pictures, or reads with one graph and writes with another, by the part of their names before the weight type. */
const PARTS = ['decoder_model_merged', 'encoder_model', 'embed_tokens', 'vision_encoder'];

/** Files beside the graphs that a model may need: configurations, tokenizer, pooling, card and licence. */
const SMALL_FILE =
  /^([\w.-]+\.(json|txt|md|jinja|model)|(?:licence|license)[\w.-]*|\d_\w+\/[\w.-]+\.(json|safetensors))$/i;

/** More bytes than this in exact weights are not fetched without being asked for. */
const EXACT_BYTES = 200e6;

/** What is chosen where exact weights are too large. */
const SMALLER = ['q4', 'fp16', 'q4f16', 'fp32', 'q8'] as const satisfies readonly Model['dtype'][];

/** What is to be fetched of a repository, in the weight type that is asked for or suits the size. @throws {ProblemError} `absent` */
export function planModel(address: HubAddress, repository: HubRepository): Omit<HubFound, 'inspection'> {
  const files = filesBelow(address.subfolder, repository.files);
  const choices = DTYPES.flatMap((dtype) => {
    const wanted = filesOf(dtype, files);
    return wanted === null ? [] : [{ dtype, bytes: bytesOf(wanted) }];
  });
  const dtype = address.dtype ?? preferred(choices);
  const wanted = dtype === undefined ? null : filesOf(dtype, files);
  if (wanted === null || dtype === undefined) throw withoutGraph(address, choices);
  const plan: FetchPlan = {
    name: nameOf(address, dtype, choices),
    from: {
      ...{ hub: address.hub, id: address.id, revision: address.revision, subfolder: address.subfolder },
      ...{ commit: repository.commit, licence: repository.licence },
    },
    files: wanted.map(({ path, ...file }) => plannedFile(path, file, address, repository.commit)),
  };
  return { plan, dtype, choices, bytes: bytesOf(wanted) };
}

/** Address of a model's folder at a hub, ending in a slash. */
export function folderAt({ hub, id, subfolder }: HubAddress, commit: string): string {
  return `${hub}/${id}/resolve/${commit}/${subfolder === '' ? '' : `${encodedPath(subfolder)}/`}`;
}

function plannedFile(
  path: string,
  { bytes, sha256, gitHash }: Omit<HubFile, 'path'>,
  address: HubAddress,
  commit: string,
): PlannedFile {
  return { path, bytes, sha256, gitHash, url: folderAt(address, commit) + encodedPath(path) };
}

/** Paths are those in the model's folder from here on. */
function filesBelow(subfolder: string, files: readonly HubFile[]): readonly HubFile[] {
  const prefix = subfolder === '' ? '' : `${subfolder}/`;
  const below = files.filter(({ path }) => path.startsWith(prefix));
  return below.map(({ path, ...file }) => ({ path: path.slice(prefix.length), ...file }));
}

/** All files that a model with these weights has; null where its graph is not there. */
function filesOf(dtype: Model['dtype'], files: readonly HubFile[]): readonly HubFile[] | null {
  const has = (path: string) => files.some((file) => file.path === path);
  const whole = graphPath('model', dtype);
  const graphs = has(whole) ? [whole] : PARTS.map((name) => graphPath(name, dtype)).filter(has);
  if (!has(whole) && !has(graphPath('decoder_model_merged', dtype))) return null;
  const isData = (path: string) => graphs.some((graph) => path.startsWith(`${graph}_data`) || path === `${graph}.data`);
  return files.filter(({ path }) => graphs.includes(path) || isData(path) || SMALL_FILE.test(path));
}

function preferred(choices: HubFound['choices']): Model['dtype'] | undefined {
  const exact = choices.find(({ dtype, bytes }) => dtype === 'fp32' && bytes <= EXACT_BYTES);
  return exact?.dtype ?? SMALLER.find((each) => choices.some(({ dtype }) => dtype === each));
}

/** The hub's name; what differs from the usual follows, so that both can be kept. */
function nameOf({ id, subfolder, revision }: HubAddress, dtype: Model['dtype'], choices: HubFound['choices']): string {
  const folder = subfolder === '' ? '' : `/${subfolder}`;
  const at = revision === 'main' ? '' : `@${revision}`;
  return `${id}${folder}${at}${dtype === preferred(choices) ? '' : ` (${dtype})`}`;
}

function withoutGraph({ id, subfolder, dtype }: HubAddress, choices: HubFound['choices']): ProblemError {
  const where = subfolder === '' ? id : `${id}/${subfolder}`;
  const there = choices.length === 0 ? 'none of any type' : choices.map((choice) => choice.dtype).join(', ');
  const wanted = dtype === null ? 'onnx/model.onnx, or one of another weight type' : graphPath('model', dtype);
  return new ProblemError('absent', `${where}: expected ${wanted}, got ${there}`);
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
