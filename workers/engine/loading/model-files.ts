import type { JobProgress } from '../../../src/protocol/messages.ts';
import type { Model } from '../../../src/models/model.ts';
import { dataPath, checkEnds, externalData } from '../codec/data-files.ts';
import type { VisionFiles } from '../images/image-reader.ts';
import type { GraphFiles, ModelFiles } from '../session/session.ts';
import {
  digestOfFile,
  download,
  downloadJson,
  downloadJsonIfPresent,
  type DownloadOptions,
  downloadValueIfPresent,
  heldFile,
} from './download.ts';
import { isEncoderDecoder } from './model-types.ts';
import type { SentenceModules } from './sentence-modules.ts';

/** Ends of the model's file name by weight type, as the hub's ONNX repositories have them. @source transformers.js 4.3.1, dtypes.js */
const SUFFIXES: Readonly<Record<Model['dtype'], string>> = {
  fp32: '',
  fp16: '_fp16',
  q4: '_q4',
  q4f16: '_q4f16',
  q8: '_quantized',
};

/** Weight types, the most exact first; dynamic int8, which rounds activations too, is the last one. */
export const DTYPES = ['fp32', 'fp16', 'q4', 'q4f16', 'q8'] as const satisfies readonly Model['dtype'][];

/** Path of a graph in its folder, such as `onnx/model_q4.onnx` of `model`. */
export function graphPath(name: string, dtype: Model['dtype']): string {
  return `onnx/${name}${SUFFIXES[dtype]}.onnx`;
}

/** Graphs of models that have several, by the part of their names before the weight type; the one that predicts is the first. */
const PARTS = ['decoder_model_merged', 'encoder_model', 'embed_tokens', 'vision_encoder'];

/** Paths of the graphs of a weight type, as far as the folder has them; none where the one that predicts is missing. */
export function graphsIn(files: Readonly<Record<string, unknown>>, dtype: Model['dtype']): readonly string[] {
  const [whole, first, ...others] = ['model', ...PARTS].map((name) => graphPath(name, dtype));
  const has = (path = '') => Object.hasOwn(files, path);
  if (has(whole)) return [whole ?? ''];
  return has(first) ? [first ?? '', ...others.filter(has)] : [];
}

/** Whether a file is one of the graphs, or has data of one. */
export function isPartOf(graphs: readonly string[], path: string): boolean {
  return graphs.some((graph) => path === graph || path.startsWith(`${graph}_data`) || path.startsWith(`${graph}.data`));
}

/** Name of the graph that predicts. Older exports of decoders have the merged one alone. */
export function graphNameIn(files: Readonly<Record<string, unknown>> | undefined, readsImages: boolean): string {
  const has = (name: string) =>
    files !== undefined && DTYPES.some((dtype) => Object.hasOwn(files, graphPath(name, dtype)));
  return readsImages || (!has('model') && has('decoder_model_merged')) ? 'decoder_model_merged' : 'model';
}

/** Whether transformers.js runs the model as it was exported. */
export function runsAsExported({ tier, capabilities }: Pick<Model, 'tier' | 'capabilities'>): boolean {
  return tier === 'as_exported' && capabilities.includes('complete');
}

/** The files of a folder. */
export interface FolderFiles {
  /** `config.json`, parsed. */
  readonly config: object;
  readonly tokenizerJson: object;
  readonly tokenizerConfig: object;
  readonly files: ModelFiles;
  /** `config_sentence_transformers.json`, parsed, where a folder has one: the prompts. */
  readonly sentenceConfig?: object;
  /** The pooling: `modules.json` of sentence-transformers, where a folder has one, and the files that it names. */
  readonly sentenceModules?: SentenceModules;
  /** Of a model that can generate text. */
  readonly generation?: {
    /** `generation_config.json`, parsed: the ids that end a text; {} where there is none. */
    readonly config: object;
    /** The chat template, in Jinja; undefined for a model without one. */
    readonly chatTemplate?: string;
    /** Texts of special tokens that a template may name, such as `bos_token`. */
    readonly marks: Readonly<Record<string, string>>;
  };
  readonly vision?: VisionFiles;
}

