import { materialise } from '../analysis/data-flow.ts';
import type { HiddenStates } from '../analysis/hidden-states.ts';
import { ElementType } from '../codec/element-type.ts';
import { POOL_WEIGHTS, MAXIMA_SKIP, POOLED, MAXIMUM, ABSOLUTE_MAXIMUM } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { RunLengths } from './run-lengths.ts';

/**
 * Adds what becomes of the hidden states: `pooled` `[batch, layers + 1, pools, width]`, a product with the input
 * `pool_weights` `[1|batch, pools, tokens]`, and two maxima over the positions from `maxima_skip` (int64 `[1]`) on, `[batch, layers + 1, width]`. All
 * float32. Pooling inside the graph keeps no layer's full state alive and reads none back.
 */
export function addPooledOutputs(builder: GraphBuilder, states: HiddenStates, run: RunLengths): void {
  const float32 = ElementType.float32;
  const weights = builder.addInput(POOL_WEIGHTS, float32, ['pool_batch', 'pools', 'pool_tokens']);
  const skip = builder.addInput(MAXIMA_SKIP, ElementType.int64, [1]);
  const pools = builder.node('Gather', [builder.node('Shape', [weights]), builder.integers(1)]);
  const pooledShape = builder.concat(0, run.batch, builder.integers(1), pools, builder.integers(-1));
  // Some exporters keep the state as [batch · tokens, width].
  const stateShape = builder.concat(0, run.batch, run.tokens, builder.integers(-1));
  const columns = states.map(({ tensor, step }) => {
    materialise(step, tensor);
    // Always cast, to the same type at worst: the type of a sum inside a fused norm is not written down anywhere.
    const state = builder.node('Cast', [builder.reshape(tensor, stateShape)], {
      attributes: { to: { integer: float32 } },
    });
    const counted = builder.node('Slice', [state, skip, run.tokens, builder.integers(1)]);
    const maximum = builder.reduce('ReduceMax', counted, 1);
    const negative = builder.node('Neg', [builder.reduce('ReduceMin', counted, 1)]);
    return {
      pooled: builder.reshape(builder.node('MatMul', [weights, state]), pooledShape),
      maximum, // [batch, 1, width]
      absolute: builder.node('Max', [maximum, negative]),
    };
  });
  const joined = (name: string, parts: readonly string[], dimensions: readonly (string | number)[]): void => {
    builder.node('Concat', parts, { attributes: { axis: { integer: 1 } }, output: name });
    builder.addOutput(name, float32, dimensions);
  };
  const shape = ['pooled_batch', states.length];
  joined(
    POOLED,
    columns.map((column) => column.pooled),
    [...shape, 'pooled_pools', 'pooled_width'],
  );
  joined(
    MAXIMUM,
    columns.map((column) => column.maximum),
    [...shape, 'pooled_width'],
  );
  joined(
    ABSOLUTE_MAXIMUM,
    columns.map((column) => column.absolute),
    [...shape, 'pooled_width'],
  );
}
