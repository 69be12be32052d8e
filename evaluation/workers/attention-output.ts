import { analyseGraph } from '../../workers/engine/analysis/graph-analysis.ts';
import type { NetworkConfig } from '../../workers/engine/analysis/network-inputs.ts';
import { decodeModel, makeValueInfo } from '../../workers/engine/codec/model-proto.ts';
import { bytesOf, createMessage, fieldsOf } from '../../workers/engine/codec/protobuf.ts';
import { namedEmbeddings } from '../../workers/engine/rewrite/exported-forms.ts';

/** Field of the graph in a ModelProto, and of an output in a GraphProto. @source onnx.proto */
const [GRAPH, OUTPUT] = [7, 12];

/** A network's file in which the attention of the last layer is one more output. */
export interface AttentionFile {
  readonly file: Uint8Array<ArrayBuffer>;
  /** Name of that output, `[batch, heads, queries, keys]`. */
  readonly output: string;
}

/**
 * Makes what comes out of the last layer's softmax an output. The layer is found as the engine finds it, by structure.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE as the engine's analysis does
 * @throws {RangeError} when that layer's attention is one fused operator, which has no softmax to read
 */
export function withAttentionOutput(file: Uint8Array, config: NetworkConfig): AttentionFile {
  const model = decodeModel(file);
  namedEmbeddings(model);
  const { sites, types } = analyseGraph(model, config);
  const site = sites.at(-1);
  const [output] = site?.step.outputs ?? [];
  const type = types.get(output ?? '');
  if (site?.kind !== 'softmax' || output === undefined || type === undefined)
    throw new RangeError(`expected a softmax in the last layer, got ${site?.step.operator ?? 'no attention'}`);
  const value = makeValueInfo(output, type, ['batch_size', null, 'queries', 'keys']);
  return { file: withOutput(file, value.bytes), output };
}

/** The file with one more output at the end of its graph; all else is copied as it is. */
function withOutput(file: Uint8Array, output: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = createMessage();
  for (const { number, tagStart, start, end } of fieldsOf(file)) {
    if (number === GRAPH)
      whole.message(GRAPH, createMessage().encoded(file.subarray(start, end)).bytes(OUTPUT, output));
    else whole.encoded(file.subarray(tagStart, end));
  }
  return bytesOf(whole);
}
