import { readFileSync } from 'node:fs';
import { decodeModel, encodeSkeleton } from '../../../workers/engine/codec/model-proto.ts';
import { buildVisionEncoder } from '../onnx/vision.ts';
import { VISION_SIZES, visionWeights, VLM_SIZES, vlmWeights } from '../onnx/vision-sizes.ts';
import { buildDecoder } from '../onnx/decoder.ts';
import { endlessGraph } from '../onnx/endless.ts';

/** A folder in the hub's layout, bytes by path. */
export type FolderBytes = ReadonlyMap<string, Uint8Array>;

const TOKENIZER = new URL('../../../public/models/lightwell-base/', import.meta.url);
const GRAPH = 'onnx/model.onnx';
const DATA = 'model.onnx_data';

const text = (value: string) => new TextEncoder().encode(value);
const json = (value: unknown) => text(JSON.stringify(value));

const CONFIG = { num_hidden_layers: VLM_SIZES.layers, max_position_embeddings: VLM_SIZES.contextTokens };
const POINTER = text('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 133\n');

/** A decoder that opens, and reads a long row of `a` for ever: each may be matched in two ways, and the end never comes. */
export function endlessTokenizer(): FolderBytes {
  const folder = good();
  const tokenizer: object = JSON.parse(new TextDecoder().decode(folder.get('tokenizer.json')));
  const pattern = { Regex: '(?:a|a)+$|[^a]+' };
  return folder.set(
    'tokenizer.json',
    json({ ...tokenizer, pre_tokenizer: { type: 'Split', pattern, behavior: 'Isolated', invert: false } }),
  );
}

/** A decoder whose graph never ends. */
export function endlessDecoder(): FolderBytes {
  const folder = withExternalData(DATA);
  return folder.set(GRAPH, endlessGraph(folder.get(GRAPH) ?? new Uint8Array(0), DATA));
}

/** A decoder that opens. */
function good(): Map<string, Uint8Array> {
  return new Map<string, Uint8Array>([
    ['config.json', json(CONFIG)],
    ['tokenizer.json', readFileSync(new URL('tokenizer.json', TOKENIZER))],
    ['tokenizer_config.json', readFileSync(new URL('tokenizer_config.json', TOKENIZER))],
    [GRAPH, buildDecoder(VLM_SIZES, vlmWeights)],
  ]);
}

/** The same with its weights in a file of their own, as files of more than 2 GB have them. */
function withExternalData(location: string, cut = 0): Map<string, Uint8Array> {
  const folder = good();
  const file = folder.get(GRAPH) ?? new Uint8Array(0);
  // The skeleton's references are positions in the whole file, which thereby is its data file.
  return folder
    .set(GRAPH, encodeSkeleton(decodeModel(file), location))
    .set(`onnx/${DATA}`, file.slice(0, file.length - cut));
}

function withOperatorSet(version: number): Map<string, Uint8Array> {
  const folder = withExternalData(DATA);
  const model = decodeModel(folder.get(GRAPH) ?? new Uint8Array(0));
  model.operatorSets.set('', version);
  return folder.set(GRAPH, encodeSkeleton(model, DATA));
}

function withFewerIds(): Uint8Array {
  const sizes = { ...VLM_SIZES, vocabulary: 1000 };
  const { width } = sizes;
  const head = vlmWeights.head.slice(0, width * sizes.vocabulary);
  return buildDecoder(sizes, {
    ...vlmWeights,
    embedding: vlmWeights.embedding.slice(0, sizes.vocabulary * width),
    head,
  });
}

function without(path: string): Map<string, Uint8Array> {
  const folder = good();
  folder.delete(path);
  return folder;
}

/** Folders as people have them, by name: two that open, and what is wrong with the others. */
export function brokenFolders(): ReadonlyMap<string, FolderBytes> {
  const graph = good().get(GRAPH) ?? new Uint8Array(0);
  return new Map<string, FolderBytes>([
    ['good', good()],
    ['external-data', withExternalData(DATA)],
    ['tokenizer-empty', good().set('tokenizer.json', json({}))],
    ['tokenizer-list', good().set('tokenizer.json', json([]))],
    ['tokenizer-without-vocabulary', good().set('tokenizer.json', json({ model: { type: 'BPE' } }))],
    ['tokenizer-unknown', good().set('tokenizer.json', json({ model: { type: 'Runes', vocab: { a: 0 } } }))],
    ['tokenizer-of-another', good().set(GRAPH, withFewerIds())],
    ['context-0', good().set('config.json', json({ ...CONFIG, max_position_embeddings: 0 }))],
    ['context-negative', good().set('config.json', json({ ...CONFIG, max_position_embeddings: -5 }))],
    ['config-list', good().set('config.json', json([]))],
    ['layers-of-another', good().set('config.json', json({ ...CONFIG, num_hidden_layers: 12 }))],
    ['config-missing', without('config.json')],
    ['graph-missing', without(GRAPH)],
    ['graph-pointer', good().set(GRAPH, POINTER)],
    ['tokenizer-pointer', good().set('tokenizer.json', POINTER)],
    ['graph-cut', good().set(GRAPH, graph.slice(0, 1000))],
    ['graph-empty', good().set(GRAPH, new Uint8Array(0))],
    ['graph-of-pictures', good().set(GRAPH, buildVisionEncoder(VISION_SIZES, visionWeights))],
    ['graph-too-new', withOperatorSet(99)],
    ['graph-too-old', withOperatorSet(7)],
    ['data-outside', withExternalData('../../secrets.bin')],
    ['data-elsewhere', withExternalData('https://example.com/weights')],
    ['data-cut', withExternalData(DATA, 200_000)],
    ['data-missing', without(GRAPH).set(GRAPH, withExternalData('gone.onnx_data').get(GRAPH) ?? graph)],
  ]);
}
