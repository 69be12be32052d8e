import { refuse } from '../network.ts';
import { decodeNode, encodeNode, type GraphNode } from './graph-node.ts';
import { decodeTensor, encodeTensor, type Initialiser } from './tensor-proto.ts';
import { bytesOf, createMessage, fieldsOf, readText, textOf, type WireField } from './protobuf.ts';

/** An ONNX file: its graph decoded, its weights left where they are. Edited in place by the rewrite. */
export interface OnnxModel {
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
  /** Parts that are copied as they are: functions, quantisation annotations. */
  readonly keptGraphParts: readonly Uint8Array[];
  readonly keptModelParts: readonly Uint8Array[];
}

/** @throws {FailureError} MODEL_UNAVAILABLE when the bytes are not an ONNX file @source onnx.proto, ModelProto */
export function decodeModel(bytes: Uint8Array): OnnxModel {
  try {
    const operatorSets = new Map<string, number>();
    const keptModelParts: Uint8Array[] = [];
    let format = 0;
    let graph: WireField | undefined;
    for (const field of fieldsOf(bytes)) {
      if (field.number === 1 && field.kind === 'varint') format = field.value;
      else if (field.number === 8) operatorSets.set(...decodeOperatorSet(bytes.subarray(field.start, field.end)));
      else if (field.number === 7) graph = field;
      else if (field.number === 25) keptModelParts.push(bytes.subarray(field.tagStart, field.end)); // functions
    }
    if (graph === undefined || operatorSets.size === 0) throw new RangeError('it has no graph or no operator sets');
    return {
      format,
      operatorSets,
      keptModelParts,
      ...decodeGraph(bytes.subarray(graph.start, graph.end), graph.start),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(`not an ONNX file: ${error.message}`);
  }
}

function decodeOperatorSet(bytes: Uint8Array): [string, number] {
  const domain = textOf(bytes, 1);
  const version = [...fieldsOf(bytes)].find(({ number }) => number === 2)?.value ?? 1;
  return [domain === 'ai.onnx' ? '' : domain, version];
}

/** @param filePosition  of the bytes in the file; left out for a body, whose tensors stay inside their node */
function decodeGraph(bytes: Uint8Array, filePosition?: number) {
  const fields = [...fieldsOf(bytes)];
  const parts = <Part>(number: number, decode: (part: Uint8Array, start: number) => Part): Part[] =>
    fields
      .filter((field) => field.number === number)
      .map(({ start, end }) => decode(bytes.subarray(start, end), start));
  const tensors = parts(5, (part, start) =>
    decodeTensor(part, filePosition === undefined ? undefined : filePosition + start),
  );
  const initialisers = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const kept = fields.filter(({ number }) => number === 14 || number === 15);
  return {
    nodes: parts(1, decodeNode),
    initialisers,
    inputs: parts(11, decodeValueInfo).filter(({ name }) => !initialisers.has(name)),
    outputs: parts(12, decodeValueInfo),
    notes: new Map(parts(13, decodeValueInfo).map((note) => [note.name, note])),
    keptGraphParts: kept.map(({ tagStart, end }) => bytes.subarray(tagStart, end)),
  };
}

/**
 * Encodes the model as a *skeleton*: a small file whose large initialisers refer to the original file's bytes, so that
 * a rewritten network costs no second copy of its weights.
 *
 * @param location  name of the original file among the session's external data
 * @param notes  shapes of inner tensors that hold in this model too
 */
export function encodeSkeleton(
  model: OnnxModel,
  location: string,
  notes: readonly ValueInfo[] = [],
): Uint8Array<ArrayBuffer> {
  const graph = createMessage();
  for (const node of model.nodes) graph.message(1, encodeNode(node));
  graph.text(2, 'lightwell');
  for (const tensor of model.initialisers.values()) graph.message(5, encodeTensor(tensor, location));
  for (const input of model.inputs) graph.bytes(11, input.bytes);
  for (const output of model.outputs) graph.bytes(12, output.bytes);
  for (const note of notes) graph.bytes(13, note.bytes);
  for (const part of model.keptGraphParts) graph.encoded(part);
  const message = createMessage().integer(1, model.format);
  for (const [domain, version] of model.operatorSets) {
    const set = createMessage();
    message.message(8, (domain ? set.text(1, domain) : set).integer(2, version));
  }
  message.message(7, graph);
  for (const part of model.keptModelParts) message.encoded(part);
  return bytesOf(message);
}

/** A named axis, a fixed length, or null where the file says nothing. */
type Dimension = string | number | null;

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
function decodeValueInfo(bytes: Uint8Array): ValueInfo {
  let name = '';
  let type = 0;
  let dimensions: Dimension[] | null = null;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) name = readText(bytes, field);
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
      else if (field.number === 2) value = readText(bytes, field);
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

/** The body of an If, Loop or Scan; undefined where the node has no body of that name. @source onnx.proto, message GraphProto */
export function graphBodyOf({ attributes }: Pick<GraphNode, 'attributes'>, name: string) {
  const attribute = attributes.get(name) ?? new Uint8Array();
  const body = [...fieldsOf(attribute)].find(({ number }) => number === 6);
  return body && decodeGraph(attribute.subarray(body.start, body.end));
}
