import { FailureError, messageOf } from '../../../src/contract/failure.ts';
import type { BackendKind } from '../../../src/protocol/model-job.ts';
import { compared } from '../../kernels/float-arrays.ts';
import { roundsTogether } from '../analysis/graph-analysis.ts';
import { rowsOfTable } from '../analysis/graph-traversal.ts';
import { LONG_TOKENS, type SelfTest, selfTest } from '../checks/self-test.ts';
import { attempt, createPassTimer, guardOf, releaseOnError } from '../device/guard.ts';
import { decodeModel } from '../codec/model-proto.ts';
import { type Backend, type Network, WASM_PASS_BYTES } from '../network.ts';
import { measureCosts } from '../checks/measure-costs.ts';
import { readerTest } from '../checks/reader-test.ts';
import { hasInput, type NetworkPlan, planNetwork } from '../rewrite/plan-network.ts';
import { type Gpu, openGpu, passBytesOn } from './gpu-device.ts';
import {
  type ModelFiles,
  openSession,
  type Ort,
  type RunQueue,
  runtimeQueue,
  type Session,
  type SessionDevice,
} from './session.ts';
import type { NetworkConfig } from '../analysis/network-inputs.ts';
import type { BrowserRuntime } from './browser-runtime.ts';
import { createNetwork } from './create-network.ts';
import { fasterOf } from './faster-device.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import { type EmbeddingTable, openEmbeddingTable } from './embedding-table.ts';
import { createPlainSteps } from './plain-steps.ts';

/** Backends that agree differ by no more than this share of the largest logit. */
const PARITY = { float32: 1e-2, float16: 5e-2, int8: 0.25 } as const;

/**
 * Opens a network on the backend that is faster here, for this network: on WebGPU where a batch takes less time there, and then
 * with WebAssembly as its writer where a token takes less time there. Each candidate passes the self-test and their results agree,
 * or it is refused with the numbers. A software GPU is only used where `backend` names it. Dynamic int8 is computed in 32-bit floats
 * where memory allows.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when no backend computes right numbers, with the reason of each; OUT_OF_MEMORY
 */
export async function openOnBestBackend(options: OpenTestedOptions): Promise<Network> {
  const files = await withoutInt8(options.files);
  if (files === options.files) return openBest(options);
  const widened = await attempt(() => openBest({ ...options, files }));
  if (!(widened instanceof FailureError)) return widened;
  if (widened.failure.code !== 'OUT_OF_MEMORY') throw widened;
  return openBest(options);
}

async function withoutInt8(files: ModelFiles): Promise<ModelFiles> {
  if (!roundsTogether(decodeModel(files.model))) return files;
  const { widenInt8 } = await import('../rewrite/widen-int8.ts');
  return widenInt8(files);
}

async function openBest(options: OpenTestedOptions): Promise<Network> {
  const { files, config, backend, findGpu = openGpu } = options;
  const plan = planNetwork(files.model, config);
  checkVocabulary(plan, options);
  if (backend === 'webgpu') return openOnGpu(options, plan, await findGpu());
  // Dynamic int8 is made for processors, and its parity cannot be checked closely.
  const search = backend === undefined && !plan.runsAlone ? findGpu() : undefined; // goes on while WASM is opened
  const wasm = await attempt(() => openCandidate(options, plan, { kind: 'wasm' }));
  const gpu = await search;
  if (gpu && !gpu.isSoftware) return openFaster(options, plan, { wasm, gpu });
  if (wasm instanceof FailureError) throw wasm;
  return onlyOne(wasm, options, reasonOf(backend, plan, gpu));
}

async function openOnGpu(options: OpenTestedOptions, plan: NetworkPlan, gpu: Gpu | undefined): Promise<Network> {
  if (gpu === undefined)
    throw new FailureError('MODEL_UNAVAILABLE', 'WebGPU was asked for, and this browser offers no adapter');
  const candidate = await openCandidate(options, plan, { kind: 'webgpu', device: gpu.device });
  return onlyOne(candidate, options, `asked for (${gpu.description})`);
}

