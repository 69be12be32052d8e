import { integerAttribute, makeNode } from '../../../../workers/engine/codec/graph-node.ts';
import { decodeModel, encodeSkeleton, type OnnxModel } from '../../../../workers/engine/codec/model-proto.ts';
import { type Initialiser, makeTensor, numbersOf } from '../../../../workers/engine/codec/tensor-proto.ts';
import type { GraphFiles } from '../../../../workers/engine/session/session.ts';

/** Name under which the written-out file refers to the packed one. */
const PACKED_FILE = 'packed.onnx';

/**
 * The same network with its 4-bit embedding table written out as numbers, by arithmetic of its own: for running a file
 * that ONNX Runtime has no kernel for (`GatherBlockQuantized` on WebAssembly) as its exporter meant it.
 *
 * @param weights  where the file keeps its weights, if not in itself
 * @returns the file, and the packed one that it reads its other weights from
 */
export function withTableWrittenOut(file: Uint8Array, weights?: GraphFiles['external'][number]) {
  const model = decodeModel(file);
  const at = model.nodes.findIndex(({ operator }) => operator === 'GatherBlockQuantized');
  const node = model.nodes[at];
  const [packed = '', ids = '', scales = ''] = node?.inputs ?? [];
  if (!node || integerAttribute(node, 'bits', 4) !== 4) throw new TypeError('expected a table of 4-bit codes');
  const table = writtenOut(codesOf(model, packed, weights), initialiser(model, scales));
  model.initialisers.set(table.name, table);
  model.nodes[at] = makeNode('Gather', [table.name, ids], node.outputs);
  return {
    model: encodeSkeleton(model, PACKED_FILE),
    external: [{ path: PACKED_FILE, data: file }, ...(weights ? [weights] : [])],
  };
}

/** Packed codes are an initialiser, or one that is only reshaped. */
function codesOf(model: OnnxModel, name: string, weights?: GraphFiles['external'][number]): Uint8Array {
  const reshape = model.nodes.find(({ outputs }) => outputs.includes(name));
  const { bytes, raw, external } = initialiser(model, reshape?.inputs[0] ?? name);
  if (!external) return bytes.subarray(raw?.start, raw?.end);
  if (external.location !== weights?.path) throw new TypeError(`expected ${external.location} beside the file`);
  return weights.data.subarray(external.offset, external.offset + (external.byteCount ?? 0));
}

function initialiser(model: OnnxModel, name: string): Initialiser {
  const found = model.initialisers.get(name);
  if (!found) throw new TypeError(`expected an initialiser ${name}`);
  return found;
}

/** value = (code − 8) · scale of its block; two codes a byte, the low half first. @source onnxruntime ContribOperators.md */
function writtenOut(codes: Uint8Array, scales: Initialiser): Initialiser {
  const perBlock = numbersOf(scales);
  const rows = scales.dimensions[0] ?? 1;
  const blockSize = (2 * codes.length) / perBlock.length;
  const values = Float64Array.from({ length: 2 * codes.length }, (_, i) => {
    const byte = codes[i >> 1] ?? 0;
    return ((i % 2 === 0 ? byte & 15 : byte >> 4) - 8) * (perBlock[Math.floor(i / blockSize)] ?? 0);
  });
  return makeTensor('written_out_table', scales.type, [rows, values.length / rows], values);
}
