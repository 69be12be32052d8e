import { refuse } from '../refusal.ts';
import { decodeNode, encodeNode, type GraphNode } from './graph-node.ts';
import { decodeTensor, encodeTensor, type Initialiser } from './tensor-proto.ts';
import { decodeValueInfo, type ValueInfo } from './value-info.ts';
import { fieldsOf, textOf } from './wire-reader.ts';
import { bytesOf, createMessage, type Message } from './wire-writer.ts';

/** An ONNX file: its graph decoded, its weights left where they are. Edited in place by the rewrite. */
export interface Model {
  /** Version of the file format. */
  readonly format: number;
  /** Operator-set version by domain; '' is ONNX itself. */
  readonly operatorSets: Map<string, number>;
  nodes: GraphNode[];
  readonly initialisers: Map<string, Initialiser>;
  /** Inputs a caller must feed; initialisers listed as inputs by old exporters are left out. */
  inputs: ValueInfo[];
  outputs: ValueInfo[];
  /** Shapes noted for inner tensors. Read by the analysis, dropped on encoding: the rewrite invalidates them. */
  readonly notes: ReadonlyMap<string, ValueInfo>;
  /** Parts that are carried over as they are: functions, quantisation annotations. */
  readonly keptGraphParts: readonly Uint8Array[];
  readonly keptModelParts: readonly Uint8Array[];
}

/**
 * Decodes a ModelProto.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE when the bytes are no ONNX file
 * @source onnx.proto, messages ModelProto and GraphProto
 */
export function decodeModel(bytes: Uint8Array): Model {
  try {
    return decodeModelFields(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(`not an ONNX file: ${error.message}`);
  }
}

function decodeModelFields(bytes: Uint8Array): Model {
  const operatorSets = new Map<string, number>();
  const kept: Uint8Array[] = [];
  let format = 0;
  let graph: { start: number; end: number } | undefined;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1 && field.kind === 'varint') format = field.value;
    else if (field.number === 8) operatorSets.set(...decodeOperatorSet(bytes.subarray(field.start, field.end)));
    else if (field.number === 7) graph = field;
    else if (field.number === 25) kept.push(bytes.subarray(field.tagStart, field.end)); // functions
  }
  if (graph === undefined || operatorSets.size === 0) throw new RangeError('it has no graph or no operator sets');
  return { format, operatorSets, ...decodeGraph(bytes, graph.start, graph.end), keptModelParts: kept };
}

function decodeOperatorSet(bytes: Uint8Array): [string, number] {
  let domain = '';
  let version = 1;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) domain = textOf(bytes, field);
    else if (field.number === 2) version = field.value;
  }
  return [domain === 'ai.onnx' ? '' : domain, version];
}

function decodeGraph(
  bytes: Uint8Array,
  start: number,
  end: number,
): Omit<Model, 'format' | 'operatorSets' | 'keptModelParts'> {
  const nodes: GraphNode[] = [];
  const initialisers = new Map<string, Initialiser>();
  const inputs: ValueInfo[] = [];
  const outputs: ValueInfo[] = [];
  const notes = new Map<string, ValueInfo>();
  const keptGraphParts: Uint8Array[] = [];
  for (const field of fieldsOf(bytes, start, end)) {
    const part = bytes.subarray(field.start, field.end);
    if (field.number === 1) nodes.push(decodeNode(part));
    else if (field.number === 5) {
      const tensor = decodeTensor(part, field.start);
      initialisers.set(tensor.name, tensor);
    } else if (field.number === 11) inputs.push(decodeValueInfo(part));
    else if (field.number === 12) outputs.push(decodeValueInfo(part));
    else if (field.number === 13) {
      const note = decodeValueInfo(part);
      notes.set(note.name, note);
    } else if (field.number === 14 || field.number === 15)
      keptGraphParts.push(bytes.subarray(field.tagStart, field.end));
  }
  const fed = inputs.filter((input) => !initialisers.has(input.name));
  return { nodes, initialisers, inputs: fed, outputs, notes, keptGraphParts };
}

/**
 * Encodes the model as a *skeleton*: a small file whose large initialisers refer to the original file's bytes, so that
 * a rewritten network costs no second copy of its weights.
 *
 * @param location  name of the original file among the session's external data
 */
export function encodeSkeleton(model: Model, location: string): Uint8Array<ArrayBuffer> {
  const graph = createMessage();
  for (const node of model.nodes) graph.message(1, encodeNode(node));
  graph.text(2, 'lightwell');
  for (const tensor of model.initialisers.values()) graph.message(5, encodeTensor(tensor, location));
  for (const input of model.inputs) graph.bytes(11, input.bytes);
  for (const output of model.outputs) graph.bytes(12, output.bytes);
  for (const part of model.keptGraphParts) graph.encoded(part);
  const message = createMessage().integer(1, model.format);
  for (const [domain, version] of model.operatorSets) message.message(8, encodeOperatorSet(domain, version));
  message.message(7, graph);
  for (const part of model.keptModelParts) message.encoded(part);
  return bytesOf(message);
}

function encodeOperatorSet(domain: string, version: number): Message {
  const message = createMessage();
  if (domain) message.text(1, domain);
  return message.integer(2, version);
}