type OptionsFor = (path: string) => DownloadOptions;

/**
 * Downloads a folder: `config.json`, `tokenizer.json`, `tokenizer_config.json`, `onnx/model<suffix>.onnx` (of older exports
 * `onnx/decoder_model_merged<suffix>.onnx`) and the data files that the graph names.
 *
 * - With a `vision_config` in `config.json`, the network is `decoder_model_merged`, with `embed_tokens` where the folder has it.
 * - A model that reads images has `preprocessor_config.json` and `vision_encoder`, which is downloaded when it is called for.
 * - A network with an encoder and a decoder that runs as exported has `encoder_model` as well.
 * - A model for semantic embeddings may have the files of sentence-transformers.
 *
 * @param onProgress  phase `download`, in bytes of all files; `total` is 0 where it is not known
 * @throws {FailureError} MODEL_UNAVAILABLE naming the URL
 * @throws {DOMException} AbortError
 */
export async function loadFiles(
  model: Model,
  onProgress: (progress: JobProgress) => void,
  { signal, runsElsewhere = false, wasm }: LoadOptions = {},
): Promise<FolderFiles> {
  const count = byteCounter(onProgress);
  const runtime = wasm === undefined ? undefined : fetchOnce(wasm, () => ({ onBytes: count(), signal }));
  const factsOf = (name: string) => ({ expected: model.files?.[name], held: heldFile(model.held, name) });
  const optionsFor = (name: string) => ({ onBytes: count(), signal, ...factsOf(name) });
  const [folder] = await Promise.all([loadFolderFiles(model, optionsFor, runsElsewhere), runtime]);
  const { preprocessor, ...files } = folder;
  if (preprocessor === undefined) return files;
  const noProgress = (name: string) => ({ onBytes: () => undefined, ...factsOf(name) });
  const encoder = () => downloadGraph(model, 'vision_encoder', noProgress);
  const { readImageProcessor } = await import('../images/image-reader.ts');
  return { ...files, vision: { encoder, processor: readImageProcessor(preprocessor, folder.config) } };
}

interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The network's passes run elsewhere: large data files of its graph are not fetched, only their SHA-256 is found. */
  readonly runsElsewhere?: boolean;
  /** Address of ONNX Runtime's WebAssembly, which is fetched as well. */
  readonly wasm?: string | undefined;
}

async function loadFolderFiles(
  model: Model,
  optionsFor: OptionsFor,
  runsElsewhere: boolean,
): Promise<FolderFiles & { readonly preprocessor?: object }> {
  const json = (name: string) => downloadJson(model.folder + name, optionsFor(name));
  const graph = (name: string) => downloadGraph(model, name, optionsFor);
  const config = await json('config.json');
  const readsImages = 'vision_config' in config;
  const name = graphNameIn(model.files, readsImages);
  const hasTable = model.files ? Object.hasOwn(model.files, graphPath('embed_tokens', model.dtype)) : readsImages;
  const [tokenizerJson, tokenizerConfig, network, encoder, embedTokens, preprocessor] = await Promise.all([
    json('tokenizer.json'),
    json('tokenizer_config.json'),
    runsElsewhere ? downloadOutline(model, name, optionsFor) : graph(name),
    isEncoderDecoder(config) && runsAsExported(model) ? graph('encoder_model') : null,
    hasTable ? graph('embed_tokens') : null,
    model.capabilities.includes('images') ? json('preprocessor_config.json') : null,
  ]);
  const [sentence, generation] = await Promise.all([
    loadSentenceFiles(model, optionsFor),
    loadGenerationFiles(model, tokenizerConfig, optionsFor),
  ]);
  const files = { ...network, ...(encoder && { encoder }), ...(embedTokens && { embedTokens }) };
  const optional = { ...sentence, ...(generation && { generation }), ...(preprocessor && { preprocessor }) };
  return { config, tokenizerJson, tokenizerConfig, files, ...optional };
}

