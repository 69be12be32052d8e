import { ElementType } from '../codec/element-type.ts';
import { decodeModel, encodeSkeleton, type Model } from '../codec/model-proto.ts';
import { makeTensor } from '../codec/tensor-proto.ts';
import { makeValueInfo, type ValueInfo } from '../codec/value-info.ts';
import { createGraphBuilder } from '../rewrite/graph-builder.ts';
import type { NetworkPlan } from '../rewrite/network-plan.ts';
import type { FileDigest } from '../codec/data-files.ts';
import { ADDED, ORIGINAL_FILE } from '../tensor-names.ts';
import { bytesOfDigests, DIGEST, DIGEST_BYTES } from './digest.ts';

/** A graph for an inference server. */
export interface ServedGraph {
  /** `model.onnx`: refers to `lightwell-original.onnx` beside it for its weights. */
  readonly file: Uint8Array<ArrayBuffer>;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

/**
 * The rewritten graph as an inference server takes it: scalars are lists of one, because servers want a rank of 1 at least,
 * and a constant output says which files it was made from.
 *
 * @param digests  of the original graph and its data files, in the order of `inOrder`
 */
export function servedGraph({ skeleton }: Pick<NetworkPlan, 'skeleton'>, digests: readonly FileDigest[]): ServedGraph {
  const model = decodeModel(skeleton);
  keepInline(model);
  model.inputs = model.inputs.map(withRank);
  const shape = [digests.length, DIGEST_BYTES];
  const constant = makeTensor(`${ADDED}digest/constant`, ElementType.uint8, shape, bytesOfDigests(digests));
  model.initialisers.set(constant.name, constant);
  const builder = createGraphBuilder(model);
  builder.node('Identity', [constant.name], { output: DIGEST });
  builder.addOutput(DIGEST, ElementType.uint8, shape);
  return { file: encodeSkeleton(model, ORIGINAL_FILE), inputs: model.inputs, outputs: model.outputs };
}

/** What the skeleton holds itself stays in it: its positions are not those of the original file. */
function keepInline({ initialisers }: Model): void {
  for (const [name, tensor] of initialisers) initialisers.set(name, { ...tensor, filePosition: undefined });
}

function withRank(input: ValueInfo): ValueInfo {
  return input.dimensions?.length === 0 ? makeValueInfo(input.name, input.type, [1]) : input;
}
