import { shown } from '../../../src/contract/shown.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import type { FileDigest } from '../codec/data-files.ts';
import { decodeModel, type ValueInfo } from '../codec/model-proto.ts';
import { ElementType } from '../codec/tensor-proto.ts';
import { refuse } from '../network.ts';
import { DIGEST, digestsIn } from '../rewrite/served-graph.ts';
import type { Ort, Session, Tensor } from '../session/session.ts';
import type { connectTo } from '../connection.ts';

type EngineConnection = ReturnType<typeof connectTo>;
type RequestBody = Parameters<EngineConnection['post']>[1];
type AnswerBody = Awaited<ReturnType<EngineConnection['get']>>;

/** Execution provider of sessions on a remote engine, as `openSession` requests it. */
const REMOTE_PROVIDER = 'remote';

interface RemoteModel {
  readonly engine: RemoteEngine;
  readonly connection: EngineConnection;
  /** Of the files that the engine's model must have been made from, in the order of `inOrder`. */
  readonly digests: readonly FileDigest[];
}

/**
 * A runtime with ONNX Runtime's interface whose sessions are a model of an engine that speaks the Open Inference Protocol v2.
 * `run` is one inference request. A session of another provider, such as that of the table of embeddings, is opened on the
 * local runtime.
 *
 * @returns `encoding` is undefined before a session is open
 * @source KServe, Open Inference Protocol v2 (REST), with its binary tensor data extension
 */
export function remoteRuntime(local: Ort, model: RemoteModel): { readonly ort: Ort; encoding(): Encoding | undefined } {
  let encoding: Encoding | undefined;
  const create: Ort['InferenceSession']['create'] = async (graph, options) => {
    const [provider] = options?.executionProviders ?? [];
    if (provider !== REMOTE_PROVIDER) return local.InferenceSession.create(graph, options);
    encoding = readEncoding((await model.connection.get('v2')).bytes);
    return openRemoteSession(local, graph, encoding, model);
  };
  return { ort: { Tensor: local.Tensor, InferenceSession: { create } }, encoding: () => encoding };
}

async function openRemoteSession(
  local: Ort,
  skeleton: Uint8Array,
  encoding: Encoding,
  { engine, connection, digests }: RemoteModel,
): Promise<Session> {
  const path = `v2/models/${encodeURIComponent(engine.model)}`;
  const metadata = readMetadata((await connection.get(path)).bytes);
  const { inputs, outputs } = decodeModel(skeleton);
  checkTensors(engine, 'input', inputs, metadata.inputs);
  checkTensors(engine, 'output', outputs, metadata.outputs);
  if (!metadata.outputs.some(({ name }) => name === DIGEST))
    refuse(`${nameOf(engine)}: expected the output "${DIGEST}", got none; export the model for the engine`);
  const datatypes = new Map(metadata.outputs.map(({ name, datatype }) => [name, datatype]));
  const datatypeOf = (name: string): Datatype => {
    const datatype = datatypes.get(name) ?? '';
    return isDatatype(datatype) ? datatype : 'FP32';
  };
  return {
    inputNames: inputs.map(({ name }) => name),
    async run(feeds, fetches, { signal } = {}) {
      const names = [...fetches, DIGEST];
      const request = encodeRequest(feeds, names, encoding);
      const answer = await connection.post(`${path}/infer`, request, workOf(feeds), signal);
      const requested = new Map(names.map((name) => [name, datatypeOf(name)]));
      const { [DIGEST]: digest, ...fetched } = decodeAnswer(local, answer, requested);
      checkDigests(engine, digest, digests);
      return fetched;
    },
    release: async () => undefined,
  };
}

function nameOf({ address, model }: RemoteEngine): string {
  return `model "${model}" of the engine ${address}`;
}

/** @throws {FailureError} MODEL_UNAVAILABLE naming the first tensor that is missing or of another datatype */
function checkTensors(
  engine: RemoteEngine,
  direction: 'input' | 'output',
  expected: readonly ValueInfo[],
  offered: ModelMetadata['inputs'],
): void {
  const datatypes = new Map(offered.map(({ name, datatype }) => [name, datatype]));
  for (const { name, type } of expected) {
    const datatype = datatypes.get(name);
    const wanted = findDatatype((row) => row.number === type);
    if (datatype !== undefined && (wanted === undefined || datatype === wanted)) continue;
    refuse(`${nameOf(engine)}: expected the ${direction} "${name}" of ${wanted}, got ${datatype ?? 'none'}`);
  }
}

/** Each answer has the digests of the files that computed it: an engine may load another version while it runs. */
function checkDigests(engine: RemoteEngine, output: Tensor | undefined, digests: readonly FileDigest[]): void {
  const found = output?.data instanceof Uint8Array ? digestsIn(output.data) : [];
  const differing = digests.findIndex(({ sha256 }, index) => found[index] !== sha256);
  if (differing === -1 && found.length === digests.length) return;
  const { file, sha256 } = digests[differing] ?? { file: 'no more data files', sha256: 'none' };
  const got = found[differing === -1 ? digests.length : differing] ?? 'none';
  refuse(
    `${nameOf(engine)}: expected weights with SHA-256 ${sha256} (${file}), got ${got}; export the same files for the engine`,
  );
}

