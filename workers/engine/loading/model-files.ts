import type { JobProgress } from '../../../src/protocol/progress.ts';
import type { Model } from '../../../src/models/model.ts';
import { beside } from '../codec/data-files.ts';
import { isPair } from '../session/exported/written-kinds.ts';
import { readImageProcessor } from '../images/image-processor.ts';
import type { VisionFiles } from '../images/open-images.ts';
import type { ModelFiles, GraphFiles } from '../session/session.ts';
import { download, downloadJson, heldFile, type DownloadOptions, type OnBytes } from './download.ts';
import { fetchData, fetchGraph, fetchModelFile } from './graph-files.ts';
import { type GenerationFiles, loadGenerationFiles } from './generation-files.ts';
import { loadSentenceFiles, type SentenceFiles } from './sentence/sentence-files.ts';

/** Ends of the model's file name by weight type, as the hub's ONNX repositories have them. @source transformers.js 4.3.1, dtypes.js */
const SUFFIXES: Readonly<Record<Model['dtype'], string>> = {
  fp32: '',
  fp16: '_fp16',
  q4: '_q4',
  q4f16: '_q4f16',
  q8: '_quantized',
};

/** Weight types, the most exact first; among those that round, the ones that every backend computes come first. */
export const DTYPES = ['fp32', 'q4', 'fp16', 'q4f16', 'q8'] as const satisfies readonly Model['dtype'][];

/** Path of a graph in its folder, such as `onnx/model_q4.onnx` of `model`. */
export function graphPath(name: string, dtype: Model['dtype']): string {
  return `onnx/${name}${SUFFIXES[dtype]}.onnx`;
}

/** Older exports of decoders have the merged one alone. */
export function graphNameIn(files: Readonly<Record<string, unknown>> | undefined, readsImages: boolean): string {
  const has = (name: string) =>
    files !== undefined && DTYPES.some((dtype) => Object.hasOwn(files, graphPath(name, dtype)));
  return readsImages || (!has('model') && has('decoder_model_merged')) ? 'decoder_model_merged' : 'model';
}

/** Whether transformers.js runs the model as it was exported. */
export function writes({ tier, capabilities }: Pick<Model, 'tier' | 'capabilities'>): boolean {
  return tier === 'as_exported' && capabilities.includes('complete');
}

/** How far the files are; `compile` counts one step. */
export type OnProgress = (progress: JobProgress) => void;

/** The files of a folder. */
export interface FolderFiles extends SentenceFiles {
  readonly config: object;
  readonly tokenizerJson: object;
  readonly tokenizerConfig: object;
  readonly files: ModelFiles;
  readonly generation?: GenerationFiles;
  readonly vision?: VisionFiles;
}

/**
 * Downloads a folder: `config.json`, `tokenizer.json`, `tokenizer_config.json`, `onnx/model<suffix>.onnx` (of older
 * exports `onnx/decoder_model_merged<suffix>.onnx`) and the data
 * files that the graph names. Where `config.json` has a `vision_config`, the network lies in three files instead, as the
 * hub's vision-language models do: `decoder_model_merged`, `embed_tokens` and `vision_encoder`, with
 * `preprocessor_config.json` beside them; the encoder is downloaded when it is called for. A model for semantic embeddings may
 * have the files of sentence-transformers. A model that reads with an encoder and writes with a decoder has `encoder_model` besides.
 *
 * @param onProgress  phase `download`, in bytes of all files together
 * @throws {FailureError} MODEL_UNAVAILABLE naming the URL
 * @throws {DOMException} AbortError
 */
