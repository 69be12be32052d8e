import { FailureError } from '../../../../src/contract/failure.ts';
import type { BackendKind } from '../../../../src/protocol/model-job.ts';
import { differenceOf, magnitudeOf } from '../../../kernels/float-arrays.ts';
import type { Network } from '../../network.ts';

/** A network that was opened and tested on one device. */
export interface Tried {
  readonly network: Network;
  /** Logits behind the test's text. */
  readonly logits: Float32Array;
  /** What a step took. */
  readonly stepMs: number;
}

/** What devices are compared by. */
export interface Comparison {
  readonly open: (kind: BackendKind) => Promise<Tried>;
  /** How far their logits may be apart, as a share of 1 + the largest. */
  readonly parity: number;
  /** The GPU's name. */
  readonly gpu: string;
}

/**
 * Opens a network on the device that takes its steps faster, of those that compute the same. One is released before the other
 * is opened, because a network may fill half of the memory.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE with what is wrong on each, where it runs on neither
 */
export async function onFasterDevice({ open, parity, gpu }: Comparison): Promise<Network> {
  const wasm = await attempt(open, 'wasm');
  if (!('failure' in wasm)) await wasm.network.release();
  const webgpu = await attempt(open, 'webgpu');
  if ('failure' in webgpu) {
    if ('failure' in wasm)
      throw new FailureError(
        wasm.failure.failure.code,
        `WASM: ${wasm.failure.message}; WebGPU: ${webgpu.failure.message}`,
      );
    return again(open, `WebGPU was refused: ${webgpu.failure.message}`);
  }
  if ('failure' in wasm) return because(webgpu.network, `WASM was refused: ${wasm.failure.message}`);
  const difference = differenceOf(webgpu.logits, wasm.logits);
  const limit = parity * (1 + magnitudeOf(wasm.logits));
  const agreement = `results differ by ${difference.toPrecision(2)}`;
  const times = (one: Tried, other: Tried) =>
    `${one.stepMs.toFixed(1)} against ${other.stepMs.toFixed(1)} ms for a step`;
  if (difference <= limit && webgpu.stepMs < wasm.stepMs)
    return because(webgpu.network, `WebGPU (${gpu}) against WASM: ${times(webgpu, wasm)}; ${agreement}`);
  await webgpu.network.release();
  if (difference <= limit) return again(open, `WASM against WebGPU (${gpu}): ${times(wasm, webgpu)}; ${agreement}`);
  return again(open, `WebGPU (${gpu}) was refused: ${agreement}, at most ${limit.toPrecision(2)}`);
}

async function again(open: Comparison['open'], why: string): Promise<Network> {
  return because((await open('wasm')).network, why);
}

/** The same network, whose backend says why it is that one. */
export function because(network: Network, why: string): Network {
  const { backend } = network;
  return { ...network, backend: { ...backend, reason: `${backend.reason}; ${why}` } };
}

async function attempt(
  open: Comparison['open'],
  kind: BackendKind,
): Promise<Tried | { readonly failure: FailureError }> {
  try {
    return await open(kind);
  } catch (error) {
    if (error instanceof FailureError && error.failure.code !== 'DEVICE_LOST') return { failure: error };
    throw error;
  }
}
