import type { PassCosts } from '../../kernels/batch-plan.ts';
import { costsOf, type Network } from '../network.ts';

/** A network that computes the same numbers on WebAssembly and on a GPU. */
interface OnBoth {
  readonly wasm: Network;
  readonly webgpu: Network;
  /** Of the GPU. */
  readonly description: string;
}

/** Positions that an explanation of 40 words computes (`npm run bench -- --only gpu`). */
const BATCH_POSITIONS = 2_000;

/** Weights of larger files are not held on two devices. */
const HELD_TWICE_BYTES = 512 * 2 ** 20;

/**
 * The network on the device where a batch, as explanations, embeddings and readings run it, takes less time. Where that is the
 * GPU, and a written token takes less time on WebAssembly, the network has a writer there. What is not used is released.
 *
 * @param fileBytes  of its weights
 * @returns          the network, and why it runs there, with both times
 */
export async function fasterOf(
  { wasm, webgpu, description }: OnBoth,
  fileBytes: number,
): Promise<{ readonly network: Network; readonly reason: string }> {
  const [wasmMs, webgpuMs] = [batchMs(costsOf(wasm)), batchMs(costsOf(webgpu))];
  if (wasmMs <= webgpuMs) {
    await webgpu.release();
    return { network: wasm, reason: `WASM against WebGPU (${description}): ${timesOf(wasmMs, webgpuMs)}` };
  }
  const reason = `WebGPU (${description}) against WASM: ${timesOf(webgpuMs, wasmMs)}`;
  const [wasmTokenMs, webgpuTokenMs] = [tokenMs(costsOf(wasm)), tokenMs(costsOf(webgpu))];
  if (wasm.shape.vocabulary === 0 || wasmTokenMs >= webgpuTokenMs || fileBytes > HELD_TWICE_BYTES) {
    await wasm.release();
    return { network: webgpu, reason };
  }
  const writing = `WASM writes: ${wasmTokenMs.toFixed(1)} against ${webgpuTokenMs.toFixed(1)} ms for a token`;
  return { network: withWriter(webgpu, wasm), reason: `${reason}; ${writing}` };
}

function batchMs({ passMs, positionMs }: PassCosts): number {
  return passMs + BATCH_POSITIONS * positionMs;
}

function tokenMs({ passMs, positionMs }: PassCosts): number {
  return passMs + positionMs;
}

function timesOf(thisMs: number, otherMs: number): string {
  return `${thisMs.toFixed(1)} against ${otherMs.toFixed(1)} ms for ${BATCH_POSITIONS} positions`;
}

function withWriter(network: Network, writer: Network): Network {
  const release = async () => {
    await writer.release();
    await network.release();
  };
  return { ...network, writer, release };
}
