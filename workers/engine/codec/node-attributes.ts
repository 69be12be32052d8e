import { floatsOf } from './wire-reader.ts';
import { type Initialiser, decodeTensor } from './tensor-proto.ts';
import { type Field, fieldsOf, integersOf } from './wire-reader.ts';
import { type Message, createMessage, bytesOf } from './wire-writer.ts';

/** Encoded AttributeProtos by attribute name. @source onnx.proto, message AttributeProto */
export type Attributes = ReadonlyMap<string, Uint8Array>;

interface WithAttributes {
  readonly attributes: Attributes;
}
/** The field of an attribute that holds its value; undefined when the attribute or the value is absent. */
function attributeField(
  node: WithAttributes,
  name: string,
  number: number,
): { bytes: Uint8Array; field: Field } | undefined {
  const bytes = node.attributes.get(name);
  if (bytes === undefined) return undefined;
  for (const field of fieldsOf(bytes)) if (field.number === number) return { bytes, field };
  return undefined;
}

/** An integer attribute, or `absent`. */
export function integerAttribute(node: WithAttributes, name: string, absent: number): number {
  return attributeField(node, name, 3)?.field.value ?? absent;
}

/** A float attribute, or `absent`. */
export function floatAttribute(node: WithAttributes, name: string, absent: number): number {
  const found = attributeField(node, name, 2);
  return (found && floatsOf(found.bytes, found.field)[0]) ?? absent;
}

/** A list of integers; undefined when the attribute is absent. */
export function integersAttribute(node: WithAttributes, name: string): number[] | undefined {
  const bytes = node.attributes.get(name);
  if (bytes === undefined) return undefined;
  return [...fieldsOf(bytes)].filter((field) => field.number === 8).flatMap((field) => integersOf(bytes, field));
}

/** A constant; undefined when the attribute is absent. */
export function tensorAttribute(node: WithAttributes, name: string): Initialiser | undefined {
  const found = attributeField(node, name, 5);
  return found && decodeTensor(found.bytes.slice(found.field.start, found.field.end), undefined);
}

/** Value of an attribute to be written. */
export type AttributeValue =
  | { readonly integer: number }
  | { readonly float: number }
  | { readonly integers: readonly number[] }
  | { readonly text: string }
  | { readonly body: Message };

/** Encodes attributes. Numbers after the value are AttributeProto.AttributeType. */
export function encodeAttributes(values: Readonly<Record<string, AttributeValue>>): Map<string, Uint8Array> {
  const entries = Object.entries(values).map(([name, value]): [string, Uint8Array] => [
    name,
    encodeAttribute(name, value),
  ]);
  return new Map(entries);
}

function encodeAttribute(name: string, value: AttributeValue): Uint8Array {
  const message = createMessage().text(1, name);
  if ('integer' in value) message.integer(3, value.integer).integer(20, 2);
  else if ('float' in value) message.float(2, value.float).integer(20, 1);
  else if ('text' in value) message.text(4, value.text).integer(20, 3);
  else if ('body' in value) message.message(6, value.body).integer(20, 5);
  else {
    for (const integer of value.integers) message.integer(8, integer);
    message.integer(20, 7);
  }
  return bytesOf(message);
}
