import { FailureError } from '../../../src/contract/failure.ts';
import type { Inspection, InspectJob } from '../../../src/protocol/model-job.ts';
import { type NetworkConfig, readNetworkConfig } from '../analysis/network-inputs.ts';
import { dataPath, externalData } from '../codec/data-files.ts';
import { bytesOf, createMessage, type Message } from '../codec/protobuf.ts';
import { refuse } from '../network.ts';
import { planNetwork, SPAN_OUTPUTS, hasInput, type NetworkPlan } from '../rewrite/plan-network.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { download, downloadJson, type DownloadOptions, heldFile, openRanged } from './download.ts';
import { chatTemplateIn, DTYPES, graphNameIn, graphPath } from './model-files.ts';
import { generatesUnchanged, isEncoderDecoder, modelTypeOf } from './model-types.ts';

/** Smaller files may be pointers of Git LFS, and are read to find out. */
const POINTER_BYTES = 1024;

/** Context of networks that do not declare theirs, as in `openNetwork`. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/**
 * Decides how a folder can be used, from its configuration and its graph: weights are not fetched.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE naming the file, where it cannot be used
 */
export async function inspectFolder(job: InspectJob): Promise<Inspection> {
  const { folder, files } = job;
  const config = await downloadJson(folder + present(files, 'config.json'), optionsFor(job, 'config.json'));
  const readsImages = 'vision_config' in config;
  const { dtype, path } = graphIn(files, graphNameIn(files, readsImages));
  await checkSmallFiles(job, [path, present(files, 'tokenizer.json'), present(files, 'tokenizer_config.json')]);
  const networkConfig = readNetworkConfig(config);
  const plan = await planOf(job, path, config, networkConfig);
  if ('skeleton' in plan && hasInput(plan, 'embeddings')) present(files, graphPath('embed_tokens', dtype));
  if (!('skeleton' in plan) && isEncoderDecoder(config))
    await checkSmallFiles(job, [present(files, graphPath('encoder_model', dtype))]);
  const capabilities = 'skeleton' in plan ? capabilitiesOf(plan, config, files) : (['complete'] as const);
  const generates = capabilities.some((each) => each === 'explain' || each === 'complete');
  const chats = generates && (await hasChatTemplate(job));
  const { keptBecause = null } = plan;
  return {
    tier: keptBecause === null ? 'steered' : 'as_exported',
    reason: keptBecause,
    capabilities: [...capabilities, ...(chats ? (['chat'] as const) : [])],
    dtype,
    contextTokens: Math.min(plan.tabledPositions ?? Infinity, networkConfig.contextTokens ?? UNKNOWN_CONTEXT_TOKENS),
    kind: modelTypeOf(config),
  };
}

async function hasChatTemplate(job: InspectJob): Promise<boolean> {
  if (Object.hasOwn(job.files, 'chat_template.jinja')) return true;
  const path = present(job.files, 'tokenizer_config.json');
  return chatTemplateIn(await downloadJson(job.folder + path, optionsFor(job, path))) !== undefined;
}

/** A plan, or the reason why the network runs as it was exported, by transformers.js. */
type Planned = NetworkPlan | { readonly keptBecause: string; readonly tabledPositions: undefined };

async function planOf(job: InspectJob, path: string, config: object, networkConfig: NetworkConfig): Promise<Planned> {
  const { folder, files } = job;
  try {
    const outline = await outlineOf(openRanged(folder + path, files[path] ?? 0, optionsFor(job, path)));
    for (const location of externalData(path, outline).keys())
      if (location !== ORIGINAL_FILE) present(files, dataPath(path, location));
    return plannedOrUnchanged(outline, config, networkConfig);
  } catch (error) {
    if (!(error instanceof FailureError) || /^(onnx|config\.json)/.test(error.message)) throw error;
    return refuse(`${path}: ${error.message}`);
  }
}

function plannedOrUnchanged(outline: Uint8Array, config: object, networkConfig: NetworkConfig): Planned {
  try {
    return planNetwork(outline, networkConfig);
  } catch (error) {
    if (!(error instanceof FailureError) || !generatesUnchanged(outline, config)) throw error;
    return { keptBecause: error.message, tabledPositions: undefined };
  }
}

/** The graph in the most exact weight type of the folder. */
function graphIn(files: InspectJob['files'], name: string): Pick<Inspection, 'dtype'> & { readonly path: string } {
  const dtype = DTYPES.find((each) => Object.hasOwn(files, graphPath(name, each)));
  if (dtype === undefined) return refuse(`onnx/${name}.onnx: the folder has no such file`);
  return { dtype, path: graphPath(name, dtype) };
}

/** Reads files that are too small to be right: the error says what they are. */
async function checkSmallFiles(job: InspectJob, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if ((job.files[path] ?? 0) < POINTER_BYTES) await download(job.folder + path, optionsFor(job, path));
}

function optionsFor({ held, headers }: InspectJob, path: string): DownloadOptions {
  return { onBytes: () => undefined, held: heldFile(held, path), headers };
}

function present(files: InspectJob['files'], path: string): string {
  return Object.hasOwn(files, path) ? path : refuse(`${path}: the folder has no such file`);
}

