import type { Ort, Tensor } from '../session/session.ts';
import { EngineAnswerError } from './engine-error.ts';
import {
  bytesOfTensor,
  datatypeOf,
  DATATYPES,
  jsonValuesOf,
  sentShape,
  tensorOfBytes,
  tensorOfJson,
  type Datatype,
  type OutputHead,
} from './oip-tensor.ts';

/** Whether tensors travel as JSON, or raw behind it. */
export type Encoding = 'json' | 'binary';

/** The body of an inference request. */
export interface EncodedRequest {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Bytes of JSON in front of the tensors; undefined for JSON alone. */
  readonly jsonBytes: number | undefined;
}

/** What a server answered, as far as HTTP goes. */
export interface ReceivedAnswer {
  readonly bytes: Uint8Array;
  /** As in `EncodedRequest`. */
  readonly jsonBytes: number | undefined;
}

/** Asks for outputs of a model. @source Open Inference Protocol v2, "Inference Request JSON Object" */
export function encodeRequest(
  feeds: Readonly<Record<string, Tensor>>,
  outputs: readonly string[],
  encoding: Encoding,
): EncodedRequest {
  const tensors = Object.entries(feeds);
  const head = (name: string, tensor: Tensor) => ({ name, shape: sentShape(tensor), datatype: datatypeOf(tensor) });
  if (encoding === 'json') {
    const inputs = tensors.map(([name, tensor]) => ({ ...head(name, tensor), data: jsonValuesOf(tensor) }));
    const body = JSON.stringify({ inputs, outputs: outputs.map((name) => ({ name })) });
    return { body, contentType: 'application/json', jsonBytes: undefined };
  }
  const blocks = tensors.map(([, tensor]) => bytesOfTensor(tensor));
  const inputs = tensors.map(([name, tensor], index) => ({
    ...head(name, tensor),
    parameters: { binary_data_size: blocks[index]?.byteLength ?? 0 },
  }));
  const asked = outputs.map((name) => ({ name, parameters: { binary_data: true } }));
  const json = new TextEncoder().encode(JSON.stringify({ inputs, outputs: asked }));
  return { body: inOne([json, ...blocks]), contentType: 'application/octet-stream', jsonBytes: json.byteLength };
}

/**
 * The outputs of an answer.
 *
 * @param asked  names and datatypes that were asked for; the answer has them all, and no other
 * @throws {EngineAnswerError} naming what is not as the protocol or the request has it
 */
export function decodeAnswer(
  ort: Ort,
  { bytes, jsonBytes }: ReceivedAnswer,
  asked: ReadonlyMap<string, Datatype>,
): Record<string, Tensor> {
  const json = jsonOf(bytes.subarray(0, jsonBytes ?? bytes.byteLength));
  const outputs = listIn(json, 'outputs').map((each) => outputOf(each, asked));
  const answered = Object.fromEntries(tensorsOf(ort, outputs, bytes.subarray(jsonBytes ?? bytes.byteLength)));
  const missing = [...asked.keys()].find((name) => answered[name] === undefined);
  if (missing !== undefined) throw new EngineAnswerError(`output ${missing} was asked for and is not there`);
  return answered;
}

/** One output of an answer: its values in JSON, or how many bytes behind the JSON are its own. */
interface Output extends OutputHead {
  readonly data: unknown;
  readonly bytes: number | undefined;
}

function tensorsOf(ort: Ort, outputs: readonly Output[], raw: Uint8Array): [string, Tensor][] {
  let at = 0;
  const tensors = outputs.map((output): [string, Tensor] => {
    if (output.bytes === undefined) return [output.name, tensorOfJson(ort, output, output.data)];
    const own = raw.subarray(at, at + output.bytes);
    at += output.bytes;
    return [output.name, tensorOfBytes(ort, output, own)];
  });
  if (at !== raw.byteLength)
    throw new EngineAnswerError(`${raw.byteLength} bytes of tensors, and outputs with ${at} bytes`);
  return tensors;
}

function outputOf(value: unknown, asked: ReadonlyMap<string, Datatype>): Output {
  const { name, datatype, shape, data, parameters } = recordOf(value);
  const wanted = asked.get(String(name));
  if (wanted === undefined) throw new EngineAnswerError(`output ${String(name)} was not asked for`);
  if (datatype !== wanted)
    throw new EngineAnswerError(`output ${String(name)}: expected ${wanted}, got ${String(datatype)}`);
  if (!Array.isArray(shape) || !shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new EngineAnswerError(`output ${String(name)}: expected a shape, got ${JSON.stringify(shape)}`);
  const size = recordOf(parameters ?? {})['binary_data_size'];
  if (size !== undefined && !(Number.isSafeInteger(size) && Number(size) >= 0))
    throw new EngineAnswerError(`output ${String(name)}: binary_data_size ${JSON.stringify(size)}`);
  return { name: String(name), datatype: wanted, shape, data, bytes: size === undefined ? undefined : Number(size) };
}

/** Name and datatype of a tensor in a model's metadata. */
export interface TensorMetadata {
  readonly name: string;
  readonly datatype: string;
}

/** What `GET /v2/models/{model}` tells. Shapes are left out: servers state them loosely. */
export interface ModelMetadata {
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
}

/** @throws {EngineAnswerError} for anything else */
export function readMetadata(bytes: Uint8Array): ModelMetadata {
  const json = jsonOf(bytes);
  const tensor = (value: unknown): TensorMetadata => {
    const { name, datatype } = recordOf(value);
    return { name: String(name), datatype: String(datatype) };
  };
  return { inputs: listIn(json, 'inputs').map(tensor), outputs: listIn(json, 'outputs').map(tensor) };
}

/** Extensions that `GET /v2` announces; none where the answer has no such list. */
export function readExtensions(bytes: Uint8Array): readonly string[] {
  const { extensions } = recordOf(jsonOf(bytes));
  return Array.isArray(extensions) ? extensions.map(String) : [];
}

/** Whether a datatype is one that graphs here use. */
export function isDatatype(text: string): text is Datatype {
  return Object.values<string>(DATATYPES).includes(text);
}

function jsonOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineAnswerError(`expected JSON, got "${text.slice(0, 80)}"`);
  }
}

function listIn(json: unknown, name: string): readonly unknown[] {
  const list = recordOf(json)[name];
  if (!Array.isArray(list)) throw new EngineAnswerError(`expected a list "${name}", got ${JSON.stringify(list)}`);
  return list;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EngineAnswerError(`expected a JSON object, got ${JSON.stringify(value)?.slice(0, 80)}`);
  return { ...value };
}

function inOne(blocks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(blocks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.byteLength;
  }
  return all;
}
