import { ElementType } from '../../../../workers/engine/codec/tensor-proto.ts';
import { encodeSkeleton, makeValueInfo } from '../../../../workers/engine/codec/model-proto.ts';
import { seededRandom } from '../decoder-weights.ts';
import { createGraph } from '../graph.ts';

/** An encoder whose states are rows of a table with random weights: as much as a decoder behind it can tell. */
export function encoderOfTable(vocabulary: number, width: number) {
  const random = seededRandom(8);
  const rows = Float32Array.from({ length: vocabulary * width }, () => random() - 0.5);
  const graph = createGraph();
  const axes = ['batch_size', 'encoder_sequence_length'];
  for (const name of ['input_ids', 'attention_mask'])
    graph.model.inputs.push(makeValueInfo(name, ElementType.int64, axes));
  graph.model.outputs.push(makeValueInfo('last_hidden_state', ElementType.float32, [...axes, width]));
  const found = graph.node('Gather', graph.weight('shared.weight', [vocabulary, width], rows), 'input_ids');
  const seen = graph.with({ to: ElementType.float32 }, 'Cast', 'attention_mask');
  graph.named('last_hidden_state', 'Mul', found, graph.node('Unsqueeze', seen, graph.integers(2)));
  return {
    file: encodeSkeleton(graph.model, 'none'),
    /** `[ids, width]`. */
    statesOf: (ids: readonly number[]) =>
      Float32Array.from(ids.flatMap((id) => [...rows.subarray(id * width, (id + 1) * width)])),
  };
}