/** A network predicts if it has a head and a KV cache, or a configuration that says it is causal. */
function capabilitiesOf(plan: NetworkPlan, config: object, files: InspectJob['files']): Inspection['capabilities'] {
  if (SPAN_OUTPUTS.every((name) => plan.outputs.includes(name))) return ['qa'];
  const architectures = [Reflect.get(config, 'architectures') ?? []].flat();
  const isCausal =
    plan.kvCache.length > 0 || architectures.some((name) => /(CausalLM|LMHeadModel)$/.test(String(name)));
  const isPooled = plan.outputs.length > 0 && plan.outputs.every((name) => name === 'sentence_embedding');
  if (plan.keptBecause !== undefined && isPooled) return ['semantic_embed'];
  if (!plan.hasHead || !isCausal) return ['embed', 'semantic_embed'];
  const readsImages = 'vision_config' in config && Object.hasOwn(files, 'preprocessor_config.json');
  return [
    ...(['embed', 'explain'] as const),
    ...(readsImages ? (['images'] as const) : []),
    ...('modules.json' in files ? (['semantic_embed'] as const) : []),
  ];
}

type RangedFile = ReturnType<typeof openRanged>;

/** A protobuf field of a file that is fetched in parts. Payload `[start, end)`. */
interface RemoteField {
  readonly number: number;
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}

/** Most bytes of a tag and a length. */
const HEAD_BYTES = 20;

/** Larger constants are weights: their values are left out. */
const SMALL_TENSOR = 4096;

/** Most bytes of a tensor's name or shape. */
const TENSOR_HEAD = 1024;

/** Most bytes of all operators with their attributes: a page cannot open a larger graph. */
const MAX_BYTES = 256 * 2 ** 20;

/** @source onnx.proto: ModelProto.graph, GraphProto.initializer, TensorProto's values, external_data and data_location */
const FIELD = { graph: 7, initialiser: 5, values: new Set([4, 5, 6, 7, 9, 10, 11]), location: 13, where: 14 } as const;

/**
 * An ONNX file without the values of its weights: operators, shapes and small constants are enough to decide whether a network
 * can be rewritten. Weights become external data of `ORIGINAL_FILE`; the outline cannot be run.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE as `read` of the file, and for any other file
 */
async function outlineOf(file: RangedFile): Promise<Uint8Array<ArrayBuffer>> {
  const model = createMessage();
  for await (const field of remoteFields(file, 0, file.bytes)) {
    if (field.number !== FIELD.graph) await copy(file, field, model);
    else model.message(FIELD.graph, await outlinedGraph(file, field));
  }
  return bytesOf(model);
}

async function outlinedGraph(file: RangedFile, { start, end }: RemoteField): Promise<Message> {
  const graph = createMessage();
  for await (const field of remoteFields(file, start, end)) {
    if (graph.byteCount > MAX_BYTES) refuse(`the graph has more than ${MAX_BYTES} bytes beside its weights`);
    if (field.number === FIELD.initialiser && field.end - field.start > SMALL_TENSOR)
      graph.message(FIELD.initialiser, await outlinedTensor(file, field));
    else await copy(file, field, graph);
  }
  return graph;
}

async function outlinedTensor(file: RangedFile, { start, end }: RemoteField): Promise<Message> {
  const tensor = createMessage();
  let position = start;
  for await (const field of remoteFields(file, start, end)) {
    if (FIELD.values.has(field.number) && field.end - field.start > TENSOR_HEAD) position = field.start;
    else await copy(file, field, tensor);
  }
  tensor.message(FIELD.location, createMessage().text(1, 'location').text(2, ORIGINAL_FILE));
  tensor.message(FIELD.location, createMessage().text(1, 'offset').text(2, `${position}`));
  return tensor.integer(FIELD.where, 1);
}

async function copy(file: RangedFile, { tagStart, end }: RemoteField, to: Message): Promise<void> {
  to.encoded(await file.read(tagStart, end));
}

/** The fields of a message; payloads are not fetched. */
async function* remoteFields(file: RangedFile, start: number, end: number): AsyncGenerator<RemoteField> {
  for (let position = start; position < end;) {
    const head = await file.read(position, Math.min(end, position + HEAD_BYTES));
    const field = fieldAt(head, position);
    if (field === undefined || field.end > end)
      return refuse(`it is no ONNX file, or is cut short at byte ${position}`);
    yield field;
    position = field.end;
  }
}

function fieldAt(head: Uint8Array, position: number): RemoteField | undefined {
  const tag = varintAt(head, 0);
  if (tag === undefined) return undefined;
  const [number, kind, tagStart] = [tag.value >>> 3, tag.value & 7, position];
  const at = (start: number, length: number): RemoteField => ({
    number,
    tagStart,
    start: position + start,
    end: position + start + length,
  });
  const value = kind === 0 || kind === 2 ? varintAt(head, tag.next) : undefined;
  if (kind === 0) return value && at(tag.next, value.next - tag.next);
  if (kind === 2) return value && at(value.next, value.value);
  return kind === 1 || kind === 5 ? at(tag.next, kind === 1 ? 8 : 4) : undefined;
}

/** A varint of a length or tag: exact up to 2⁵³, as long as a file can be. */
function varintAt(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return undefined;
}

/**
 * The tier of a folder. For one that cannot be used the result holds the reason.
 *
 * @throws errors that the folder did not cause
 */
export async function inspect(job: InspectJob): Promise<Inspection> {
  try {
    return await inspectFolder(job);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
    const reason = error.message.replaceAll(job.folder, '');
    return { tier: 'refused', reason, capabilities: [], dtype: 'fp32', contextTokens: 0, kind: '' };
  }
}