/** One counter per file; their sum is reported. */
function byteCounter(onProgress: (progress: JobProgress) => void): () => DownloadOptions['onBytes'] {
  const files: { done: number; total: number }[] = [];
  return () => {
    const file = { done: 0, total: 0 };
    files.push(file);
    return (done, total) => {
      Object.assign(file, { done, total });
      const sum = (entry: 'done' | 'total') => files.reduce((all, each) => all + each[entry], 0);
      const all = { done: sum('done'), total: sum('total') };
      onProgress({ phase: 'download', done: all.done, total: all.done <= all.total ? all.total : 0 });
    };
  };
}

const fetched = new Set<string>();

/**
 * Fetches ONNX Runtime's WebAssembly into the browser's cache, from where it is compiled when the first session is opened.
 * ONNX Runtime would fetch it by itself, but would neither report progress nor notice a connection that stalls.
 *
 * @throws as `download`
 */
async function fetchOnce(url: string, options: () => DownloadOptions): Promise<void> {
  if (fetched.has(url)) return;
  await download(url, options());
  fetched.add(url);
}

type FetchFile = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

/** Bytes from which the weights of a file are freed while ONNX Runtime copies them. */
const LARGE_FILE = 2 ** 28;

/** A graph of the folder with the data files that it names. */
async function downloadGraph(model: Model, name: string, optionsFor: OptionsFor): Promise<GraphFiles> {
  const { folder, dtype, files = {} } = model;
  const graph = graphPath(name, dtype);
  // Other types may be widened for one device after a session was opened on another; transformers.js takes whole files.
  if (dtype === 'fp32' && !runsAsExported(model) && Object.values(files).some(({ bytes }) => bytes >= LARGE_FILE))
    return (await import('./large-file.ts')).fetchLargeGraph(graph, model, optionsFor, LARGE_FILE);
  return fetchGraph(graph, (path) => download(folder + path, optionsFor(path)));
}

/**
 * Data files of up to this size are fetched even where an engine elsewhere runs the passes, so that its numbers can be compared
 * with the page's own. Decided here: with a copy in the runtime's memory they take a quarter of a tab's memory.
 */
const COMPARED_BYTES = 512 * 2 ** 20;

/** A graph for passes that run elsewhere. */
async function downloadOutline(
  { folder, dtype, files }: Model,
  name: string,
  optionsFor: OptionsFor,
): Promise<ModelFiles> {
  const fetchFile: FetchFile = (path) => download(folder + path, optionsFor(path));
  const graph = graphPath(name, dtype);
  const model = await fetchFile(graph);
  const named = externalData(graph, model);
  const paths = [...named.keys()].map((file) => ({ file, path: dataPath(graph, file) }));
  const bytes = paths.reduce((sum, { path }) => sum + (files?.[path]?.bytes ?? Infinity), 0);
  if (bytes <= COMPARED_BYTES) return { model, external: await fetchData(graph, named, fetchFile) };
  const digests = paths.map(async ({ file, path }) => ({
    file,
    sha256: await digestOfFile(folder + path, optionsFor(path)),
  }));
  return { model, external: [], dataElsewhere: await Promise.all(digests) };
}

/**
 * A graph with the data files that it names.
 *
 * @param path  of the graph in its folder, such as `onnx/model.onnx`
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and tensor: not an ONNX file, one cut short, data outside the graph's
 *   folder or after the end of its file
 */
export async function fetchGraph(path: string, fetchFile: FetchFile): Promise<GraphFiles> {
  const model = await fetchFile(path);
  return { model, external: await fetchData(path, externalData(path, model), fetchFile) };
}

async function fetchData(
  path: string,
  named: ReturnType<typeof externalData>,
  fetchFile: FetchFile,
): Promise<GraphFiles['external']> {
  const external: GraphFiles['external'][number][] = [];
  for (const [location, tensors] of named) {
    const data = await fetchFile(dataPath(path, location));
    checkEnds(path, location, data.length, tensors);
    external.push({ path: location, data });
  }
  return external;
}

const SENTENCE_CONFIG = 'config_sentence_transformers.json';
const SENTENCE_MODULES = 'modules.json';

