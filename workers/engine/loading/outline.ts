import { bytesOf, createMessage, type Message } from '../codec/protobuf.ts';
import { refuse } from '../network.ts';

interface RangedFile {
  readonly bytes: number;
  /** Bytes `[start, end)`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A protobuf field of a file that is fetched in parts. Payload `[start, end)`. */
interface RemoteField {
  readonly number: number;
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}

/** Most bytes of a tag and a length. */
const HEAD_BYTES = 20;

/** Larger constants are weights: their values are left out. */
const SMALL_TENSOR = 4096;

/** Most bytes of a tensor's name or shape. */
const TENSOR_HEAD = 1024;

/** Most bytes of all operators with their attributes: a page cannot open a larger graph. */
const MAX_BYTES = 256 * 2 ** 20;

/** @source onnx.proto: ModelProto.graph, GraphProto.initializer, TensorProto.external_data and data_location */
const FIELD = { graph: 7, initialiser: 5, location: 13, where: 14 } as const;

/** Fields with the values of a tensor. @source onnx.proto, TensorProto */
export const VALUES: ReadonlySet<number> = new Set([4, 5, 6, 7, 9, 10, 11]);

/** Those whose bytes in the file are those in memory, as external data must be: float_data, raw_data, double_data. */
export const STORED_VALUES: ReadonlySet<number> = new Set([4, 9, 10]);

/** What an outline leaves out, and how it refers to that. */
interface LeftOut {
  /** By which the outline names the file: the weights become external data of it. */
  readonly location: string;
  /** Fields of large tensors that are left out. Without other ones than `STORED_VALUES` the outline can be run with the file. */
  readonly values: ReadonlySet<number>;
}

/**
 * An ONNX file without the values of its weights: operators, shapes and small constants are enough to decide whether a network
 * can be rewritten.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE as `read` of the file, and for any other file
 */
export async function outlineOf(file: RangedFile, leftOut: LeftOut): Promise<Uint8Array<ArrayBuffer>> {
  const model = createMessage();
  for await (const field of remoteFields(file, 0, file.bytes)) {
    if (field.number !== FIELD.graph) await copy(file, field, model);
    else model.message(FIELD.graph, await outlinedGraph(file, field, leftOut));
  }
  return bytesOf(model);
}

async function outlinedGraph(file: RangedFile, { start, end }: RemoteField, leftOut: LeftOut): Promise<Message> {
  const graph = createMessage();
  for await (const field of remoteFields(file, start, end)) {
    if (graph.byteCount > MAX_BYTES) refuse(`the graph has more than ${MAX_BYTES} bytes beside its weights`);
    if (field.number === FIELD.initialiser && field.end - field.start > SMALL_TENSOR)
      graph.message(FIELD.initialiser, await outlinedTensor(file, field, leftOut));
    else await copy(file, field, graph);
  }
  return graph;
}

async function outlinedTensor(
  file: RangedFile,
  { start, end }: RemoteField,
  { location, values: omitted }: LeftOut,
): Promise<Message> {
  const tensor = createMessage();
  let values: RemoteField | undefined;
  for await (const field of remoteFields(file, start, end)) {
    if (omitted.has(field.number) && field.end - field.start > TENSOR_HEAD) values = field;
    else await copy(file, field, tensor);
  }
  if (!values) return tensor; // its data are external already
  const place = { location, offset: `${values.start}`, length: `${values.end - values.start}` };
  for (const [key, value] of Object.entries(place))
    tensor.message(FIELD.location, createMessage().text(1, key).text(2, value));
  return tensor.integer(FIELD.where, 1);
}

async function copy(file: RangedFile, { tagStart, end }: RemoteField, to: Message): Promise<void> {
  to.encoded(await file.read(tagStart, end));
}

/** The fields of a message; payloads are not fetched. */
async function* remoteFields(file: RangedFile, start: number, end: number): AsyncGenerator<RemoteField> {
  for (let position = start; position < end;) {
    const head = await file.read(position, Math.min(end, position + HEAD_BYTES));
    const field = fieldAt(head, position);
    if (field === undefined || field.end > end)
      return refuse(`it is no ONNX file, or is cut short at byte ${position}`);
    yield field;
    position = field.end;
  }
}

function fieldAt(head: Uint8Array, position: number): RemoteField | undefined {
  const tag = varintAt(head, 0);
  if (tag === undefined) return undefined;
  const [number, kind, tagStart] = [tag.value >>> 3, tag.value & 7, position];
  const at = (start: number, length: number): RemoteField => ({
    number,
    tagStart,
    start: position + start,
    end: position + start + length,
  });
  const value = kind === 0 || kind === 2 ? varintAt(head, tag.next) : undefined;
  if (kind === 0) return value && at(tag.next, value.next - tag.next);
  if (kind === 2) return value && at(value.next, value.value);
  return kind === 1 || kind === 5 ? at(tag.next, kind === 1 ? 8 : 4) : undefined;
}

/** A varint of a length or tag: exact up to 2⁵³, as long as a file can be. */
function varintAt(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return undefined;
}
