import { ProtocolError, type WireTensor } from './strict-tensors.ts';

/** An inference request, split into its JSON and the bytes of each input. */
export interface InferenceRequest {
  readonly inputs: readonly { readonly head: WireTensor; readonly raw: Buffer | undefined }[];
  readonly outputs: readonly { readonly name: string; readonly asBytes: boolean }[];
}

const FIELDS = {
  request: new Set(['id', 'parameters', 'inputs', 'outputs']),
  input: new Set(['name', 'shape', 'datatype', 'parameters', 'data']),
  output: new Set(['name', 'parameters']),
};

/**
 * Reads an inference request and refuses whatever the protocol forbids or does not know.
 *
 * @source Open Inference Protocol v2, "Inference Request JSON Object" and "Binary tensor data extension"
 */
export function readInference(
  body: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
  binary: boolean,
): InferenceRequest {
  const length = headers['inference-header-content-length'];
  const type = (headers['content-type'] ?? '').split(';')[0];
  if (length !== undefined && !binary) throw new ProtocolError('the binary extension was not announced');
  const wanted = length === undefined ? 'application/json' : 'application/octet-stream';
  if (type !== wanted) throw new ProtocolError(`Content-Type: expected ${wanted}, got ${type}`, 415);
  const jsonBytes = length === undefined ? body.length : Number(length);
  if (!Number.isSafeInteger(jsonBytes) || jsonBytes < 2 || jsonBytes > body.length)
    throw new ProtocolError(`Inference-Header-Content-Length ${length} for a body of ${body.length} bytes`);
  const json = parsed(body.subarray(0, jsonBytes));
  onlyFields(json, FIELDS.request, 'request');
  let at = jsonBytes;
  const inputs = listOf<WireTensor>(json, 'inputs').map((head) => {
    onlyFields(head, FIELDS.input, `input ${head.name}`);
    const size = head.parameters?.binary_data_size;
    if (size === undefined) return { head, raw: undefined };
    const raw = body.subarray(at, at + size);
    at += size;
    return { head, raw };
  });
  if (at !== body.length)
    throw new ProtocolError(`${body.length - jsonBytes} bytes of tensors, inputs of ${at - jsonBytes}`);
  const asked = listOf<{ name: string; parameters?: { binary_data?: boolean } }>(json, 'outputs');
  const outputs = asked.map((each) => {
    onlyFields(each, FIELDS.output, `output ${each.name}`);
    const asBytes = each.parameters?.binary_data === true;
    if (asBytes && !binary) throw new ProtocolError('the binary extension was not announced');
    return { name: each.name, asBytes };
  });
  return { inputs, outputs };
}

function parsed(bytes: Buffer): object {
  try {
    const json: unknown = JSON.parse(bytes.toString());
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  } catch {
    // said below
  }
  throw new ProtocolError('expected a JSON object');
}

function onlyFields(json: object, known: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(json).find((field) => !known.has(field));
  if (unknown !== undefined) throw new ProtocolError(`${what}: unknown field ${unknown}`);
}

function listOf<Entry>(json: object, field: string): readonly Entry[] {
  const list: unknown = (json as Record<string, unknown>)[field];
  if (!Array.isArray(list) || list.length === 0) throw new ProtocolError(`${field}: expected a list with entries`);
  const names = list.map((entry: { name?: unknown }) => entry?.name);
  if (names.some((name) => typeof name !== 'string') || new Set(names).size < names.length)
    throw new ProtocolError(`${field}: expected a name of its own for each`);
  return list as readonly Entry[];
}
