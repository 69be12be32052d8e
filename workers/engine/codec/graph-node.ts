import {
  bytesOf,
  createMessage,
  fieldsOf,
  floatsOf,
  integersOf,
  type Message,
  readText,
  textOf,
  type WireField,
} from './protobuf.ts';
import { decodeTensor, type Initialiser } from './tensor-proto.ts';

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
  let [operator, domain, name] = ['', '', ''];
  const attributes = new Map<string, Uint8Array>();
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) inputs.push(readText(bytes, field));
    else if (field.number === 2) outputs.push(readText(bytes, field));
    else if (field.number === 3) name = readText(bytes, field);
    else if (field.number === 4) operator = readText(bytes, field);
    else if (field.number === 7) domain = readText(bytes, field);
    else if (field.number === 5) {
      const attribute = bytes.subarray(field.start, field.end);
      attributes.set(textOf(attribute, 1), attribute);
    }
  }
  if (domain === 'ai.onnx') domain = '';
  return { operator, domain, name, inputs, outputs, attributes, captures: capturesOf(attributes) };
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

/** @source onnx.proto, message AttributeProto: 6 is a body, 11 one of a list of bodies */
function isBody({ number }: WireField): boolean {
  return number === 6 || number === 11;
}

function capturesOf(attributes: GraphNode['attributes']): string[] {
  const bodies = [...attributes.values()].flatMap((attribute) =>
    [...fieldsOf(attribute)].filter(isBody).map(({ start, end }) => attribute.subarray(start, end)),
  );
  return [...new Set(bodies.flatMap(freeNames))];
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
    } else if (field.number === 5) defined.add(textOf(part, 8));
    else if (field.number === 11) defined.add(textOf(part, 1));
    else if (field.number === 12) read.add(textOf(part, 1));
  }
  return [...read].filter((name) => name !== '' && !defined.has(name));
}

/** Makes a node; captures are read from the bodies among its attributes. */
export function makeNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  values: AttributeValues = {},
  domain = '',
): GraphNode {
  const attributes = new Map(Object.entries(values).map(([name, value]) => [name, encodeAttribute(name, value)]));
  const [name = operator] = outputs;
  const captures = capturesOf(attributes);
  return { operator, domain, name, inputs: [...inputs], outputs: [...outputs], attributes, captures };
}

/**
 * A copy of a node that reads and makes tensors under other names, in the bodies of If, Loop and Scan as well.
 *
 * @param keepsNames  of nodes: of one that is replaced by the copy, so that a session still knows where to compute it. Two nodes must
 *   not share a name.
 */
export function renamedNode(node: GraphNode, rename: (tensor: string) => string, keepsNames = false): GraphNode {
  const renamed = (tensors: readonly string[]) => tensors.map((tensor) => (tensor === '' ? '' : rename(tensor)));
  const { captures, attributes } = node;
  return {
    ...node,
    name: keepsNames ? node.name : '',
    inputs: renamed(node.inputs),
    outputs: renamed(node.outputs),
    captures: renamed(captures),
    attributes:
      captures.length === 0
        ? attributes
        : new Map([...attributes].map(([name, attribute]) => [name, renamedAttribute(attribute, rename, keepsNames)])),
  };
}

function renamedAttribute(attribute: Uint8Array, rename: (tensor: string) => string, keepsNames: boolean): Uint8Array {
  const message = createMessage();
  for (const field of fieldsOf(attribute)) {
    const { number, tagStart, start, end } = field;
    if (isBody(field)) message.bytes(number, renamedBody(attribute.subarray(start, end), rename, keepsNames));
    else message.encoded(attribute.subarray(tagStart, end));
  }
  return bytesOf(message);
}

/** @source onnx.proto, message GraphProto: 1 is a node */
function renamedBody(body: Uint8Array, rename: (tensor: string) => string, keepsNames: boolean): Uint8Array {
  const message = createMessage();
  for (const { number, tagStart, start, end } of fieldsOf(body)) {
    if (number === 1)
      message.message(1, encodeNode(renamedNode(decodeNode(body.subarray(start, end)), rename, keepsNames)));
    else message.encoded(body.subarray(tagStart, end));
  }
  return bytesOf(message);
}

type WithAttributes = Pick<GraphNode, 'attributes'>;

/** Occurrences of a field of an attribute, with the bytes they lie in; none when the attribute or the field is absent. */
function attributeFields({ attributes }: WithAttributes, name: string, number: number) {
  const bytes = attributes.get(name) ?? new Uint8Array();
  return { bytes, fields: [...fieldsOf(bytes)].filter((field) => field.number === number) };
}

/** An integer attribute, or `absent`. */
export function integerAttribute(node: WithAttributes, name: string, absent: number): number {
  return attributeFields(node, name, 3).fields[0]?.value ?? absent;
}

/** A float attribute, or `absent`. */
export function floatAttribute(node: WithAttributes, name: string, absent: number): number {
  const { bytes, fields } = attributeFields(node, name, 2);
  return fields.flatMap((field) => floatsOf(bytes, field))[0] ?? absent;
}

/** A list of integers; undefined when the attribute is absent. */
export function integersAttribute(node: WithAttributes, name: string): number[] | undefined {
  const { bytes, fields } = attributeFields(node, name, 8);
  return node.attributes.has(name) ? fields.flatMap((field) => integersOf(bytes, field)) : undefined;
}

/** A constant; undefined when the attribute is absent. */
export function tensorAttribute(node: WithAttributes, name: string): Initialiser | undefined {
  const { bytes, fields } = attributeFields(node, name, 5);
  return fields[0] && decodeTensor(bytes.slice(fields[0].start, fields[0].end), undefined);
}

/** Value of an attribute to be written; a plain number is an integer. */
export type AttributeValue =
  | number
  | readonly number[]
  | { readonly float: number }
  | { readonly body: Message }
  | { readonly tensor: Initialiser };

/** Attributes of a node to be made, by name. */
export type AttributeValues = Readonly<Record<string, AttributeValue>>;

/** Field 20 is AttributeProto.AttributeType. */
function encodeAttribute(name: string, value: AttributeValue): Uint8Array {
  const message = createMessage().text(1, name);
  if (typeof value === 'number') message.integer(3, value).integer(20, 2);
  else if ('float' in value) message.float(2, value.float).integer(20, 1);
  else if ('body' in value) message.message(6, value.body).integer(20, 5);
  else if ('tensor' in value) message.bytes(5, value.tensor.bytes).integer(20, 4);
  else {
    for (const integer of value) message.integer(8, integer);
    message.integer(20, 7);
  }
  return bytesOf(message);
}
