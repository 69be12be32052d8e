import { ElementType } from '../../../../workers/engine/codec/tensor-proto.ts';
import type { Graph } from '../graph.ts';

/** The id that encoders with counted positions leave out; RoBERTa's is 1. */
export const PADDING_ID = 3;

/** int64 `[tokens]`: 0 … tokens − 1, as BERT exports have them. */
export function ranged(graph: Graph): string {
  const length = graph.node('Gather', graph.node('Shape', 'input_ids'), graph.integer(1));
  return graph.node('Range', graph.integer(0), length, graph.integer(1));
}

/**
 * int64 `[batch, tokens]`: a running sum over ids that are no padding, from the padding's own row on, as exports of RoBERTa,
 * XLM-R and MPNet have it.
 *
 * @source transformers, `create_position_ids_from_input_ids`, as TorchScript exports it
 */
export function counted(graph: Graph): string {
  const cast = (tensor: string, to: number) => graph.with({ to: to }, 'Cast', tensor);
  const seen = graph.node('Not', graph.node('Equal', 'input_ids', graph.integer(PADDING_ID)));
  const ones = cast(seen, ElementType.int32);
  const sum = graph.node('Mul', graph.node('CumSum', ones, graph.integer(1)), ones);
  return graph.node('Add', cast(sum, ElementType.int64), graph.integer(PADDING_ID));
}

/** Distances from which on keys share a bucket. */
const BUCKETS = 8;

/** float32 `[1, heads, tokens, tokens]`: a learned number for each head and distance, as MPNet adds it to scores. */
export function distances(graph: Graph, heads: number, table: (rows: number, columns: number) => string): string {
  const places = ranged(graph);
  const apart = graph.node(
    'Sub',
    graph.node('Unsqueeze', places, graph.integers(0)),
    graph.node('Unsqueeze', places, graph.integers(1)),
  );
  const bucket = graph.node('Min', graph.node('Abs', apart), graph.integer(BUCKETS - 1));
  const rows = graph.node('Gather', table(BUCKETS, heads), bucket);
  return graph.node('Unsqueeze', graph.with({ perm: [2, 0, 1] }, 'Transpose', rows), graph.integers(0));
}