function reasonOf(backend: BackendKind | undefined, { runsAlone }: NetworkPlan, gpu: Gpu | undefined): string {
  if (backend !== undefined) return 'asked for';
  if (runsAlone) return 'dynamic int8 runs on processors';
  return gpu ? `the only GPU is software (${gpu.description})` : 'no WebGPU here';
}

/** A larger id reads outside the table, on some backends in silence. @throws {FailureError} MODEL_UNAVAILABLE */
export function checkVocabulary(plan: NetworkPlan, { vocabulary, files: { embedTokens } }: OpenTestedOptions): void {
  const rows = plan.tableRows ?? (embedTokens && rowsOfTable(decodeModel(embedTokens.model)));
  if (rows === undefined || vocabulary === undefined || vocabulary <= rows) return;
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `tokenizer.json: its ids go up to ${vocabulary - 1}, and the network's table of word embeddings has ${rows} rows: ` +
      'the two are of different models',
  );
}

/** Compares the network on WASM, or the reason why it cannot be opened there, with the network on a GPU. */
async function openFaster(
  options: OpenTestedOptions,
  plan: NetworkPlan,
  { wasm, gpu }: { readonly wasm: Candidate | FailureError; readonly gpu: Gpu },
): Promise<Network> {
  const webgpu = await releaseOnError(
    async () => (wasm instanceof FailureError ? undefined : wasm.network.release()),
    () => attempt(() => openCandidate(options, plan, { kind: 'webgpu', device: gpu.device })),
  );
  if (wasm instanceof FailureError) {
    if (!(webgpu instanceof FailureError)) return onlyOne(webgpu, options, `WASM was refused: ${wasm.message}`);
    throw new FailureError(wasm.failure.code, `WASM: ${wasm.message}; WebGPU: ${webgpu.message}`);
  }
  if (webgpu instanceof FailureError) return onlyOne(wasm, options, `WebGPU was refused: ${webgpu.message}`);
  const { difference, limit, agrees } = compared(webgpu.test.longRun, wasm.test.longRun, PARITY[plan.precision]);
  if (!agrees) {
    await webgpu.network.release();
    const figures = `results differ by ${difference.toPrecision(2)}, at most ${limit.toPrecision(2)}`;
    return onlyOne(wasm, options, `WebGPU (${gpu.description}) was refused: ${figures}`);
  }
  const both = { wasm: wasm.network, webgpu: webgpu.network, description: gpu.description };
  const { network, reason } = await fasterOf(both, bytesOf(options.files));
  return chosen(network, options, `${reason}; results differ by ${difference.toPrecision(2)}${webgpu.note ?? ''}`);
}

function bytesOf({ model, external }: ModelFiles): number {
  return external.reduce((sum, { data }) => sum + data.byteLength, model.byteLength);
}

function onlyOne({ network, test, note = '' }: Candidate, options: OpenTestedOptions, why: string): Network {
  const time = `${LONG_TOKENS} tokens in ${test.longRunMs.toFixed(1)} ms`;
  return chosen(network, options, `${why}; ${time}, self-test within ${test.largestDifference.toPrecision(2)}${note}`);
}

function chosen(network: Network, { runtime }: OpenTestedOptions, reason: string): Network {
  const threads = network.backend.kind === 'wasm' ? ` (${runtime.threadReason})` : '';
  return { ...network, backend: { ...network.backend, reason: `${reason}${threads}` } };
}

interface Candidate {
  readonly network: Network;
  readonly test: SelfTest;
  /** What did not go as planned, for the reason of the device. */
  readonly note?: string;
}

/** What a network is opened from, on a backend that is still to be chosen. */
export interface OpenTestedOptions {
  readonly runtime: Pick<BrowserRuntime, 'ort' | 'threads' | 'threadReason'>;
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  /** Ids of the folder's tokenizer are below this; left out: not compared with the network. */
  readonly vocabulary?: number;
  /** Use this one and measure no other. */
  readonly backend?: BackendKind | undefined;
  /** Called when an opened network is about to be tested. */
  readonly onTest?: () => void;
  readonly findGpu?: () => Promise<Gpu | undefined>;
  /** As `OpenOptions.queue`. */
  readonly queue?: RunQueue;
}

