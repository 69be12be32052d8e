import { wasmBytes } from '../../watched-memory.ts';
import * as ort from 'onnxruntime-web/webgpu';
import { BENCH_SIZES, randomDecoder } from '../../../test/support/onnx/decoder.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';

/** What opening a network took. */
export interface Opened {
  readonly weights: number;
  /** By how much ONNX Runtime's heap has grown at most, in bytes. */
  readonly heap: number;
}

/** Sizes of networks, each about three times as large as the one before. */
const WIDTHS = [256, 512];

/** Opens networks of random weights as the app does, the smallest first: the heap never shrinks, so that it shows the largest. */
export async function heapOf(): Promise<readonly Opened[]> {
  ort.env.wasm.numThreads = 1; // Node's loader hides the script that threads need
  ort.env.logLevel = 'fatal';
  const rows: Opened[] = [];
  await open(randomDecoder(1, { ...BENCH_SIZES, width: 32, innerWidth: 64, vocabulary: 64 })); // starts the runtime
  const before = wasmBytes();
  for (const width of WIDTHS) {
    const sizes = { ...BENCH_SIZES, width, innerWidth: 3 * width, headSize: width / BENCH_SIZES.heads };
    const file = randomDecoder(1, sizes);
    await open(file);
    rows.push({ weights: file.byteLength, heap: wasmBytes() - before });
  }
  return rows;
}

async function open(file: Uint8Array): Promise<void> {
  const backend = { kind: 'wasm', threads: 1, reason: 'measured' } as const;
  const config = readNetworkConfig({});
  const network = await openNetwork({
    ort,
    files: { model: file, external: [] },
    config,
    on: { kind: 'wasm' },
    backend,
  });
  await network.release();
}
