import { FailureError } from '../../../src/contract/failure.ts';
import { bytesOf, createMessage, type Message } from '../codec/wire-writer.ts';
import { ORIGINAL_FILE } from '../tensor-names.ts';
import type { RangedFile } from './ranged-file.ts';

/** A field of a file that is not there as a whole. Payload `[start, end)`. */
interface RemoteField {
  readonly number: number;
  readonly kind: number;
  readonly tagStart: number;
  readonly start: number;
  readonly end: number;
}

/** A tag and a length take at most so many bytes. */
const HEAD_BYTES = 20;

/** A constant of more bytes than this is weights: its values are left out. */
const SMALL_TENSOR = 4096;

/** Names and shapes of a tensor take fewer bytes than this. */
const TENSOR_HEAD = 1024;

/** Operators with their attributes, all together: more is no graph that a page can open. */
const MOST_BYTES = 256 * 2 ** 20;

/** @source onnx.proto: ModelProto.graph, GraphProto.initializer, TensorProto's values, and its note of data elsewhere */
const FIELD = { graph: 7, initialiser: 5, values: new Set([4, 5, 6, 7, 9, 10, 11]), location: 13, where: 14 } as const;

/**
 * An ONNX file without the values of its weights: operators, shapes and small constants are enough to tell whether a network
 * can be rewritten. Weights are noted as data of `ORIGINAL_FILE`; the outline cannot be run.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE as `RangedFile.read`, and for what is no ONNX file
 */
export async function outlineOf(file: RangedFile): Promise<Uint8Array<ArrayBuffer>> {
  const model = createMessage();
  for await (const field of remoteFields(file, 0, file.bytes)) {
    if (field.number !== FIELD.graph) await copy(file, field, model);
    else model.message(FIELD.graph, await outlinedGraph(file, field));
  }
  return bytesOf(model);
}

async function outlinedGraph(file: RangedFile, { start, end }: RemoteField): Promise<Message> {
  const graph = createMessage();
  for await (const field of remoteFields(file, start, end)) {
    if (graph.byteCount > MOST_BYTES)
      throw new FailureError('MODEL_UNAVAILABLE', `the graph has more than ${MOST_BYTES} bytes beside its weights`);
    if (field.number === FIELD.initialiser && field.end - field.start > SMALL_TENSOR)
      graph.message(FIELD.initialiser, await outlinedTensor(file, field));
    else await copy(file, field, graph);
  }
  return graph;
}

async function outlinedTensor(file: RangedFile, { start, end }: RemoteField): Promise<Message> {
  const tensor = createMessage();
  let position = start;
  for await (const field of remoteFields(file, start, end)) {
    if (!FIELD.values.has(field.number)) await copy(file, field, tensor);
    else if (field.end - field.start <= TENSOR_HEAD) await copy(file, field, tensor);
    else position = field.start;
  }
  for (const [key, value] of [
    ['location', ORIGINAL_FILE],
    ['offset', `${position}`],
  ] as const)
    tensor.message(FIELD.location, createMessage().text(1, key).text(2, value));
  return tensor.integer(FIELD.where, 1);
}

async function copy(file: RangedFile, { tagStart, end }: RemoteField, to: Message): Promise<void> {
  to.encoded(await file.read(tagStart, end));
}

/** Walks the fields of a message; what lies between them is not fetched. */
async function* remoteFields(file: RangedFile, start: number, end: number): AsyncGenerator<RemoteField> {
  for (let position = start; position < end;) {
    const head = await file.read(position, Math.min(end, position + HEAD_BYTES));
    const field = fieldAt(head, position);
    if (field === undefined || field.end > end)
      throw new FailureError('MODEL_UNAVAILABLE', `it is no ONNX file, or is cut short at byte ${position}`);
    yield field;
    position = field.end;
  }
}

function fieldAt(head: Uint8Array, position: number): RemoteField | undefined {
  const tag = varintAt(head, 0);
  if (tag === undefined) return undefined;
  const [number, kind, tagStart] = [tag.value >>> 3, tag.value & 7, position];
  const at = (start: number, length: number): RemoteField => ({
    ...{ number, kind, tagStart },
    ...{ start: position + start, end: position + start + length },
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