/** The form in which a device computes a network sooner: small passes cost a GPU their number of kernels. */
const formOn = async ({ kind }: SessionDevice) =>
  kind === 'webgpu' ? (await import('../rewrite/fused-form.ts')).FUSED_FORM : undefined;

/**
 * Opens and tests. On a GPU the fused form comes first, and the primitive one where it is refused. On WebAssembly, packed weights are
 * widened where memory allows; a graph that computes wrong numbers from shared ids is tried again without sharing them.
 */
export async function openCandidate(
  options: OpenTestedOptions,
  plan: NetworkPlan,
  on: SessionDevice,
): Promise<Candidate> {
  const files = await widenedFor(options.files, plan, on);
  const form = await formOn(on);
  if (form) {
    const plan = planNetwork(files.model, options.config, form);
    const fused = await attempt(() => openPlanned({ ...options, files }, plan, on));
    if (!(fused instanceof FailureError)) return fused;
    if (fused.failure.code !== 'MODEL_UNAVAILABLE') throw fused;
    const primitive = await openPlanned({ ...options, files }, planNetwork(files.model, options.config), on);
    return { ...primitive, note: `; fused operators were refused: ${fused.message}` };
  }
  if (files === options.files) return openPlanned(options, plan, on);
  const widened = await attempt(() => openPlanned({ ...options, files }, planNetwork(files.model, options.config), on));
  if (!(widened instanceof FailureError)) return widened;
  if (widened.failure.code !== 'OUT_OF_MEMORY') throw widened;
  return openPlanned(options, plan, on);
}

/** The network as this device computes it best: 16-bit floats in 32 where it lacks them, packed weights widened on WebAssembly. */
export async function widenedFor(
  files: ModelFiles,
  { precision }: NetworkPlan,
  on: SessionDevice,
): Promise<ModelFiles> {
  if (on.kind === 'remote') return files;
  const lacksHalves = on.kind === 'wasm' || !on.device.features.has('shader-f16');
  const isHalf = precision === 'float16' && lacksHalves;
  const { nodes } = decodeModel(files.model);
  const isPacked = on.kind === 'wasm' && nodes.some(({ operator }) => operator === 'MatMulNBits');
  if (!isHalf && !isPacked) return files;
  const { widenHalves, widenWeights } = await import('../rewrite/widen-weights.ts');
  const floats = isHalf ? widenHalves(files) : files;
  return isPacked ? widenWeights(floats) : floats;
}

async function openPlanned(options: OpenTestedOptions, plan: NetworkPlan, on: SessionDevice): Promise<Candidate> {
  const { runtime, files, config, queue } = options;
  const backend: Backend = { kind: on.kind, threads: on.kind === 'wasm' ? runtime.threads : 1, reason: 'being tested' };
  const network = await openNetwork({ ort: runtime.ort, files, config, on, backend, plan, queue });
  options.onTest?.();
  const found = await releaseOnError(
    () => network.release(),
    () => orFault(() => tested(network, plan, on)),
  );
  if (typeof found !== 'string') return found;
  await network.release();
  if (plan.sharesIds) return openPlanned(options, { ...plan, sharesIds: false }, on);
  throw new FailureError('MODEL_UNAVAILABLE', `${on.kind} computes wrong numbers for this network: ${found}`);
}

/** The network with what its self-test and its passes have shown; or the fault that was found. */
async function tested(network: Network, plan: NetworkPlan, on: SessionDevice): Promise<Candidate | string> {
  const test = await (plan.keptBecause === undefined ? selfTest : readerTest)(network, plan.precision);
  if (test.fault !== undefined) return test.fault;
  const shown = asTested(network, test, plan);
  if (on.kind === 'remote') return { network: shown, test }; // requests overlap: times of single ones say little
  const memoryBytes = on.kind === 'webgpu' ? passBytesOn(on.device) : WASM_PASS_BYTES;
  return { network: { ...shown, costs: await measureCosts(shown, memoryBytes) }, test };
}

