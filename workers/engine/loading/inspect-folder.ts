import { FailureError } from '../../../src/contract/failure.ts';
import type { Inspection, InspectJob } from '../../../src/protocol/model-job.ts';
import { type NetworkConfig, readNetworkConfig } from '../analysis/network-inputs.ts';
import { dataPath, externalData } from '../codec/data-files.ts';
import { refuse } from '../network.ts';
import { planNetwork, SPAN_OUTPUTS, hasInput, type NetworkPlan } from '../rewrite/plan-network.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { download, downloadJson, type DownloadOptions, heldFile } from './download.ts';
import { openRanged } from './ranged-file.ts';
import { chatTemplateIn, DTYPES, graphNameIn, graphPath } from './model-files.ts';
import { outlineOf, VALUES } from './outline.ts';
import { isEncoderDecoder, modelTypeOf, DECODER_TYPES } from './model-types.ts';
import { decodeModel } from '../codec/model-proto.ts';

/** Smaller files may be pointers of Git LFS, and are read to find out. */
const POINTER_BYTES = 1024;

/** Context of networks that do not declare theirs, as in `openNetwork`. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/** How a folder can be used, by configuration and graph alone. @throws {FailureError} MODEL_UNAVAILABLE by file */
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
    const outline = await outlineOf(openRanged(folder + path, files[path] ?? 0, optionsFor(job, path)), {
      location: ORIGINAL_FILE,
      values: VALUES,
    });
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

/** The tier of a folder, and the reason of one that cannot be used. @throws errors that the folder did not cause */
export async function inspect(job: InspectJob): Promise<Inspection> {
  try {
    return await inspectFolder(job);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
    const reason = error.message.replaceAll(job.folder, '');
    return { tier: 'refused', reason, capabilities: [], dtype: 'fp32', contextTokens: 0, kind: '' };
  }
}
