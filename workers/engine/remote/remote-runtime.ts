import { FailureError } from '../../../src/contract/failure.ts';
import type { RemoteEngine } from '../../../src/protocol/model-job.ts';
import type { FileDigest } from '../codec/data-files.ts';
import { ElementType } from '../codec/element-type.ts';
import { decodeModel } from '../codec/model-proto.ts';
import type { ValueInfo } from '../codec/value-info.ts';
import type { Ort, Session, Tensor } from '../session/session.ts';
import type { Connection } from './connection.ts';
import type { InFlight } from './in-flight.ts';
import { decodeAnswer, encodeRequest, isDatatype, readExtensions, readMetadata } from './oip-messages.ts';
import type { Encoding, ModelMetadata, TensorMetadata } from './oip-messages.ts';
import { type Datatype, DATATYPES } from './oip-tensor.ts';
import { DIGEST, digestsIn } from './digest.ts';

/** The provider under which `openSession` asks for a session of a remote engine. */
export const REMOTE_PROVIDER = 'remote';

/** What a remote runtime needs. */
export interface RemoteRuntimeOptions {
  readonly engine: RemoteEngine;
  readonly connection: Connection;
  readonly inFlight: InFlight;
  /** Of the files that the engine must have been given, in the order of `inOrder`. */
  readonly digests: readonly FileDigest[];
  readonly now?: () => number;
}

/** ONNX Runtime's form over an engine. */
export interface RemoteRuntime {
  readonly ort: Ort;
  /** How tensors travel; undefined before a session is open. */
  encoding(): Encoding | undefined;
}

/**
 * A runtime of ONNX Runtime's form whose sessions are a model of an engine that speaks the Open Inference Protocol v2.
 * `run` is one inference request. A session of another provider, such as that of the table of embeddings, is opened on the
 * local runtime.
 *
 * @source KServe, Open Inference Protocol v2 (REST), with its binary tensor data extension
 */
export function remoteRuntime(local: Ort, options: RemoteRuntimeOptions): RemoteRuntime {
  let encoding: Encoding | undefined;
  const create: Ort['InferenceSession']['create'] = async (model, sessionOptions) => {
    const [provider] = sessionOptions?.executionProviders ?? [];
    if (provider !== REMOTE_PROVIDER) return local.InferenceSession.create(model, sessionOptions);
    encoding = await encodingOf(options);
    return openRemoteSession(local, model, encoding, options);
  };
  return { ort: { Tensor: local.Tensor, InferenceSession: { create } }, encoding: () => encoding };
}

/** Raw tensors where the server announces them. A server that describes itself to nobody gets JSON. */
async function encodingOf({ connection }: RemoteRuntimeOptions): Promise<Encoding> {
  const { bytes } = await connection.get('v2');
  return readExtensions(bytes).includes('binary_tensor_data') ? 'binary' : 'json';
}

async function openRemoteSession(
  local: Ort,
  skeleton: Uint8Array,
  encoding: Encoding,
  { engine, connection, inFlight, digests, now = () => performance.now() }: RemoteRuntimeOptions,
): Promise<Session> {
  const path = `v2/models/${encodeURIComponent(engine.model)}`;
  const metadata = readMetadata((await connection.get(path)).bytes);
  const { inputs, outputs } = decodeModel(skeleton);
  checkNames(engine, 'input', inputs, metadata.inputs);
  checkNames(engine, 'output', outputs, metadata.outputs);
  checkDigestThere(engine, metadata);
  const datatypes = new Map(metadata.outputs.flatMap(({ name, datatype }) => typed(name, datatype)));
  return {
    inputNames: inputs.map(({ name }) => name),
    async run(feeds, fetches, { signal } = {}) {
      const names = [...fetches, DIGEST];
      const asked = new Map(names.map((name) => [name, datatypes.get(name) ?? DATATYPES.float32]));
      const request = encodeRequest(feeds, names, encoding);
      const startedMs = now();
      const answer = await connection.post(`${path}/infer`, request, { signal, onOverload: inFlight.overloaded });
      inFlight.measured(workOf(feeds), now() - startedMs);
      const { [DIGEST]: shown, ...fetched } = decodeAnswer(local, answer, asked);
      checkDigests(engine, shown, digests);
      return fetched;
    },
    release: async () => undefined,
  };
}

function typed(name: string, datatype: string): [string, Datatype][] {
  return isDatatype(datatype) ? [[name, datatype]] : [];
}

/** Graph types by the protocol's names. */
const DATATYPE_OF: Readonly<Partial<Record<number, Datatype>>> = {
  [ElementType.float32]: 'FP32',
  [ElementType.int8]: 'INT8',
  [ElementType.int32]: 'INT32',
  [ElementType.int64]: 'INT64',
  [ElementType.bool]: 'BOOL',
  [ElementType.float16]: 'FP16',
};

/** @throws {FailureError} MODEL_UNAVAILABLE naming the first tensor that is missing or of another datatype */
function checkNames(
  { address, model }: RemoteEngine,
  what: 'input' | 'output',
  expected: readonly ValueInfo[],
  found: readonly TensorMetadata[],
): void {
  const known = new Map(found.map(({ name, datatype }) => [name, datatype]));
  for (const { name, type } of expected) {
    const datatype = known.get(name);
    const wanted = DATATYPE_OF[type];
    if (datatype !== undefined && (wanted === undefined || datatype === wanted)) continue;
    throw new FailureError(
      'MODEL_UNAVAILABLE',
      `model "${model}" of the engine ${address}: expected the ${what} "${name}" of ${wanted}, got ${datatype ?? 'none'}`,
    );
  }
}

function checkDigestThere({ address, model }: RemoteEngine, { outputs }: ModelMetadata): void {
  if (outputs.some(({ name }) => name === DIGEST)) return;
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `model "${model}" of the engine ${address}: expected the output "${DIGEST}", got none; export the model for the engine`,
  );
}

/** Each answer says which files computed it: an engine may put another version in place while it runs. */
function checkDigests(
  { address, model }: RemoteEngine,
  shown: Tensor | undefined,
  digests: readonly FileDigest[],
): void {
  const found = shown?.data instanceof Uint8Array ? digestsIn(shown.data) : [];
  const differing = digests.findIndex(({ sha256 }, index) => found[index] !== sha256);
  if (differing === -1 && found.length === digests.length) return;
  const { file, sha256 } = digests[differing] ?? { file: 'no more data files', sha256: 'none' };
  const got = found[differing === -1 ? digests.length : differing] ?? 'none';
  throw new FailureError(
    'MODEL_UNAVAILABLE',
    `model "${model}" of the engine ${address}: expected weights with SHA-256 ${sha256} (${file}), got ${got}; ` +
      'export the same files for the engine',
  );
}

/** Numbers fed, the KV cache left out: comparable between passes of one network. */
function workOf(feeds: Readonly<Record<string, Tensor>>): number {
  return Object.values(feeds).reduce((sum, { dims, size }) => sum + (dims.length === 4 && dims[1] !== 1 ? 0 : size), 0);
}
