import { FailureError } from '../../../src/contract/failure.ts';
import type { Inspection, InspectJob } from '../../../src/protocol/model-job.ts';
import { type NetworkConfig, readNetworkConfig } from '../analysis/network-inputs.ts';
import { dataPath, externalData } from '../codec/data-files.ts';
import { refuse } from '../network.ts';
import { planNetwork, SPAN_OUTPUTS, hasInput, type NetworkPlan } from '../rewrite/plan-network.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { download, downloadJson, type DownloadOptions, heldFile } from './download.ts';
import { openRanged } from './ranged-file.ts';
import { chatTemplateIn, DTYPES, graphNameIn, graphPath, graphsIn, isPartOf } from './model-files.ts';
import { weightsIn } from './weights.ts';
import { outlineOf, VALUES } from './outline.ts';
import { memoryOf } from '../../../src/models/model.ts';
import { isEncoderDecoder, modelTypeOf, DECODER_TYPES } from './model-types.ts';
import { decodeModel } from '../codec/model-proto.ts';

/** Smaller files may be pointers of Git LFS, and are read to find out. */
const POINTER_BYTES = 1024;

/** Context of networks that do not declare theirs, as in `openNetwork`. */
const UNKNOWN_CONTEXT_TOKENS = 512;

type Dtype = Inspection['dtype'];

