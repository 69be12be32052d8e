import type * as Runtime from 'onnxruntime-web/webgpu';

/** A request that the protocol forbids. */
export class ProtocolError extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

const TYPES = {
  BOOL: ['bool', Uint8Array, 1],
  UINT8: ['uint8', Uint8Array, 1],
  INT32: ['int32', Int32Array, 4],
  INT64: ['int64', BigInt64Array, 8],
  FP16: ['float16', Uint16Array, 2],
  FP32: ['float32', Float32Array, 4],
} as const;
type Datatype = keyof typeof TYPES;

/** A tensor as a request or an answer has it. */
export interface WireTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data?: readonly unknown[];
  readonly parameters?: { readonly binary_data_size?: number };
}

type Ort = Pick<typeof Runtime, 'Tensor'>;

/** ONNX Runtime's type name of a datatype. */
export function isDatatype(text: string): text is Datatype {
  return Object.hasOwn(TYPES, text);
}

/** The protocol's name for a type of ONNX Runtime. */
export function datatypeOf(type: string): string {
  const found = Object.entries(TYPES).find(([, [name]]) => name === type);
  if (!found) throw new Error(`no datatype for ${type}`);
  return found[0];
}

/** Reads one input, strictly. `raw`: its bytes where it came in the binary form. */
export function readTensor(ort: Ort, { name, shape, datatype, data }: WireTensor, raw: Buffer | undefined) {
  if (!isDatatype(datatype)) throw new ProtocolError(`input ${name}: unknown datatype ${datatype}`);
  const [type, ArrayOf, width] = TYPES[datatype];
  if (!Array.isArray(shape) || shape.length === 0)
    throw new ProtocolError(`input ${name}: expected a rank of at least 1`);
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new ProtocolError(`input ${name}: bad shape [${shape.join(', ')}]`);
  const count = shape.reduce((all, each) => all * each, 1);
  if (raw !== undefined) {
    if (data !== undefined) throw new ProtocolError(`input ${name}: data in JSON and in bytes`);
    if (raw.length !== count * width)
      throw new ProtocolError(`input ${name}: ${raw.length} bytes for ${datatype} [${shape.join(', ')}]`);
    const own = new Uint8Array(raw);
    return tensor(ort, type, new ArrayOf(own.buffer, 0, count), shape);
  }
  if (datatype === 'FP16') throw new ProtocolError(`input ${name}: FP16 has no form in JSON`);
  if (!Array.isArray(data) || data.length !== count)
    throw new ProtocolError(`input ${name}: expected ${count} values, got ${data?.length ?? 'none'}`);
  const wanted = datatype === 'BOOL' ? 'boolean' : 'number';
  if (data.some((value) => typeof value !== wanted)) throw new ProtocolError(`input ${name}: expected ${wanted}s`);
  const isWhole = datatype.startsWith('INT') || datatype.startsWith('UINT');
  if (isWhole && !data.every(Number.isSafeInteger)) throw new ProtocolError(`input ${name}: expected whole numbers`);
  const numbers = data.map(Number);
  return tensor(
    ort,
    type,
    datatype === 'INT64' ? BigInt64Array.from(numbers, BigInt) : (ArrayOf as typeof Float32Array).from(numbers),
    shape,
  );
}

function tensor(ort: Ort, type: string, data: ArrayBufferView, shape: readonly number[]) {
  return new ort.Tensor(type as 'float32', data as Float32Array, shape);
}

/** An output as it is answered; its bytes apart where they were asked for so. */
export function writeTensor(name: string, { type, dims, data }: Runtime.Tensor, asBytes: boolean) {
  const datatype = datatypeOf(type);
  const view = data as Float32Array;
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  if (asBytes)
    return { json: { name, datatype, shape: [...dims], parameters: { binary_data_size: bytes.length } }, bytes };
  const values = Array.from(view as Iterable<number | bigint>, (value) =>
    type === 'bool' ? Boolean(value) : Number(value),
  );
  return { json: { name, datatype, shape: [...dims], data: values }, bytes: Buffer.alloc(0) };
}