/**
 * Reads the optional files of sentence-transformers. They are requested only where they are needed and may be present: a
 * browser's console shows every 404.
 *
 * @throws as `download` and `readSentenceModules`
 */
async function loadSentenceFiles(
  { folder, files, capabilities }: Model,
  optionsFor: OptionsFor,
): Promise<Pick<FolderFiles, 'sentenceConfig' | 'sentenceModules'>> {
  if (!capabilities.includes('semantic_embed')) return {};
  const mayHave = (path: string) => files === undefined || Object.hasOwn(files, path);
  const reader = {
    json: async (path: string) => (mayHave(path) ? downloadValueIfPresent(folder + path, optionsFor(path)) : undefined),
    bytes: (path: string) => download(folder + path, optionsFor(path)),
  };
  const sentenceModules = mayHave(SENTENCE_MODULES)
    ? await import('./sentence-modules.ts').then(({ readSentenceModules }) => readSentenceModules(reader))
    : undefined;
  const sentenceConfig = mayHave(SENTENCE_CONFIG)
    ? await downloadJsonIfPresent(folder + SENTENCE_CONFIG, optionsFor(SENTENCE_CONFIG))
    : undefined;
  return { ...(sentenceConfig && { sentenceConfig }), ...(sentenceModules && { sentenceModules }) };
}

const GENERATION_CONFIG = 'generation_config.json';
const TEMPLATE = 'chat_template.jinja';
const SPECIAL_TOKENS = 'special_tokens_map.json';

/**
 * Reads the optional files for generation, requested as in `loadSentenceFiles`. The chat template is a file of its own, or an
 * entry of `tokenizer_config.json`. Special tokens are entries of it too; older folders name them in a file of their own.
 *
 * @throws as `download`
 */
async function loadGenerationFiles(
  { folder, files, capabilities }: Model,
  tokenizerConfig: object,
  optionsFor: OptionsFor,
): Promise<FolderFiles['generation']> {
  if (!capabilities.includes('explain') && !capabilities.includes('complete')) return undefined;
  const mayHaveConfig = files === undefined || Object.hasOwn(files, GENERATION_CONFIG);
  const config = mayHaveConfig
    ? await downloadJsonIfPresent(folder + GENERATION_CONFIG, optionsFor(GENERATION_CONFIG))
    : undefined;
  const hasFile = files !== undefined && Object.hasOwn(files, TEMPLATE);
  const file = hasFile ? new TextDecoder().decode(await download(folder + TEMPLATE, optionsFor(TEMPLATE))) : undefined;
  const chatTemplate = file ?? chatTemplateIn(tokenizerConfig);
  const hasMap = files !== undefined && Object.hasOwn(files, SPECIAL_TOKENS);
  const map = hasMap ? await downloadJson(folder + SPECIAL_TOKENS, optionsFor(SPECIAL_TOKENS)) : {};
  const marks = marksIn(tokenizerConfig, map);
  return { config: config ?? {}, marks, ...(chatTemplate !== undefined && { chatTemplate }) };
}

/** The chat template in `tokenizer_config.json`: one, or the `default` of several by name. */
export function chatTemplateIn(tokenizerConfig: object): string | undefined {
  const entry: unknown = Reflect.get(tokenizerConfig, 'chat_template');
  if (typeof entry === 'string') return entry;
  if (!Array.isArray(entry)) return undefined;
  const named: unknown = entry.find((each) => typeof each === 'object' && each?.name === 'default') ?? entry[0];
  const template: unknown = typeof named === 'object' && named !== null ? Reflect.get(named, 'template') : undefined;
  return typeof template === 'string' ? template : undefined;
}

/** A special token is a text, or an object with one. @param map  where those are named that the configuration leaves out */
function marksIn(tokenizerConfig: object, map: object): Record<string, string> {
  const entries = ['bos_token', 'eos_token', 'unk_token', 'pad_token'].map((name) => {
    const entry: unknown = Reflect.get(tokenizerConfig, name) ?? Reflect.get(map, name);
    const text: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'content') : entry;
    return [name, typeof text === 'string' ? text : ''];
  });
  return Object.fromEntries(entries);
}
