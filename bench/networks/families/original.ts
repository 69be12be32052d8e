import { decodeModel } from '../../../workers/engine/codec/model-proto.ts';
import { fromHalf } from '../../../src/formats/safetensors.ts';
import type { Ort } from '../../../workers/engine/session/session.ts';
import { originalFeed } from '../../../test/support/files/original-feed.ts';

/** A file as it was exported, ready to run over some ids. */
export interface Original {
  /** The result by which it is compared. */
  readonly name: string;
  readonly values: Float32Array;
  /** Runs it once more, over the first ids. */
  run(): Promise<void>;
  release(): Promise<void>;
}

/** Results by which a graph is compared with its file. */
const RESULTS = ['logits', 'last_hidden_state', 'start_logits', 'last_state'];

/** undefined where ONNX Runtime cannot run the file here, or where it has none of the results. */
export async function openOriginal(ort: Ort, file: Uint8Array, ids: Int32Array): Promise<Original | undefined> {
  const { inputs, outputs } = decodeModel(file);
  const name = RESULTS.find((wanted) => outputs.some((output) => output.name === wanted));
  if (name === undefined) return undefined;
  const session = await ort.InferenceSession.create(file, { executionProviders: ['wasm'], logSeverityLevel: 4 }).catch(
    () => undefined, // a kernel that there is on GPUs only: what the rewrite makes of the graph runs nevertheless
  );
  if (session === undefined) return undefined;
  try {
    const feeds = Object.fromEntries(inputs.map((input) => [input.name, originalFeed(ort, input, [...ids])]));
    const fetched = await session.run(feeds, [name]);
    const values = floatsIn(await fetched[name]?.getData(true));
    return { name, values, run: async () => void (await session.run(feeds, [name])), release: () => session.release() };
  } catch {
    await session.release();
    return undefined;
  }
}

function floatsIn(data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (!ArrayBuffer.isView(data)) throw new TypeError('expected an output with numbers');
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalf);
}
