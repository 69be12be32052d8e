import { ElementType } from '../../../../workers/engine/codec/tensor-proto.ts';
import { encodeSkeleton, makeValueInfo } from '../../../../workers/engine/codec/model-proto.ts';
import { createGraph } from '../graph.ts';

/** What a decoder takes beside its ids. */
export type StatefulInput = 'past_conv.0' | 'encoder_hidden_states' | 'pixel_values';

/** The inputs and outputs of a decoder that cannot be rewritten, around next to nothing: it is looked at, not run. */
export function statefulDecoder(...others: readonly StatefulInput[]): Uint8Array<ArrayBuffer> {
  const { model, weight, node, named } = createGraph();
  model.inputs.push(makeValueInfo('input_ids', ElementType.int64, ['batch_size', 'sequence_length']));
  for (const name of others) model.inputs.push(makeValueInfo(name, ElementType.float32, ['batch_size', 4, 4]));
  model.outputs.push(makeValueInfo('logits', ElementType.float32, ['batch_size', 'sequence_length', 4]));
  named('logits', 'Softmax', node('Gather', weight('table', [4, 4], new Float32Array(16)), 'input_ids'));
  return encodeSkeleton(model, 'none');
}
