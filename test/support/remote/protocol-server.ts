import { createRunQueue, type RunQueue } from '../../../workers/engine/session/session.ts';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type * as Runtime from 'onnxruntime-web/webgpu';
import { decodeModel, type ValueInfo } from '../../../workers/engine/codec/model-proto.ts';
import { ElementType } from '../../../workers/engine/codec/tensor-proto.ts';
import { readInference } from './strict-request.ts';
import { ProtocolError, readTensor, writeTensor } from './strict-tensors.ts';

/** A request as the server saw it. */
export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly bytes: number;
  readonly status: number;
  readonly answered: number;
}

/** How a server behaves. */
export interface ProtocolServerOptions {
  /** Folders of a model repository by model name, as `export-engine` writes them. */
  readonly models: Readonly<Record<string, string>>;
  /** Announces and speaks the binary extension. */
  readonly binary?: boolean;
  /** Requests without this token get a 401. */
  readonly token?: string;
  /** Looked at before each inference: a number is the status to fail with, `hang up` ends the connection, `wait` waits. */
  readonly fail?: () => number | 'hang up' | undefined;
  /** Changes what is answered. */
  readonly spoil?: (name: string, values: Float32Array | Uint8Array) => void;
  readonly delayMs?: number;
}

/** A strict server of the Open Inference Protocol v2 over ONNX Runtime in WebAssembly. */
export interface ProtocolServer {
  readonly url: string;
  readonly log: readonly Logged[];
  /** Requests under way now. */
  running(): number;
  /** The most that were under way at once. */
  most(): number;
  /** Requests whose caller left before the answer. */
  left(): number;
  close(): Promise<void>;
}

