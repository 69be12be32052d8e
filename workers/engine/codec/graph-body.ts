import { decodeNode, type GraphNode } from './graph-node.ts';
import { decodeTensor, type Initialiser } from './tensor-proto.ts';
import { decodeValueInfo } from './value-info.ts';
import { fieldsOf } from './wire-reader.ts';

/** A body of If, Loop or Scan. */
export interface GraphBody {
  readonly nodes: readonly GraphNode[];
  readonly initialisers: readonly Initialiser[];
  /** Names under which its results are made inside. */
  readonly outputs: readonly string[];
}

/** A body among a node's attributes; undefined where there is none of that name. @source onnx.proto, message GraphProto */
export function bodyOf({ attributes }: Pick<GraphNode, 'attributes'>, name: string): GraphBody | undefined {
  const attribute = attributes.get(name);
  if (attribute === undefined) return undefined;
  const field = [...fieldsOf(attribute)].find(({ number }) => number === 6);
  if (field === undefined) return undefined;
  const bytes = attribute.subarray(field.start, field.end);
  const parts = (number: number) =>
    [...fieldsOf(bytes)].filter((part) => part.number === number).map((part) => bytes.subarray(part.start, part.end));
  return {
    nodes: parts(1).map(decodeNode),
    initialisers: parts(5).map((tensor) => decodeTensor(tensor, undefined)),
    outputs: parts(12).map((output) => decodeValueInfo(output).name),
  };
}
