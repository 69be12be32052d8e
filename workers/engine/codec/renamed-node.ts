import { decodeNode, encodeNode, type GraphNode } from './graph-node.ts';
import { bytesOf, createMessage, fieldsOf } from './wire.ts';

/** Another name for a tensor, or the same. */
export type Rename = (tensor: string) => string;

/** A copy of a node that reads and makes tensors under other names, in the bodies of If, Loop and Scan as well. */
export function renamedNode(node: GraphNode, rename: Rename): GraphNode {
  const renamed = (tensors: readonly string[]) => tensors.map((tensor) => (tensor === '' ? '' : rename(tensor)));
  const { captures, attributes } = node;
  return {
    ...node,
    name: '', // names of nodes are for people; two must not have the same
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
