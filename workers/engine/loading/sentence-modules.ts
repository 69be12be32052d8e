import { shown } from '../../../src/contract/shown.ts';
import { namedTensors } from '../../../src/formats/safetensors.ts';
import { refuse } from '../network.ts';

/** How the states of a text's positions become one vector, `[width]`. @source sentence-transformers, `Pooling` */
type SentencePoolingMode = 'cls' | 'max' | 'mean' | 'mean_sqrt_len' | 'weighted_mean' | 'last_token';

/** One pooling of a folder. Vectors of several modes are concatenated. */
interface SentencePooling {
  readonly modes: readonly SentencePoolingMode[];
  /** Whether the positions of the prompt before a text count. */
  readonly countsPrompt: boolean;
  /** Name of the vector: `sentence_embedding`, or `query_embedding` where queries are pooled in another way. */
  readonly output: string;
}

/** A layer after the pooling: `activation(weights · vector + bias)`. */
interface DenseLayer {
  /** Row-major `[outputs, inputs]`. */
  readonly weights: Float32Array;
  /** `[outputs]`. */
  readonly bias: Float32Array;
  readonly activation: (x: number) => number;
}

/** How a folder of sentence-transformers makes a vector of the states of its network. */
export interface SentenceModules {
  /** At least one. */
  readonly poolings: readonly SentencePooling[];
  /** After the pooling, in order; `normalize` scales a vector to length 1. */
  readonly steps: readonly (DenseLayer | 'normalize')[];
}

/** Reads files of a folder by their paths. */
interface FolderReader {
  /** undefined: the folder has no such file. */
  json(path: string): Promise<unknown>;
  /** @throws {FailureError} MODEL_UNAVAILABLE where the folder has no such file */
  bytes(path: string): Promise<Uint8Array>;
}

const MODULES = 'modules.json';

/**
 * Reads `modules.json` and the files that it names: `1_Pooling/config.json`, `2_Dense/config.json` with `model.safetensors`.
 *
 * @returns undefined for a folder without `modules.json`
 * @throws {FailureError} MODEL_UNAVAILABLE naming file and field, for an unknown module: without it every vector would be
 *   wrong
 * @source sentence-transformers 5, `SentenceTransformer._load_sbert_model`
 */
export async function readSentenceModules(folder: FolderReader): Promise<SentenceModules | undefined> {
  const modules = await folder.json(MODULES);
  if (modules === undefined) return undefined;
  if (!Array.isArray(modules)) refuseField(MODULES, 'a list of modules', modules);
  const poolings: SentencePooling[] = [];
  const steps: (DenseLayer | 'normalize')[] = [];
  for (const [index, module] of modules.entries()) {
    const { kind, path } = moduleOf(module, index);
    if (kind === 'Pooling' && steps.length === 0) poolings.push(await poolingIn(folder, path));
    else if (kind === 'Dense') steps.push(await denseIn(folder, path));
    else if (kind === 'Normalize') steps.push('normalize');
    else if (kind !== 'Transformer' || index > 0)
      refuseField(`${MODULES}[${index}].type`, 'Transformer, then Pooling, Dense or Normalize', kind);
  }
  if (poolings.length === 0) refuseField(MODULES, 'a module Pooling', modules);
  return { poolings, steps };
}

/** The path of a module, and the last part of its type, such as `Pooling` of `sentence_transformers.models.Pooling`. */
function moduleOf(module: unknown, index: number): { readonly kind: string; readonly path: string } {
  const { type, path } = recordOf(module);
  if (typeof type !== 'string') refuseField(`${MODULES}[${index}].type`, 'a text', type);
  if (typeof path !== 'string' || !/^[\w.-]*$/.test(path) || path.startsWith('.'))
    refuseField(`${MODULES}[${index}].path`, 'a folder beside it', path);
  return { kind: type.split('.').at(-1) ?? type, path };
}

const MODES: Readonly<Record<string, SentencePoolingMode>> = {
  cls: 'cls',
  max: 'max',
  mean: 'mean',
  mean_sqrt_len_tokens: 'mean_sqrt_len',
  weightedmean: 'weighted_mean',
  lasttoken: 'last_token',
};

/** The flags of a configuration, in the order in which their vectors are joined. */
const FLAGS: readonly (readonly [string, SentencePoolingMode])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_max_tokens', 'max'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_mean_sqrt_len_tokens', 'mean_sqrt_len'],
  ['pooling_mode_weightedmean_tokens', 'weighted_mean'],
  ['pooling_mode_lasttoken', 'last_token'],
];

async function poolingIn(folder: FolderReader, path: string): Promise<SentencePooling> {
  const file = `${path}/config.json`;
  const config = recordOf(await required(folder, file));
  const output = config['output_key'];
  return {
    modes: poolingModes(config, file),
    countsPrompt: config['include_prompt'] !== false,
    output: typeof output === 'string' ? output : 'sentence_embedding',
  };
}

function poolingModes(config: Readonly<Record<string, unknown>>, file: string): readonly SentencePoolingMode[] {
  const named = config['pooling_mode'];
  if (named !== undefined)
    return [named].flat().map((name) => {
      const mode = typeof name === 'string' && Object.hasOwn(MODES, name) ? MODES[name] : undefined;
      return mode ?? refuseField(`${file}: pooling_mode`, Object.keys(MODES).join(', '), name);
    });
  const modes = FLAGS.filter(([flag]) => config[flag] === true).map(([, mode]) => mode);
  return modes.length > 0 ? modes : refuseField(`${file}: pooling_mode_*`, 'one that is true', config);
}

const ACTIVATIONS: Readonly<Record<string, DenseLayer['activation']>> = {
  Identity: (x) => x,
  Tanh: Math.tanh,
  ReLU: (x) => Math.max(0, x),
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
};

async function denseIn(folder: FolderReader, path: string): Promise<DenseLayer> {
  const file = `${path}/config.json`;
  const { activation_function: name } = recordOf(await required(folder, file));
  const kind = typeof name === 'string' ? (name.split('.').at(-1) ?? '') : 'Tanh'; // the default of Dense
  const activation = Object.hasOwn(ACTIVATIONS, kind) ? ACTIVATIONS[kind] : undefined;
  if (!activation) refuseField(`${file}: activation_function`, Object.keys(ACTIVATIONS).join(', '), name);
  const tensors = namedTensors(await folder.bytes(`${path}/model.safetensors`), `${path}/model.safetensors`, refuse);
  const weights = tensors.get('linear.weight');
  if (weights?.dimensions.length !== 2)
    refuseField(`${path}/model.safetensors: linear.weight`, 'a matrix', weights?.dimensions);
  const outputs = weights.dimensions[0] ?? 0;
  const bias = tensors.get('linear.bias')?.values ?? new Float32Array(outputs);
  return { weights: weights.values, bias, activation };
}

async function required(folder: FolderReader, path: string): Promise<unknown> {
  const value = await folder.json(path);
  if (value === undefined) refuse(`${path}: ${MODULES} names it, and the folder has no such file`);
  return value;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function refuseField(place: string, expected: string, got: unknown): never {
  return refuse(`${place}: expected ${expected}, got ${shown(got)}`);
}
