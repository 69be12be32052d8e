import type { NetworkPlan } from './plan-network.ts';
import { toHex } from '../../../src/fetching/hash.ts';
import type { FileDigest } from '../codec/data-files.ts';
import { decodeModel, encodeSkeleton, makeValueInfo, type ValueInfo } from '../codec/model-proto.ts';
import { ElementType, makeTensor } from '../codec/tensor-proto.ts';
import { ADDED, ORIGINAL_FILE } from '../tensor-names.ts';
import { createGraphBuilder } from './graph-builder.ts';

/**
 * Output of an exported graph, uint8 `[files, 32]`: the SHA-256 of each file that it was made from, the graph first, then its
 * data files. It is a constant of the graph, so every server of the protocol returns it, and no extension is needed.
 */
export const DIGEST = `${ADDED}digest`;

/** Bytes of one file's digest. */
const DIGEST_BYTES = 32;

/** The digests of a network in the order of `DIGEST`. */
export function inOrder(graph: string, data: readonly FileDigest[]): readonly [FileDigest, ...FileDigest[]] {
  const byPath = data.toSorted((one, other) => (one.file < other.file ? -1 : 1));
  return [{ file: 'graph', sha256: graph }, ...byPath];
}

/** The digests, lower-case hexadecimal, in the bytes of `DIGEST`; an incomplete last one is left out. */
export function digestsIn(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: Math.floor(bytes.length / DIGEST_BYTES) }, (_, index) =>
    toHex(bytes.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)),
  );
}

/**
 * The rewritten graph for an inference server. Scalars are lists of one, because servers want a rank of 1 at least, and a
 * constant output has the digests of the files that the graph was made from.
 *
 * @param digests  of the original graph and its data files, in the order of `inOrder`
 * @returns `file` is `model.onnx`, which refers to `lightwell-original.onnx` in the same folder for its weights
 */
export function servedGraph(
  { skeleton }: Pick<NetworkPlan, 'skeleton'>,
  digests: readonly FileDigest[],
): Readonly<{ file: Uint8Array<ArrayBuffer>; inputs: readonly ValueInfo[]; outputs: readonly ValueInfo[] }> {
  const model = decodeModel(skeleton);
  const { initialisers } = model;
  // The skeleton's own tensors stay in the file: their positions are not those of the original file.
  for (const [name, tensor] of initialisers) initialisers.set(name, { ...tensor, filePosition: undefined });
  model.inputs = model.inputs.map((input) =>
    input.dimensions?.length === 0 ? makeValueInfo(input.name, input.type, [1]) : input,
  );
  const shape = [digests.length, DIGEST_BYTES];
  const hex = digests.map(({ sha256 }) => sha256).join('');
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const constant = makeTensor(`${DIGEST}/constant`, ElementType.uint8, shape, bytes);
  initialisers.set(constant.name, constant);
  const builder = createGraphBuilder(model);
  builder.node('Identity', [constant.name], {}, DIGEST);
  builder.addOutput(DIGEST, ElementType.uint8, shape);
  return { file: encodeSkeleton(model, ORIGINAL_FILE), inputs: model.inputs, outputs: model.outputs };
}