/** A run that ONNX Runtime cannot finish is as wrong as one with other numbers. */
async function orFault(test: () => Promise<Candidate | string>): Promise<Candidate | string> {
  try {
    return await test();
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error)) throw error;
    return error.message;
  }
}

/** Logits of a network that sees later tokens do not predict the next one (BERT's masked-word head). */
function asTested(network: Network, { isCausal, takesPadding }: SelfTest, plan: NetworkPlan): Network {
  // Dynamic int8 rounds all positions together, so that none stays quite unchanged; a graph with a past is a decoder.
  const predicts = isCausal || (plan.runsAlone && plan.kvCache.length > 0);
  const vocabulary = predicts ? network.shape.vocabulary : 0;
  return { ...network, shape: { ...network.shape, vocabulary, takesPadding } };
}

/** What a network is opened from and where it runs. */
export interface OpenOptions {
  readonly ort: Ort;
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  readonly on: SessionDevice;
  readonly backend: Backend;
  /** Rewritten before, when the same file is opened on several backends. */
  readonly plan?: NetworkPlan;
  /** Decides when a pass starts. Left out: one at a time in this thread. */
  readonly queue?: RunQueue | undefined;
}

/** A GPU's driver compiles the shaders during the first passes: more than 15 s on a software GPU of a busy machine. */
const SHADERS_MS = 20_000;

/** Rewrites a file and opens it. @throws {FailureError} MODEL_UNAVAILABLE with the reason, when either fails */
export async function openNetwork(options: OpenOptions): Promise<Network> {
  const { ort, files, config, on, backend, queue = runtimeQueue } = options;
  const plan = options.plan ?? planNetwork(files.model, config, await formOn(on));
  if (on.kind === 'webgpu' && plan.precision === 'float16' && !on.device.features.has('shader-f16'))
    throw new FailureError('MODEL_UNAVAILABLE', 'the network computes in 16-bit floats, which this GPU does not offer');
  const guard = guardOf(on.kind === 'webgpu' ? on.device : null);
  const table = await guard(() => tableOf(ort, plan, files));
  const session = await releaseOnError(
    async () => table?.release(),
    () => queue(() => guard(() => sessionOf(ort, plan, files, on))),
  );
  const plainSteps = on.kind === 'wasm' ? createPlainSteps(ort, plan, files, guard) : undefined;
  const timer = createPassTimer(on.kind === 'webgpu' ? SHADERS_MS : 0);
  try {
    const parts = { ort, session, table, plainSteps, guard, timer, queue };
    return await createNetwork(plan, parts, backend, config);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const cause = messageOf(error);
    throw new FailureError('MODEL_UNAVAILABLE', `ONNX Runtime cannot run the network on ${on.kind}: ${cause}`);
  }
}

async function tableOf(ort: Ort, plan: NetworkPlan, { embedTokens }: ModelFiles): Promise<EmbeddingTable | undefined> {
  if (!hasInput(plan, 'embeddings')) return undefined;
  if (embedTokens) return runtimeQueue(() => openEmbeddingTable(ort, embedTokens));
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    'the network takes embeddings instead of token ids, and its folder has no onnx/embed_tokens file to look them up in',
  );
}

/** Weights are read from the original file's bytes; the KV cache stays on the GPU. */
function sessionOf(ort: Ort, plan: NetworkPlan, files: ModelFiles, on: SessionDevice): Promise<Session> {
  const external = [{ path: ORIGINAL_FILE, data: files.model }, ...files.external];
  const staying = plan.kvCache.map(({ output }) => output);
  return openSession(ort, { model: plan.skeleton, external }, on, { staying, onProcessor: plan.onProcessor });
}
