import { explainJob as anyExplainJob } from '../test/support/fakes/jobs.ts';
import { BENCH_SIZES, randomDecoder } from '../test/support/onnx/decoder.ts';
import type { DecoderSizes } from '../test/support/onnx/decoder-weights.ts';
import { builderDecoder, type StoredAs } from '../test/support/onnx/builder-decoder.ts';
import { type NetworkName, TARGET_TOKENS } from './screen/tasks.ts';
import { createCatalogue, embeddedModels } from '../src/models/catalogue.ts';
import type { ExplainJob } from '../src/protocol/jobs.ts';
import { readNetworkConfig, type NetworkConfig } from '../workers/engine/analysis/network-inputs.ts';
import type { LoadedModel } from '../workers/engine/engine.ts';
import { loadFiles } from '../workers/engine/loading/model-files.ts';
import { createTokenizer } from '../workers/engine/loading/tokenizer.ts';
import { browserRuntime } from '../workers/engine/session/browser-runtime.ts';
import { planNetwork } from '../workers/engine/rewrite/plan-network.ts';
import { openNetwork, widenedFor } from '../workers/engine/session/open-network.ts';
import { type ModelFiles, openSession, type SessionDevice, type Tensor } from '../workers/engine/session/session.ts';

const { preferred: embedded, find } = createCatalogue(embeddedModels(new URL('/models/', self.location.origin).href));

/** Models that ship. */
const SHIPPED = { embedded, embedder: find('lightwell-embed'), reader: find('lightwell-reader') };

/** A network under measurement, as it was exported. */
interface Exported {
  readonly files: ModelFiles;
  readonly config: NetworkConfig;
  readonly keyHeads: number;
  /** Of its keys and values. */
  readonly float: 'float32' | 'float16';
}

/** A network under measurement: the files as they were exported, and what the engine made of them. */
export interface BenchModel {
  readonly exported: Exported;
  readonly loaded: LoadedModel;
}

/** Files of a network, nothing opened. */
export async function exportedModel(name: NetworkName): Promise<Exported> {
  return exportedIn(name, await folderOf(name));
}

/** Opens a network. The random ones borrow the embedded model's tokenizer, whose ids they all know. */
export async function openBenchModel(
  name: NetworkName,
  on: SessionDevice = { kind: 'wasm' },
  wantsSteering = false,
): Promise<BenchModel> {
  const folder = await folderOf(name);
  const { files: _, vision: __, tokenizerJson, tokenizerConfig, ...rest } = folder;
  const tokenizer = createTokenizer(tokenizerJson, tokenizerConfig);
  const runtime = browserRuntime();
  const plain = exportedIn(name, folder);
  const exported = { ...plain, config: { ...plain.config, wantsSteering } };
  const { files, config } = exported;
  const network = await openNetwork({
    ort: runtime.ort,
    files: on.kind === 'wasm' ? files : await widenedFor(files, planNetwork(files.model, config), on),
    config,
    on,
    backend: { kind: on.kind, threads: runtime.threads, reason: 'measured here' },
  });
  return { exported, loaded: { network, tokenizer, ...rest } };
}

type Folder = Awaited<ReturnType<typeof loadFiles>>;

function folderOf(name: NetworkName): Promise<Folder> {
  return loadFiles((isRandom(name) ? undefined : SHIPPED[name]) ?? embedded, () => undefined);
}

function exportedIn(name: NetworkName, folder: Folder): Exported {
  return isRandom(name) ? randomFile(RANDOM[name]) : embeddedFile(folder);
}

/** What a network with random weights is; undefined for one that ships. */
export function randomNetwork(name: NetworkName): RandomNetwork | undefined {
  return isRandom(name) ? RANDOM[name] : undefined;
}

function isRandom(name: NetworkName): name is keyof typeof RANDOM {
  return name in RANDOM;
}

/** Shape of SmolLM2-135M. */
const SIZES_135M = {
  layers: 30,
  width: 576,
  heads: 9,
  keyHeads: 3,
  headSize: 64,
  innerWidth: 1536,
  vocabulary: 49_152,
  contextTokens: 4608,
  epsilon: 1e-5,
  rotaryBase: 100_000,
} as const satisfies DecoderSizes;