/** How a folder can be used with one weight type, by configuration and graph alone. @throws {FailureError} MODEL_UNAVAILABLE by file */
async function inspectFolder(job: InspectJob, dtype: Dtype): Promise<Inspection> {
  const { folder, files } = job;
  const config = await downloadJson(folder + present(files, 'config.json'), optionsFor(job, 'config.json'));
  const readsImages = 'vision_config' in config;
  const path = present(files, graphPath(graphNameIn(files, readsImages), dtype));
  await checkSmallFiles(job, [path, present(files, 'tokenizer.json'), present(files, 'tokenizer_config.json')]);
  const networkConfig = readNetworkConfig(config);
  const { plan, weights } = await planOf(job, path, config, networkConfig);
  if ('skeleton' in plan && hasInput(plan, 'embeddings')) present(files, graphPath('embed_tokens', dtype));
  if (!('skeleton' in plan) && isEncoderDecoder(config))
    await checkSmallFiles(job, [present(files, graphPath('encoder_model', dtype))]);
  const capabilities = 'skeleton' in plan ? capabilitiesOf(plan, config, job, dtype) : (['complete'] as const);
  const generates = capabilities.some((each) => each === 'explain' || each === 'complete');
  const chats = generates && (await hasChatTemplate(job));
  const { keptBecause = null } = plan;
  return {
    tier: keptBecause === null ? 'steered' : 'as_exported',
    reason: keptBecause,
    capabilities: [...capabilities, ...(chats ? (['chat'] as const) : [])],
    dtype,
    ...filesOf(files, weights.kind, 'skeleton' in plan ? weights.gainedBytes : 0),
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

async function planOf(job: InspectJob, path: string, config: object, networkConfig: NetworkConfig) {
  const { folder, files } = job;
  try {
    const outline = await outlineOf(openRanged(folder + path, files[path] ?? 0, optionsFor(job, path)), {
      location: ORIGINAL_FILE,
      values: VALUES,
    });
    for (const location of externalData(path, outline).keys())
      if (location !== ORIGINAL_FILE) present(files, dataPath(path, location));
    return { plan: plannedOrUnchanged(outline, config, networkConfig), weights: weightsIn(outline) };
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

/** Inputs that transformers.js feeds to a decoder. @source transformers.js 4.3.1, models/modeling_utils.js, decoder_forward */
const FED_INPUTS =
  /^(input_ids|attention_mask|position_ids|num_logits_to_keep|use_cache_branch|encoder_hidden_states|encoder_attention_mask|past_.+)$/;

/** Whether a network can generate text as it was exported. @param graph  the decoder's, with or without weights */
function generatesUnchanged(graph: Uint8Array, config: object): boolean {
  const { inputs, outputs } = decodeModel(graph);
  const ids = inputs.find(({ name }) => name === 'input_ids');
  if (!ids || typeof ids.dimensions?.[1] === 'number') return false;
  if (!outputs.some(({ name }) => name === 'logits') || !inputs.every(({ name }) => FED_INPUTS.test(name)))
    return false;
  return inputs.some(({ name }) => name === 'encoder_hidden_states')
    ? isEncoderDecoder(config)
    : DECODER_TYPES.has(modelTypeOf(config));
}

function filesOf(sizes: InspectJob['files'], kind: string, gainedBytes = 0): Pick<Inspection, 'files' | 'weights'> {
  const all = Object.entries(sizes);
  const fileBytes = all.reduce((sum, [path, bytes]) => sum + (path.startsWith('onnx/') ? bytes : 0), 0);
  const files = Object.fromEntries(all.map(([path, bytes]) => [path, { bytes }]));
  return { files, weights: { kind, fileBytes, computedBytes: fileBytes + gainedBytes } };
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
function capabilitiesOf(
  plan: NetworkPlan,
  config: object,
  { files }: InspectJob,
  dtype: Dtype,
): Inspection['capabilities'] {
  if (SPAN_OUTPUTS.every((name) => plan.outputs.includes(name))) return ['qa'];
  const architectures = [Reflect.get(config, 'architectures') ?? []].flat();
  const isCausal =
    plan.kvCache.length > 0 || architectures.some((name) => /(CausalLM|LMHeadModel)$/.test(String(name)));
  const isPooled = plan.outputs.length > 0 && plan.outputs.every((name) => name === 'sentence_embedding');
  if (plan.keptBecause !== undefined && isPooled) return ['semantic_embed'];
  if (!plan.hasHead || !isCausal) return ['embed', 'semantic_embed'];
  const needed = ['preprocessor_config.json', graphPath('vision_encoder', dtype)];
  const readsImages = 'vision_config' in config && needed.every((path) => Object.hasOwn(files, path));
  return [
    ...(['embed', 'explain'] as const),
    ...(readsImages ? (['images'] as const) : []),
    ...('modules.json' in files ? (['semantic_embed'] as const) : []),
  ];
}

/**
 * What a folder has: one inspection for each kind of weights, with the reason of one that cannot be used. The first is the default:
 * the most exact kind that fits, else the smallest. WebAssembly computes all kinds in 32-bit floats, so none is faster there.
 *
 * @param memory  bytes that models may take
 * @throws errors that the folder did not cause
 */
export async function inspect(job: InspectJob, memory = Infinity): Promise<readonly [Inspection, ...Inspection[]]> {
  const kinds = new Map<string, Inspection>();
  for (const dtype of DTYPES) {
    const graphs = graphsIn(job.files, dtype);
    if (graphs.length === 0) continue;
    const files = Object.entries(job.files).filter(([path]) => !GRAPH_FILE.test(path) || isPartOf(graphs, path));
    const found = await inspectKind({ ...job, files: Object.fromEntries(files) }, dtype);
    if (!kinds.has(found.weights.kind)) kinds.set(found.weights.kind, found);
  }
  const rank = ({ tier, weights }: Inspection) => {
    const needed = memoryOf(weights.computedBytes);
    if (tier === 'refused') return Number.MAX_VALUE;
    const place = DTYPES.findIndex((each) => each === weights.kind);
    return needed > memory ? needed : place < 0 ? DTYPES.length : place;
  };
  const [first = await inspectKind(job, 'fp32'), ...others] = [...kinds.values()].toSorted((a, b) => rank(a) - rank(b));
  return first.tier === 'refused' ? [first] : [first, ...others];
}

/** Graphs and their data, of which a model needs those of one weight type. */
const GRAPH_FILE = /^onnx\/.+\.onnx(_data|\.data|$)/;

async function inspectKind(job: InspectJob, dtype: Dtype): Promise<Inspection> {
  try {
    return await inspectFolder(job, dtype);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
    const reason = error.message.replaceAll(job.folder, '');
    const used = filesOf(job.files, dtype);
    return { tier: 'refused', reason, capabilities: [], dtype, ...used, contextTokens: 0, kind: '' };
  }
}
