import { type Attributes, type AttributeValue, encodeAttributes } from './node-attributes.ts';
import { fieldsOf, textOf } from './wire-reader.ts';
import { bytesOf, createMessage, type Message } from './wire-writer.ts';

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
  readonly attributes: Attributes;
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

/** Another name for a tensor, or the same. */
export type Rename = (tensor: string) => string;

/** A copy of a node that reads and makes tensors under other names, in the bodies of If, Loop and Scan as well. */
export function renamedNode(node: GraphNode, rename: Rename): GraphNode {
  const renamed = (tensors: readonly string[]) => tensors.map((tensor) => (tensor === '' ? '' : rename(tensor)));
  const { captures, attributes } = node;
  return {
    ...node,
    name: '', // a name only helps people read a graph; two nodes must not share one
    inputs: renamed(node.inputs),
    outputs: renamed(node.outputs),
    captures: renamed(captures),
    attributes:
      captures.length === 0
        ? attributes
        : new Map([...attributes].map(([name, attribute]) => [name, renamedAttribute(attribute, rename)])),
  };
}

/** @source onnx.proto, message AttributeProto: 6 is a body, 11 a list of them */
function renamedAttribute(attribute: Uint8Array, rename: Rename): Uint8Array {
  const message = createMessage();
  for (const { number, tagStart, start, end } of fieldsOf(attribute)) {
    if (number === 6 || number === 11) message.bytes(number, renamedBody(attribute.subarray(start, end), rename));
    else message.encoded(attribute.subarray(tagStart, end));
  }
  return bytesOf(message);
}

/** @source onnx.proto, message GraphProto: 1 is a node */
function renamedBody(body: Uint8Array, rename: Rename): Uint8Array {
  const message = createMessage();
  for (const { number, tagStart, start, end } of fieldsOf(body)) {
    if (number === 1) message.message(1, encodeNode(renamedNode(decodeNode(body.subarray(start, end)), rename)));
    else message.encoded(body.subarray(tagStart, end));
  }
  return bytesOf(message);
}
