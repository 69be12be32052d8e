import { decodeTensor, type Initialiser } from './tensor-proto.ts';
import { bytesOf, createMessage, fieldsOf, floatsOf, integersOf, textOf, type Field, type Message } from './wire.ts';

/** Domain of ONNX Runtime's own operators. */
export const MICROSOFT = 'com.microsoft';

/** One operator of the graph. Lists may be edited in place by the rewrite; tensors are referred to by name. */
export interface GraphNode {
  readonly operator: string;
  readonly domain: string;
  readonly name: string;
  /** '' stands for an optional input that is left out. */
  readonly inputs: string[];
  readonly outputs: string[];
  /** Encoded AttributeProtos by attribute name. */
  readonly attributes: ReadonlyMap<string, Uint8Array>;
  /** Outer tensors that the bodies of If, Loop and Scan read. They are dependencies that `inputs` does not list. */
  readonly captures: readonly string[];
}

/** @source onnx.proto, message NodeProto; documentation and metadata are dropped */
export function decodeNode(bytes: Uint8Array): GraphNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const node = { operator: '', domain: '', name: '', inputs, outputs };
  const attributes = new Map<string, Uint8Array>();
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) node.inputs.push(textOf(bytes, field));
    else if (field.number === 2) node.outputs.push(textOf(bytes, field));
    else if (field.number === 3) node.name = textOf(bytes, field);
    else if (field.number === 4) node.operator = textOf(bytes, field);
    else if (field.number === 7) node.domain = textOf(bytes, field);
    else if (field.number === 5) {
      const attribute = bytes.subarray(field.start, field.end);
      attributes.set(fieldText(attribute, 1), attribute);
    }
  }
  const domain = node.domain === 'ai.onnx' ? '' : node.domain;
  return { ...node, domain, attributes, captures: capturesOf(attributes) };
}

/** The reverse of `decodeNode`. */
export function encodeNode(node: GraphNode): Message {
  const message = createMessage();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  if (node.name) message.text(3, node.name);
  message.text(4, node.operator);
  for (const attribute of node.attributes.values()) message.bytes(5, attribute);
  if (node.domain) message.text(7, node.domain);
  return message;
}

function capturesOf(attributes: ReadonlyMap<string, Uint8Array>): string[] {
  const captured = new Set<string>();
  for (const attribute of attributes.values())
    for (const field of fieldsOf(attribute))
      if (field.number === 6 || field.number === 11)
        for (const name of freeNames(attribute.subarray(field.start, field.end))) captured.add(name);
  return [...captured];
}

/** Names that a body reads and does not define. */
function freeNames(body: Uint8Array): string[] {
  const defined = new Set<string>();
  const read = new Set<string>();
  for (const field of fieldsOf(body)) {
    const part = body.subarray(field.start, field.end);
    if (field.number === 1) {
      const node = decodeNode(part);
      for (const name of [...node.inputs, ...node.captures]) read.add(name);
      for (const name of node.outputs) defined.add(name);
    } else if (field.number === 5) defined.add(fieldText(part, 8));
    else if (field.number === 11) defined.add(fieldText(part, 1));
    else if (field.number === 12) read.add(fieldText(part, 1));
  }
  return [...read].filter((name) => name !== '' && !defined.has(name));
}

function fieldText(bytes: Uint8Array, number: number): string {
  for (const field of fieldsOf(bytes)) if (field.number === number) return textOf(bytes, field);
  return '';
}

/** The field of an attribute that holds its value; undefined when the attribute or the value is absent. */
function attributeField(
  node: GraphNode,
  name: string,
  number: number,
): { bytes: Uint8Array; field: Field } | undefined {
  const bytes = node.attributes.get(name);
  if (bytes === undefined) return undefined;
  for (const field of fieldsOf(bytes)) if (field.number === number) return { bytes, field };
  return undefined;
}

/** An integer attribute, or `absent`. */
export function integerAttribute(node: GraphNode, name: string, absent: number): number {
  return attributeField(node, name, 3)?.field.value ?? absent;
}

/** A float attribute, or `absent`. */
export function floatAttribute(node: GraphNode, name: string, absent: number): number {
  const found = attributeField(node, name, 2);
  return (found && floatsOf(found.bytes, found.field)[0]) ?? absent;
}

/** A list of integers; undefined when the attribute is absent. */
export function integersAttribute(node: GraphNode, name: string): number[] | undefined {
  const bytes = node.attributes.get(name);
  if (bytes === undefined) return undefined;
  return [...fieldsOf(bytes)].filter((field) => field.number === 8).flatMap((field) => integersOf(bytes, field));
}

/** A constant; undefined when the attribute is absent. */
export function tensorAttribute(node: GraphNode, name: string): Initialiser | undefined {
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

/** Makes a node; captures are read from the bodies among its attributes. */
export function makeNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  values: Readonly<Record<string, AttributeValue>> = {},
  domain = '',
): GraphNode {
  const attributes = encodeAttributes(values);
  const name = outputs[0] ?? operator;
  return {
    operator,
    domain,
    name,
    inputs: [...inputs],
    outputs: [...outputs],
    attributes,
    captures: capturesOf(attributes),
  };
}