export async function loadFiles(
  model: Model,
  onProgress: OnProgress,
  { signal, runsElsewhere = false }: LoadOptions = {},
): Promise<FolderFiles> {
  const count = byteCounter(onProgress);
  const factsOf = (name: string) => ({ expected: model.files?.[name], held: heldFile(model.held, name) });
  const optionsFor = (name: string) => ({ onBytes: count(), signal, ...factsOf(name) });
  const json = (name: string) => downloadJson(model.folder + name, optionsFor(name));
  const graph = (name: string) => downloadGraph(model, name, optionsFor);
  const outline = (name: string) => downloadOutline(model, name, optionsFor);
  const config = await json('config.json');
  const readsImages = 'vision_config' in config;
  const [tokenizerJson, tokenizerConfig, network, reading, parts] = await Promise.all([
    json('tokenizer.json'),
    json('tokenizer_config.json'),
    (runsElsewhere ? outline : graph)(graphNameIn(model.files, readsImages)),
    isPair(config) && writes(model) ? graph('encoder_model') : null,
    readsImages ? Promise.all([graph('embed_tokens'), json('preprocessor_config.json')]) : null,
  ]);
  const [sentence, generation] = await Promise.all([
    loadSentenceFiles(model, optionsFor),
    loadGenerationFiles(model, tokenizerConfig, optionsFor),
  ]);
  const folder = { config, tokenizerJson, tokenizerConfig, ...sentence, ...(generation && { generation }) };
  if (parts === null) return { ...folder, files: { ...network, ...(reading && { encoder: reading }) } };
  const [embedTokens, preprocessor] = parts;
  const unheard = (name: string) => ({ onBytes: () => undefined, ...factsOf(name) });
  const encoder = () => downloadGraph(model, 'vision_encoder', unheard);
  const vision = { encoder, processor: readImageProcessor(preprocessor, config) };
  return { ...folder, files: { ...network, embedTokens }, vision };
}

/** How a folder is loaded. */
export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The network's passes run elsewhere: of large data files that its graph names there is only the SHA-256. */
  readonly runsElsewhere?: boolean;
}

/** How the file of that path in the folder is downloaded. */
type OptionsFor = (path: string) => DownloadOptions;

/** A graph of the folder with the data files that it names. */
async function downloadGraph({ folder, dtype }: Model, name: string, optionsFor: OptionsFor): Promise<GraphFiles> {
  return fetchGraph(graphPath(name, dtype), (path) => download(folder + path, optionsFor(path)));
}

/**
 * Data files of up to so many bytes are fetched also where an engine elsewhere runs the passes, so that its numbers can be
 * compared with the page's own. Decided here: with a copy in the runtime's memory they take a quarter of what a tab may.
 */
const COMPARED_BYTES = 512 * 2 ** 20;

/** A graph for passes that run elsewhere. */
async function downloadOutline(
  { folder, dtype, files }: Model,
  name: string,
  optionsFor: OptionsFor,
): Promise<ModelFiles> {
  const fetchFile = (path: string) => download(folder + path, optionsFor(path));
  const graph = graphPath(name, dtype);
  const { model, named } = await fetchModelFile(graph, fetchFile);
  const paths = [...named.keys()].map((file) => ({ file, path: beside(graph, file) }));
  const bytes = paths.reduce((sum, { path }) => sum + (files?.[path]?.bytes ?? Infinity), 0);
  if (bytes <= COMPARED_BYTES) return { model, external: await fetchData(graph, named, fetchFile) };
  const { digestOfFile } = await import('./file-digest.ts');
  const digests = paths.map(async ({ file, path }) => ({
    file,
    sha256: await digestOfFile(folder + path, optionsFor(path)),
  }));
  return { model, external: [], dataElsewhere: await Promise.all(digests) };
}

/** One counter per file; their sum is reported. */
function byteCounter(onProgress: OnProgress): () => OnBytes {
  const files: { done: number; total: number }[] = [];
  return () => {
    const file = { done: 0, total: 0 };
    files.push(file);
    return (done, total) => {
      Object.assign(file, { done, total });
      const sum = (entry: 'done' | 'total') => files.reduce((all, each) => all + each[entry], 0);
      onProgress({ phase: 'download', done: sum('done'), total: sum('total') });
    };
  };
}