interface Served {
  readonly session: Runtime.InferenceSession;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

const DATATYPES: Readonly<Record<number, string>> = {
  [ElementType.float32]: 'FP32',
  [ElementType.float16]: 'FP16',
  [ElementType.int32]: 'INT32',
  [ElementType.int64]: 'INT64',
  [ElementType.bool]: 'BOOL',
  [ElementType.uint8]: 'UINT8',
};

/** What answers are made from. */
interface Place {
  readonly ort: typeof Runtime;
  readonly options: ProtocolServerOptions;
  readonly models: Map<string, Served>;
  /** The one WebAssembly instance runs one pass at a time. */
  readonly inTurn: RunQueue;
}

/** Starts a server on a free loopback port. */
export async function startProtocolServer(
  ort: typeof Runtime,
  options: ProtocolServerOptions,
): Promise<ProtocolServer> {
  const models = new Map<string, Served>();
  for (const [name, folder] of Object.entries(options.models)) models.set(name, await opened(ort, folder));
  const place: Place = { ort, options, models, inTurn: createRunQueue() };
  const log: Logged[] = [];
  const counts = { running: 0, most: 0, left: 0 };
  const server = createServer((request, response) => {
    watch(request, response, counts, log);
    readBody(request)
      .then((body) => answer(place, request, response, body))
      .catch((error: unknown) => refuse(response, error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    running: () => counts.running,
    most: () => counts.most,
    left: () => counts.left,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await place.inTurn(async () => undefined);
      for (const [name, { session }] of models) {
        models.delete(name); // a second close finds none
        await session.release();
      }
    },
  };
}

function watch(
  request: IncomingMessage,
  response: ServerResponse,
  counts: { running: number; most: number; left: number },
  log: Logged[],
): void {
  const { method = '', url: path = '', headers } = request;
  counts.running += 1;
  counts.most = Math.max(counts.most, counts.running);
  const bytes = Number(headers['content-length'] ?? 0);
  response.once('close', () => {
    counts.running -= 1;
    if (!response.writableFinished) counts.left += 1;
    const answered = Number(response.getHeader('Content-Length') ?? 0);
    log.push({ method, path, authorization: headers.authorization, bytes, status: response.statusCode, answered });
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.statusCode = error instanceof ProtocolError ? error.status : 500;
  sendJson(response, { error: error instanceof Error ? error.message : String(error) });
}

async function answer(place: Place, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const { options, models } = place;
  const { method = '', url = '' } = request;
  if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`)
    throw new ProtocolError('unauthorized', 401);
  const extensions = options.binary ? ['binary_tensor_data'] : [];
  if (method === 'GET' && url === '/v2') return sendJson(response, { name: 'strict', version: '1', extensions });
  if (method === 'GET' && url === '/v2/health/ready') return sendJson(response, { ready: true });
  const [, name = '', rest = ''] = /^\/v2\/models\/([^/]+)(\/ready|\/infer)?$/.exec(url) ?? [];
  const served = models.get(decodeURIComponent(name));
  if (!served) throw new ProtocolError(`no such path or model: ${url}`, 404);
  if (method === 'GET' && rest === '/ready') return sendJson(response, { ready: true });
  if (method === 'GET' && rest === '') return sendJson(response, metadataOf(name, served));
  if (method !== 'POST' || rest !== '/infer') throw new ProtocolError(`${method} ${url}`, 405);
  const failing = options.fail?.();
  if (failing === 'hang up') return void request.socket.destroy();
  if (failing !== undefined) throw new ProtocolError('told to fail', failing);
  if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
  sendOutputs(response, name, await infer(place, served, request, body));
}

/** Runs a pass; refuses inputs that are missing and outputs that there are not. */
async function infer({ ort, options, inTurn }: Place, served: Served, request: IncomingMessage, body: Buffer) {
  const { inputs, outputs } = readInference(body, request.headers as Record<string, string>, options.binary ?? false);
  const feeds = Object.fromEntries(inputs.map(({ head, raw }) => [head.name, fedTo(ort, served, head, raw)]));
  const missing = served.inputs.find(({ name }) => feeds[name] === undefined);
  if (missing) throw new ProtocolError(`input ${missing.name} is missing`);
  const unknown = outputs.find(({ name }) => !served.outputs.some((each) => each.name === name));
  if (unknown) throw new ProtocolError(`unknown output ${unknown.name}`);
  const names = outputs.map(({ name }) => name);
  const fetched = await inTurn(() => served.session.run(feeds, names));
  for (const name of names) if (fetched[name]) options.spoil?.(name, fetched[name].data as Float32Array);
  return outputs.map(({ name, asBytes }) => writeTensor(name, fetched[name] as Runtime.Tensor, asBytes));
}

function sendOutputs(response: ServerResponse, name: string, outputs: readonly ReturnType<typeof writeTensor>[]): void {
  const told = { model_name: name, model_version: '1', outputs: outputs.map(({ json }) => json) };
  const json = Buffer.from(JSON.stringify(told));
  const raw = outputs.map(({ bytes }) => bytes);
  if (raw.every(({ length }) => length === 0)) return sendBytes(response, 'application/json', json);
  response.setHeader('Inference-Header-Content-Length', json.length);
  sendBytes(response, 'application/octet-stream', Buffer.concat([json, ...raw]));
}

async function opened(ort: typeof Runtime, folder: string): Promise<Served> {
  const read = async (name: string) => new Uint8Array(await readFile(join(folder, '1', name)));
  const model = await read('model.onnx');
  const beside = (await readdir(join(folder, '1'))).filter((name) => name !== 'model.onnx');
  const externalData = await Promise.all(beside.map(async (path) => ({ path, data: await read(path) })));
  const session = await ort.InferenceSession.create(model, { externalData, logSeverityLevel: 3 });
  const { inputs, outputs } = decodeModel(model);
  return { session, inputs, outputs };
}

function fedTo(
  ort: typeof Runtime,
  { inputs }: Served,
  head: Parameters<typeof readTensor>[1],
  raw: Buffer | undefined,
) {
  const expected = inputs.find(({ name }) => name === head.name);
  if (!expected) throw new ProtocolError(`unexpected input ${head.name}`);
  const wanted = DATATYPES[expected.type];
  if (head.datatype !== wanted) throw new ProtocolError(`input ${head.name}: expected ${wanted}, got ${head.datatype}`);
  const { dimensions } = expected;
  const fits =
    dimensions === null ||
    (dimensions.length === head.shape.length &&
      dimensions.every((length, axis) => typeof length !== 'number' || length === head.shape[axis]));
  if (!fits)
    throw new ProtocolError(`input ${head.name}: expected [${dimensions?.join(', ')}], got [${head.shape.join(', ')}]`);
  return readTensor(ort, head, raw);
}

function metadataOf(name: string, { inputs, outputs }: Served) {
  const tensor = ({ name: own, type, dimensions }: ValueInfo) => ({
    name: own,
    datatype: DATATYPES[type],
    shape: dimensions?.map((length) => (typeof length === 'number' ? length : -1)) ?? [],
  });
  return { name, versions: ['1'], platform: 'onnx_onnxv1', inputs: inputs.map(tensor), outputs: outputs.map(tensor) };
}

function sendJson(response: ServerResponse, json: object): void {
  sendBytes(response, 'application/json', Buffer.from(JSON.stringify(json)));
}

function sendBytes(response: ServerResponse, type: string, bytes: Buffer): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