/** Numbers fed, without the KV cache: comparable between passes of one network. */
function workOf(feeds: Readonly<Record<string, Tensor>>): number {
  return Object.values(feeds).reduce((sum, { dims, size }) => sum + (dims.length === 4 && dims[1] !== 1 ? 0 : size), 0);
}

/**
 * By the protocol's names: ONNX Runtime's name, ONNX's number where graphs declare the type, and the array of values.
 *
 * @source Open Inference Protocol v2, "Tensor Data Types"
 */
const DATATYPES = {
  BOOL: { type: 'bool', number: ElementType.bool, Values: Uint8Array },
  UINT8: { type: 'uint8', number: undefined, Values: Uint8Array },
  INT8: { type: 'int8', number: ElementType.int8, Values: Int8Array },
  INT32: { type: 'int32', number: ElementType.int32, Values: Int32Array },
  INT64: { type: 'int64', number: ElementType.int64, Values: BigInt64Array },
  FP16: { type: 'float16', number: ElementType.float16, Values: Uint16Array },
  FP32: { type: 'float32', number: ElementType.float32, Values: Float32Array },
  FP64: { type: 'float64', number: undefined, Values: Float64Array },
} as const;

/** A datatype of the protocol that graphs use. */
type Datatype = keyof typeof DATATYPES;

function isDatatype(name: string): name is Datatype {
  return Object.hasOwn(DATATYPES, name);
}

function findDatatype(matches: (row: (typeof DATATYPES)[Datatype]) => boolean): Datatype | undefined {
  return Object.keys(DATATYPES)
    .filter(isDatatype)
    .find((name) => matches(DATATYPES[name]));
}

/** Whether tensors are sent as JSON, or as raw bytes after it. */
type Encoding = 'json' | 'binary';

/** An answer that does not follow the protocol, or does not match the request. */
class EngineAnswerError extends Error {
  override readonly name = 'EngineAnswerError';
}

/** Encodes a request for outputs of a model. @source Open Inference Protocol v2, "Inference Request JSON Object" */
function encodeRequest(
  feeds: Readonly<Record<string, Tensor>>,
  outputs: readonly string[],
  encoding: Encoding,
): RequestBody {
  const tensors = Object.entries(feeds);
  if (encoding === 'json') {
    const inputs = tensors.map(([name, tensor]) => ({ ...headOf(name, tensor), data: jsonValuesOf(tensor) }));
    const body = JSON.stringify({ inputs, outputs: outputs.map((name) => ({ name })) });
    return { body, contentType: 'application/json', jsonBytes: undefined };
  }
  const blocks = tensors.map(([, tensor]) => bytesOfTensor(tensor));
  const inputs = tensors.map(([name, tensor], index) => ({
    ...headOf(name, tensor),
    parameters: { binary_data_size: blocks[index]?.byteLength ?? 0 },
  }));
  const requested = outputs.map((name) => ({ name, parameters: { binary_data: true } }));
  const json = new TextEncoder().encode(JSON.stringify({ inputs, outputs: requested }));
  return { body: concatenated([json, ...blocks]), contentType: 'application/octet-stream', jsonBytes: json.byteLength };
}

/** A scalar becomes a list of one, as servers want and exported graphs take it. @throws {TypeError} for other types */
function headOf(name: string, { type, dims }: Tensor) {
  const datatype = findDatatype((row) => row.type === type);
  if (datatype === undefined) throw new TypeError(`no tensor of type ${type} can be sent`);
  return { name, shape: dims.length === 0 ? [1] : dims, datatype };
}

