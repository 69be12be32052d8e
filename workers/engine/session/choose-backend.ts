import { FailureError } from '../../../src/contract/failure.ts';
import type { BackendKind } from '../../../src/protocol/model-job.ts';
import { differenceOf, magnitudeOf } from '../../kernels/float-arrays.ts';
import { rowsOfTable } from '../analysis/weight-shapes.ts';
import type { SelfTest } from '../checks/self-test.ts';
import { LONG_TOKENS } from '../checks/test-runs.ts';
import { orRelease } from '../device/or-release.ts';
import { decodeModel } from '../codec/model-proto.ts';
import type { Network } from '../network.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import { planNetwork } from '../rewrite/plan-network.ts';
import { openGpu, type Gpu } from './gpu-device.ts';
import { type ChoiceOptions, openCandidate, type Candidate } from './open-tested.ts';
import type { SessionDevice } from './session.ts';

/** Backends that agree differ by no more than this share of the largest logit. */
const PARITY = { float32: 1e-2, float16: 5e-2, int8: 0.25 } as const;

/**
 * Opens a network on the backend that is faster here, for this network. Each candidate passes the self-test and their
 * results agree, or it is refused with the numbers. A software GPU is tried only when asked for.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when no backend computes right numbers, with the reason of each; OUT_OF_MEMORY
 */
export async function openOnBestBackend(options: ChoiceOptions): Promise<Network> {
  const { files, config, backend, findGpu = openGpu } = options;
  const plan = planNetwork(files.model, config);
  checkVocabulary(plan, options);
  // Dynamic int8 is made for processors, and its parity cannot be checked closely.
  const wanted = backend ?? (plan.runsAlone ? 'wasm' : undefined);
  const gpu = wanted === 'wasm' ? undefined : await findGpu();
  if (backend !== undefined) return openAsked(options, plan, backend, gpu);
  if (plan.runsAlone) {
    const { network, test } = await openCandidate(options, plan, { kind: 'wasm' });
    return named(network, options, `dynamic int8 runs on processors; ${timing(test)}`);
  }
  if (gpu === undefined || gpu.isSoftware) {
    const why = gpu ? `the only GPU is software (${gpu.description})` : 'no WebGPU here';
    const { network, test } = await openCandidate(options, plan, { kind: 'wasm' });
    return named(network, options, `${why}; ${timing(test)}`);
  }
  return openFaster(options, plan, gpu);
}

/**
 * An id behind the table's end reads what is not there: an error on one backend, wrong numbers on another.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with both numbers
 */
export function checkVocabulary(plan: NetworkPlan, { vocabulary, files: { embedTokens } }: ChoiceOptions): void {
  const rows = plan.tableRows ?? (embedTokens && rowsOfTable(decodeModel(embedTokens.model)));
  if (rows === undefined || vocabulary === undefined || vocabulary <= rows) return;
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `tokenizer.json: its ids go up to ${vocabulary - 1}, and the network's table of word embeddings has ${rows} rows: ` +
      'the two are of different models',
  );
}

async function openAsked(
  options: ChoiceOptions,
  plan: NetworkPlan,
  kind: BackendKind,
  gpu: Gpu | undefined,
): Promise<Network> {
  if (kind === 'webgpu' && gpu === undefined)
    throw new FailureError('MODEL_UNAVAILABLE', 'WebGPU was asked for, and this browser offers no adapter');
  const on: SessionDevice = kind === 'webgpu' && gpu ? { kind, device: gpu.device } : { kind: 'wasm' };
  const { network, test } = await openCandidate(options, plan, on);
  return named(network, options, `asked for${gpu ? ` (${gpu.description})` : ''}; ${timing(test)}`);
}

async function openFaster(options: ChoiceOptions, plan: NetworkPlan, gpu: Gpu): Promise<Network> {
  const wasm = await attempt(() => openCandidate(options, plan, { kind: 'wasm' }));
  const webgpu = await orRelease(
    async () => ('failure' in wasm ? undefined : wasm.network.release()),
    () => attempt(() => openCandidate(options, plan, { kind: 'webgpu', device: gpu.device })),
  );
  if ('failure' in wasm && 'failure' in webgpu)
    throw new FailureError(
      wasm.failure.failure.code,
      `WASM: ${wasm.failure.message}; WebGPU: ${webgpu.failure.message}`,
    );
  if ('failure' in wasm) return onlyOne(webgpu, options, `WASM was refused: ${wasm.failure.message}`);
  if ('failure' in webgpu) return onlyOne(wasm, options, `WebGPU was refused: ${webgpu.failure.message}`);
  const difference = differenceOf(webgpu.test.longRun, wasm.test.longRun);
  const limit = PARITY[plan.precision] * (1 + magnitudeOf(wasm.test.longRun));
  const agreement = `results differ by ${difference.toPrecision(2)}`;
  const isWrong = !(difference <= limit);
  const winner = isWrong || wasm.test.longRunMs <= webgpu.test.longRunMs ? wasm : webgpu;
  const loser = winner === wasm ? webgpu : wasm;
  await loser.network.release();
  const verdict = isWrong
    ? `WebGPU (${gpu.description}) was refused: ${agreement}, at most ${limit.toPrecision(2)}`
    : agreement;
  const names = winner === wasm ? 'WASM against WebGPU' : `WebGPU (${gpu.description}) against WASM`;
  const times = `${winner.test.longRunMs.toFixed(1)} against ${loser.test.longRunMs.toFixed(1)} ms for ${LONG_TOKENS} tokens`;
  return named(winner.network, options, `${names}: ${times}; ${verdict}`);
}

function onlyOne(
  candidate: Candidate | { readonly failure: FailureError },
  options: ChoiceOptions,
  why: string,
): Network {
  if ('failure' in candidate) throw candidate.failure;
  return named(candidate.network, options, `${why}; ${timing(candidate.test)}`);
}

function named(network: Network, { runtime }: ChoiceOptions, reason: string): Network {
  const threads = network.backend.kind === 'wasm' ? ` (${runtime.threadReason})` : '';
  return { ...network, backend: { ...network.backend, reason: `${reason}${threads}` } };
}

function timing({ longRunMs, largestDifference }: SelfTest): string {
  return `${LONG_TOKENS} tokens in ${longRunMs.toFixed(1)} ms, self-test within ${largestDifference.toPrecision(2)}`;
}

async function attempt(open: () => Promise<Candidate>): Promise<Candidate | { readonly failure: FailureError }> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof FailureError && error.failure.code !== 'DEVICE_LOST') return { failure: error };
    throw error;
  }
}