/** Shape of Qwen3-0.6B, but for the norms of its queries and keys. */
const SIZES_600M = {
  layers: 28,
  width: 1024,
  heads: 16,
  keyHeads: 8,
  headSize: 128,
  innerWidth: 3072,
  vocabulary: 151_936,
  contextTokens: 4608,
  epsilon: 1e-6,
  rotaryBase: 1_000_000,
} as const satisfies DecoderSizes;

/** Random weights, written as Optimum writes a file, or `storedAs` as the model builder of ONNX Runtime GenAI does. */
export interface RandomNetwork {
  readonly sizes: DecoderSizes;
  readonly storedAs?: StoredAs;
  /** A software adapter takes minutes for it. */
  readonly needsCard?: boolean;
}

const RANDOM = {
  random: { sizes: { ...BENCH_SIZES, contextTokens: 4608 } },
  '135M': { sizes: SIZES_135M, needsCard: true },
  'random fp32': { sizes: BENCH_SIZES, storedAs: 'fp32' },
  'random q4f16': { sizes: BENCH_SIZES, storedAs: 'q4f16' },
  '135M fp32': { sizes: SIZES_135M, storedAs: 'fp32', needsCard: true },
  '135M fp16': { sizes: SIZES_135M, storedAs: 'fp16', needsCard: true },
  '135M q4f16': { sizes: SIZES_135M, storedAs: 'q4f16', needsCard: true },
  '600M q4f16': { sizes: SIZES_600M, storedAs: 'q4f16', needsCard: true },
} as const satisfies Record<string, RandomNetwork>;

function embeddedFile({ files, config }: Folder): Exported {
  return { files, config: readNetworkConfig(config), keyHeads: 8, float: 'float32' };
}

function randomFile({ sizes, storedAs }: RandomNetwork): Exported {
  const { layers, headSize, contextTokens, keyHeads } = sizes;
  const model = storedAs ? builderDecoder(sizes, storedAs) : randomDecoder(1, sizes);
  const config = { layers, headSize, contextTokens, paddingId: 0 };
  const float = (storedAs ?? 'fp32') === 'fp32' ? 'float32' : 'float16';
  return { files: { model, external: [] }, config, keyHeads, float };
}

/** Ids that all networks know, no two neighbours alike. */
export function sectionIds(tokens: number): number[] {
  return Array.from({ length: tokens }, (_, i) => 300 + ((i * 37) % 3000));
}

/** An explanation of `tokens` sections of one token each, for a target of 8, and a foil where it has tokens. */
export function explainJob(tokens: number, foilTokens = 0): ExplainJob {
  return anyExplainJob({
    model: embedded,
    prompt: { path: 'prompt', items: [{ type: 'token_ids', ids: sectionIds(tokens), controls: [] }] },
    target: ' the'.repeat(TARGET_TOKENS),
    foil: foilTokens > 0 ? ' of'.repeat(foilTokens) : null,
    target_granularity: 'complete',
  });
}

/**
 * One full forward pass of the file as it was exported, the look-up of word embeddings included, all logits read back:
 * what an explanation is compared with. Word embeddings are looked up on WebAssembly.
 *
 * @returns a function that runs the pass
 */
export async function forwardOf(
  { files, config, keyHeads, float }: Exported,
  tokens: number,
  on: SessionDevice = { kind: 'wasm' },
) {
  const { ort } = browserRuntime();
  const table = files.embedTokens?.model;
  const session = await openSession(ort, files, on);
  const lookUp = table && (await openSession(ort, { model: table, external: [] }, { kind: 'wasm' }));
  const whole = (values: readonly number[]) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, tokens]);
  const positions = Array.from({ length: tokens }, (_, i) => i);
  const ids = whole(sectionIds(tokens));
  const given: Record<string, Tensor> = {
    input_ids: ids,
    attention_mask: whole(positions.map(() => 1)),
    position_ids: whole(positions),
  };
  const noPast = [1, keyHeads, 0, config.headSize ?? 0];
  const nothing = float === 'float16' ? new Uint16Array(0) : new Float32Array(0);
  const feeds: Record<string, Tensor> = {};
  for (const name of session.inputNames)
    if (name !== 'inputs_embeds') feeds[name] = given[name] ?? new ort.Tensor(float, nothing, noPast);
  return async () => {
    const embedded = lookUp && (await lookUp.run({ input_ids: ids }, ['inputs_embeds']));
    const { logits } = await session.run({ ...feeds, ...embedded }, ['logits']);
    await logits?.getData();
    logits?.dispose();
  };
}