/** Values in row-major order, little-endian; a view on the tensor's memory. */
function bytesOfTensor({ data }: Tensor): Uint8Array {
  if (!ArrayBuffer.isView(data)) throw new TypeError('a tensor of texts cannot be sent');
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * A float32 is written with all the digits of a double, and so is read back as it was.
 *
 * @throws {TypeError} for 16-bit floats, which the protocol has in its binary form alone
 */
function jsonValuesOf({ type, data }: Tensor): (number | boolean)[] {
  if (type === 'float16') throw new TypeError('16-bit floats need an engine with the binary extension');
  if (type === 'bool') return Array.from(data as Uint8Array, (value) => value !== 0);
  return Array.from(data as Iterable<number | bigint>, Number);
}

function concatenated(blocks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(blocks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.byteLength;
  }
  return all;
}

/** @param requested  names and datatypes of all outputs of the answer @throws {EngineAnswerError} naming the fault */
function decodeAnswer(
  ort: Ort,
  { bytes, jsonBytes = bytes.byteLength }: AnswerBody,
  requested: ReadonlyMap<string, Datatype>,
): Record<string, Tensor> {
  const raw = bytes.subarray(jsonBytes);
  let at = 0;
  const tensors = listIn(jsonOf(bytes.subarray(0, jsonBytes)), 'outputs').map((entry): [string, Tensor] => {
    const output = outputOf(entry, requested);
    if (output.byteLength === undefined) return [output.name, tensorOfJson(ort, output)];
    const block = raw.subarray(at, at + output.byteLength);
    at += output.byteLength;
    return [output.name, tensorOfBytes(ort, output, block)];
  });
  if (at !== raw.byteLength)
    throw new EngineAnswerError(`${raw.byteLength} bytes of tensors, and outputs with ${at} bytes`);
  const answer = Object.fromEntries(tensors);
  const missing = [...requested.keys()].find((name) => answer[name] === undefined);
  if (missing !== undefined) throw new EngineAnswerError(`output ${missing} was asked for and is not there`);
  return answer;
}

/** One output of an answer: its values in JSON, or the length of its bytes after the JSON. */
interface Output {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: unknown;
  readonly byteLength: number | undefined;
}

function outputOf(value: unknown, requested: ReadonlyMap<string, Datatype>): Output {
  const { name, datatype, shape, data, parameters } = recordOf(value);
  const wanted = requested.get(String(name));
  if (wanted === undefined) throw new EngineAnswerError(`output ${String(name)} was not asked for`);
  if (datatype !== wanted)
    throw new EngineAnswerError(`output ${String(name)}: expected ${wanted}, got ${String(datatype)}`);
  if (!Array.isArray(shape) || !shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new EngineAnswerError(`output ${String(name)}: expected a shape, got ${shown(shape)}`);
  const size = recordOf(parameters ?? {})['binary_data_size'];
  if (size !== undefined && !(Number.isSafeInteger(size) && Number(size) >= 0))
    throw new EngineAnswerError(`output ${String(name)}: binary_data_size ${JSON.stringify(size)}`);
  const byteLength = size === undefined ? undefined : Number(size);
  return { name: String(name), datatype: wanted, shape, data, byteLength };
}

function tensorOfBytes(ort: Ort, { name, datatype, shape }: Output, bytes: Uint8Array): Tensor {
  const { Values } = DATATYPES[datatype];
  const count = product(shape);
  if (bytes.byteLength !== count * Values.BYTES_PER_ELEMENT)
    throw new EngineAnswerError(`output ${name}: ${bytes.byteLength} bytes for ${datatype} [${shape.join(', ')}]`);
  const aligned = bytes.slice(); // views on wider numbers need alignment
  return makeTensor(ort, datatype, new Values(aligned.buffer, 0, count), shape);
}

function tensorOfJson(ort: Ort, { name, datatype, shape, data }: Output): Tensor {
  // The protocol allows nested lists as well as flat ones.
  const values: unknown[] = Array.isArray(data) ? data.flat(Infinity) : [];
  const wanted = datatype === 'BOOL' ? 'boolean' : 'number';
  if (!Array.isArray(data) || values.length !== product(shape) || values.some((value) => typeof value !== wanted))
    throw new EngineAnswerError(
      `output ${name}: expected ${product(shape)} ${wanted}s for [${shape.join(', ')}], got ${values.length} values`,
    );
  const numbers = values.map(Number);
  if (datatype === 'FP16') throw new EngineAnswerError(`output ${name}: 16-bit floats in JSON`);
  const array = datatype === 'INT64' ? BigInt64Array.from(numbers, BigInt) : DATATYPES[datatype].Values.from(numbers);
  return makeTensor(ort, datatype, array, shape);
}

/** `data` is an array of the datatype's values; TypeScript cannot connect the two. */
function makeTensor(ort: Ort, datatype: Datatype, data: ArrayBufferView, shape: readonly number[]): Tensor {
  return new ort.Tensor(DATATYPES[datatype].type as 'float32', data as Float32Array, shape);
}

function product(shape: readonly number[]): number {
  return shape.reduce((all, each) => all * each, 1);
}

/** Tensors of a model, as `GET /v2/models/{model}` lists them. Shapes are left out: servers state them loosely. */
type ModelMetadata = Readonly<
  Record<'inputs' | 'outputs', readonly { readonly name: string; readonly datatype: string }[]>
>;

/** @throws {EngineAnswerError} for an answer without the two lists */
function readMetadata(bytes: Uint8Array): ModelMetadata {
  const json = jsonOf(bytes);
  const tensor = (value: unknown) => {
    const { name, datatype } = recordOf(value);
    return { name: String(name), datatype: String(datatype) };
  };
  return { inputs: listIn(json, 'inputs').map(tensor), outputs: listIn(json, 'outputs').map(tensor) };
}

/** The encoding that the answer to `GET /v2` allows: raw tensors where the server announces them, else JSON. */
function readEncoding(bytes: Uint8Array): Encoding {
  const { extensions } = recordOf(jsonOf(bytes));
  return Array.isArray(extensions) && extensions.includes('binary_tensor_data') ? 'binary' : 'json';
}

function jsonOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineAnswerError(`expected JSON, got ${shown(text)}`);
  }
}

function listIn(json: unknown, name: string): readonly unknown[] {
  const list = recordOf(json)[name];
  if (!Array.isArray(list)) throw new EngineAnswerError(`expected a list "${name}", got ${shown(list)}`);
  return list;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EngineAnswerError(`expected a JSON object, got ${shown(value)}`);
  return { ...value };
}
