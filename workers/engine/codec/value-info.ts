import { fieldsOf, textOf } from './wire-reader.ts';
import { bytesOf, createMessage } from './wire-writer.ts';

/** A named axis, a fixed length, or null where the file says nothing. */
export type Dimension = string | number | null;

/** Name, element type and shape of a graph input or output. */
export interface ValueInfo {
  readonly name: string;
  /** 0 for values that are not tensors. */
  readonly type: number;
  /** null when the rank is unknown. */
  readonly dimensions: readonly Dimension[] | null;
  readonly bytes: Uint8Array;
}

/** @source onnx.proto, messages ValueInfoProto, TypeProto.Tensor, TensorShapeProto */
export function decodeValueInfo(bytes: Uint8Array): ValueInfo {
  let name = '';
  let type = 0;
  let dimensions: Dimension[] | null = null;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) name = textOf(bytes, field);
    if (field.number !== 2) continue;
    const tensor = [...fieldsOf(bytes, field.start, field.end)].find((kind) => kind.number === 1); // tensor_type
    if (tensor === undefined) continue;
    for (const part of fieldsOf(bytes, tensor.start, tensor.end)) {
      if (part.number === 1) type = part.value;
      else if (part.number === 2) dimensions = decodeShape(bytes.subarray(part.start, part.end));
    }
  }
  return { name, type, dimensions, bytes };
}

function decodeShape(bytes: Uint8Array): Dimension[] {
  return [...fieldsOf(bytes)].map((dimension) => {
    let value: Dimension = null;
    for (const field of fieldsOf(bytes, dimension.start, dimension.end)) {
      if (field.number === 1) value = field.value;
      else if (field.number === 2) value = textOf(bytes, field);
    }
    return value;
  });
}

/** Describes a tensor input or output. */
export function makeValueInfo(name: string, type: number, dimensions: readonly Dimension[]): ValueInfo {
  const shape = createMessage();
  for (const dimension of dimensions) {
    const axis = createMessage();
    if (typeof dimension === 'string') axis.text(2, dimension);
    else if (dimension !== null) axis.integer(1, dimension);
    shape.message(1, axis);
  }
  const tensor = createMessage().integer(1, type).message(2, shape);
  const message = createMessage().text(1, name).message(2, createMessage().message(1, tensor));
  return { name, type, dimensions, bytes: bytesOf(message) };
}
