import { ElementType } from '../codec/element-type.ts';
import { PAST_TOKENS } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';

/** Lengths of a run inside the graph, each int64 `[1]`. */
export interface RunLengths {
  readonly batch: string;
  /** Positions computed in this run. */
  readonly tokens: string;
  /** Positions of the shared KV cache that come before them. */
  readonly past: string;
  /** past + tokens. */
  readonly total: string;
}

/** Reads the lengths from the ids' shape and the input `past_tokens`, which the rewrite adds. */
export function runLengths(builder: GraphBuilder, ids: string): RunLengths {
  const shape = builder.node('Shape', [ids]);
  const axis = (index: number): string => builder.node('Gather', [shape, builder.integers(index)]);
  const past = builder.addInput(PAST_TOKENS, ElementType.int64, [1]);
  const tokens = axis(1);
  return { batch: axis(0), tokens, past, total: builder.node('Add', [past, tokens]) };
}
