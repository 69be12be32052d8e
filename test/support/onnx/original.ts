import { place, testRuntime } from './place.ts';
import { fromHalf } from '../../../src/formats/safetensors.ts';
import { decodeModel } from '../../../workers/engine/codec/model-proto.ts';
import { FUSED_FORM } from '../../../workers/engine/rewrite/fused-form.ts';
import { angleNodes, planNetwork } from '../../../workers/engine/rewrite/plan-network.ts';
import { inferTypes } from '../../../workers/engine/analysis/graph-traversal.ts';
import { originalFeed } from '../files/original-feed.ts';
import { readNetworkConfig } from '../../../workers/engine/analysis/network-inputs.ts';
import type { Network } from '../../../workers/engine/network.ts';
import { openGpu } from '../../../workers/engine/session/gpu-device.ts';
import { openNetwork } from '../../../workers/engine/session/open-network.ts';
import type { GraphFiles, Ort, Tensor, SessionDevice } from '../../../workers/engine/session/session.ts';

/** The device of this place; software WebGPU counts. */
export async function deviceHere(): Promise<SessionDevice> {
  if (place.backend === 'wasm') return { kind: 'wasm' };
  const gpu = await openGpu();
  if (gpu === undefined) throw new Error('no WebGPU adapter: is the switch --enable-unsafe-webgpu on?');
  return { kind: 'webgpu', device: gpu.device };
}

/** A file, rewritten and opened on the backend of this place; `embedTokens` beside one that is fed embeddings; `form` other than the place's. */
export async function openHere(
  model: Uint8Array,
  config: object = {},
  external: GraphFiles['external'] = [],
  embedTokens?: Uint8Array,
  form?: 'primitive' | 'fused',
): Promise<Network> {
  const { ort, threads } = await testRuntime();
  const on = await deviceHere();
  const backend = { kind: on.kind, threads, reason: 'asked for by a test' };
  const table = embedTokens && { embedTokens: { model: embedTokens, external: [] } };
  const options = { ort, files: { model, external, ...table }, config: readNetworkConfig(config), on, backend };
  return openNetwork(
    form
      ? { ...options, plan: planNetwork(model, options.config, form === 'fused' ? FUSED_FORM : undefined) }
      : options,
  );
}

/** What a file needs beside itself. */
export interface OriginalParts {
  readonly external?: GraphFiles['external'];
  /** What is fed for the ids where the file takes `inputs_embeds`, `[ids, width]`. */
  readonly embeddings?: Float32Array;
  /** Left out: the device of this place. A GPU without 16-bit floats refuses a file that computes with them. */
  readonly on?: SessionDevice;
}

/**
 * One pass through the file as it was exported, without a past. A GPU's own sines would tell more of the GPU than of the
 * rewrite, so they are computed where the rewrite has them computed.
 *
 * @returns float32 values of the output
 */
export async function runOriginal(
  model: Uint8Array,
  ids: readonly number[],
  output = 'logits',
  { external = [], embeddings, on: asked }: OriginalParts = {},
): Promise<Float32Array> {
  const { ort } = await testRuntime();
  const on = asked ?? (await deviceHere());
  const angles = exactAngles(model);
  const named = angles.length > 0 && { forceCpuNodeNames: angles };
  const provider = on.kind === 'webgpu' ? { name: 'webgpu', device: on.device, ...named } : 'wasm';
  const options = { executionProviders: [provider], externalData: [...external], logSeverityLevel: 4 } as const;
  const session = await ort.InferenceSession.create(model, options);
  try {
    const feeds = decodeModel(model).inputs.map((input) => [
      input.name,
      input.name === 'inputs_embeds' ? embeddingsFeed(ort, ids, embeddings) : originalFeed(ort, input, ids),
    ]);
    const fetched = await session.run(Object.fromEntries(feeds), [output]);
    const data = await fetched[output]?.getData(true);
    return data instanceof Float32Array ? data : halves(data);
  } finally {
    await session.release();
  }
}

/** Names of the nodes that compute angles; those that an exporter left without a name stay on the GPU. */
function exactAngles(file: Uint8Array): string[] {
  const model = decodeModel(file);
  return [...angleNodes(model, inferTypes(model))].map(({ name }) => name).filter(Boolean);
}

function halves(data: unknown): Float32Array {
  if (!ArrayBuffer.isView(data)) throw new TypeError('an output without numbers');
  return Float32Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), fromHalf);
}

function embeddingsFeed(ort: Ort, { length }: readonly number[], rows: Float32Array = new Float32Array(0)): Tensor {
  return new ort.Tensor('float32', rows, [1, length, rows.length / length]);
}
