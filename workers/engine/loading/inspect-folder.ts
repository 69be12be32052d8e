import { FailureError } from '../../../src/contract/failure.ts';
import type { Capability, Model } from '../../../src/models/model.ts';
import type { InspectJob, Inspection } from '../../../src/protocol/model-job.ts';
import { readNetworkConfig, type NetworkConfig } from '../analysis/network-config.ts';
import { externalData } from '../codec/data-files.ts';
import { hasInput, type NetworkPlan } from '../rewrite/network-plan.ts';
import { planNetwork, SPAN_OUTPUTS } from '../rewrite/plan-network.ts';
import { isPair, kindOf } from '../session/exported/written-kinds.ts';
import { writesUnchanged } from '../session/exported/writes-unchanged.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { download, downloadJson, heldFile, type DownloadOptions } from './download.ts';
import { chatTemplateIn } from './generation-files.ts';
import { outlineOf } from './graph-outline.ts';
import { DTYPES, graphNameIn, graphPath } from './model-files.ts';
import { openRanged } from './ranged-file.ts';

/** Files smaller than this may be pointers of Git LFS, and are read to tell. */
const POINTER_BYTES = 1024;

/** Context of networks that do not say how long theirs is, as `openNetwork` has it. */
const UNKNOWN_CONTEXT_TOKENS = 512;

/**
 * Decides how a folder can be used, from its configuration and its graph: weights are not fetched.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE naming the file, where it cannot be used
 */
export async function inspectFolder(job: InspectJob): Promise<Inspection> {
  const { folder, files } = job;
  const config = await downloadJson(folder + present(files, 'config.json'), quietly(job, 'config.json'));
  const readsImages = 'vision_config' in config;
  const { dtype, path } = graphIn(files, graphNameIn(files, readsImages));
  await refuseStandIns(job, [path, present(files, 'tokenizer.json'), present(files, 'tokenizer_config.json')]);
  const networkConfig = readNetworkConfig(config);
  const plan = await planOf(job, path, { ...networkConfig, whole: config });
  if ('skeleton' in plan && hasInput(plan, 'embeddings')) present(files, graphPath('embed_tokens', dtype));
  if (!('skeleton' in plan) && isPair(config))
    await refuseStandIns(job, [present(files, graphPath('encoder_model', dtype))]);
  const capabilities = 'skeleton' in plan ? capabilitiesOf(plan, config, files) : (['complete'] as const);
  const answers =
    capabilities.some((each) => each === 'explain' || each === 'complete') && (await hasChatTemplate(job));
  const { keptBecause = null } = plan;
  return {
    tier: keptBecause === null ? 'steered' : 'as_exported',
    reason: keptBecause,
    capabilities: [...capabilities, ...(answers ? (['chat'] as const) : [])],
    dtype,
    contextTokens: Math.min(plan.tabledPositions ?? Infinity, networkConfig.contextTokens ?? UNKNOWN_CONTEXT_TOKENS),
    kind: kindOf(config),
  };
}

/** Whether the model was made for dialogues. */
async function hasChatTemplate(job: InspectJob): Promise<boolean> {
  if (Object.hasOwn(job.files, 'chat_template.jinja')) return true;
  const path = present(job.files, 'tokenizer_config.json');
  return chatTemplateIn(await downloadJson(job.folder + path, quietly(job, path))) !== undefined;
}

/** A network that cannot be rewritten and still writes, by transformers.js. */
interface Unchanged extends Pick<NetworkPlan, 'tabledPositions'> {
  readonly keptBecause: string;
}

async function planOf(
  job: InspectJob,
  path: string,
  config: NetworkConfig & { readonly whole: object },
): Promise<NetworkPlan | Unchanged> {
  const { folder, files } = job;
  try {
    const outline = await outlineOf(openRanged(folder + path, files[path] ?? 0, quietly(job, path)));
    for (const location of externalData(path, outline).keys())
      if (location !== ORIGINAL_FILE) present(files, path.slice(0, path.lastIndexOf('/') + 1) + location);
    return plannedOrUnchanged(outline, config);
  } catch (error) {
    if (!(error instanceof FailureError) || /^(onnx|config\.json)/.test(error.message)) throw error;
    throw new FailureError('MODEL_UNAVAILABLE', `${path}: ${error.message}`);
  }
}

function plannedOrUnchanged(
  outline: Uint8Array,
  config: NetworkConfig & { readonly whole: object },
): NetworkPlan | Unchanged {
  try {
    return planNetwork(outline, config);
  } catch (error) {
    if (!(error instanceof FailureError) || !writesUnchanged(outline, config.whole)) throw error;
    return { keptBecause: error.message, tabledPositions: undefined };
  }
}

/** The graph in the weights that are most exact, of those that the folder has. */
function graphIn(files: InspectJob['files'], name: string): { readonly dtype: Model['dtype']; readonly path: string } {
  const dtype = DTYPES.find((each) => Object.hasOwn(files, graphPath(name, each)));
  if (dtype !== undefined) return { dtype, path: graphPath(name, dtype) };
  throw new FailureError('MODEL_UNAVAILABLE', `onnx/${name}.onnx: the folder has no such file`);
}

/** Reads files that are too small for what they should hold: it is said what they are instead. */
async function refuseStandIns(job: InspectJob, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if ((job.files[path] ?? 0) < POINTER_BYTES) await download(job.folder + path, quietly(job, path));
}

/** How a file of the folder is read, with nobody listening. */
function quietly({ held, headers }: InspectJob, path: string): DownloadOptions {
  return { onBytes: () => undefined, held: heldFile(held, path), headers };
}

function present(files: InspectJob['files'], path: string): string {
  if (Object.hasOwn(files, path)) return path;
  throw new FailureError('MODEL_UNAVAILABLE', `${path}: the folder has no such file`);
}

/** A network that predicts is one with a head behind a KV cache, or one that its configuration says is causal. */
function capabilitiesOf(plan: NetworkPlan, config: object, files: InspectJob['files']): readonly Capability[] {
  if (SPAN_OUTPUTS.every((name) => plan.outputs.includes(name))) return ['qa'];
  const architectures = [Reflect.get(config, 'architectures') ?? []].flat().map(text);
  const isCausal = plan.kvCache.length > 0 || architectures.some((name) => /(CausalLM|LMHeadModel)$/.test(name));
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

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
