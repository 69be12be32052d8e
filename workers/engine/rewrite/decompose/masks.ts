import { ElementType } from '../../codec/tensor-proto.ts';
import { createTensors, type GraphBuilder, type RunLengths } from '../graph-builder.ts';

/** A number of a float type that no score comes near. */
export function lowestOf(type: number): number {
  return type === ElementType.float16 ? -65504 : -1e30;
}

/** Ones become 0, zeros a very negative number; by arithmetic, which every backend computes. */
function hiddenWhereZero(builder: GraphBuilder, seen: string, type: number): string {
  const lowest = builder.scalar(-lowestOf(type), type);
  return builder.node('Mul', [builder.node('Sub', [seen, builder.scalar(1, type)]), lowest]);
}

/** Makes masks and positions of a run, each once, at the first use. */
export function createCausalMasks(builder: GraphBuilder, run: RunLengths) {
  const once = createTensors();
  const scalarOf = (tensor: string): string => builder.node('Squeeze', [tensor]);
  const range = (from: string, to: string): string => builder.node('Range', [from, to, builder.integer(1)]);
  const queries = (): string => once('queries', () => range(scalarOf(run.past), scalarOf(run.total)));
  const keys = (): string => once('keys', () => range(builder.integer(0), scalarOf(run.total)));
  const column = (): string => once('column', () => builder.reshape(queries(), builder.integers(-1, 1)));
  const row = (): string => once('row', () => builder.reshape(keys(), builder.integers(1, -1)));
  const unless = (hidden: string, type: number): string =>
    builder.node('Where', [hidden, builder.scalar(lowestOf(type), type), builder.scalar(0, type)]);
  const shaped = (mask: string): string =>
    builder.reshape(mask, builder.concat(0, builder.integers(1, 1), run.tokens, run.total));
  return {
    /**
     * Additive mask `[1, 1, tokens, total]`: 0 where a query may look, very negative elsewhere.
     *
     * @param window  how many positions back a query sees, itself included; ≤ 0 for all
     */
    mask: (type: number, window: number): string =>
      once(`mask/${type}/${Math.max(0, window)}`, () => {
        const ahead = unless(builder.node('Greater', [row(), column()]), type);
        if (window <= 0) return shaped(ahead);
        const begin = builder.node('Sub', [column(), builder.integer(window - 1)]);
        // Two float masks instead of a bool And: that operator was seen to read stale lanes on WebGPU.
        return shaped(builder.node('Min', [ahead, unless(builder.node('Less', [row(), begin]), type)]));
      }),
    /** Additive mask `[batch, 1, 1, total]`: 0 where the input `attention_mask` is 1, very negative in padding. */
    padding: (type: number): string =>
      once(`padding/${type}`, () => {
        const hidden = hiddenWhereZero(builder, builder.node('Cast', ['attention_mask'], { to: type }), type);
        return builder.reshape(hidden, builder.concat(0, run.batch, builder.integers(1, 1), run.total));
      }),
    /** Additive mask of a bool one, in which true is seen. */
    ofBool: (mask: string, type: number): string =>
      once(`seen/${mask}`, () => hiddenWhereZero(builder, builder.cast(mask, ElementType.bool, type), type)),
    /** Whether the run begins after a past, bool `[1]`. */
    hasPast: (): string => once('hasPast', () => builder.node('Greater', [run.past, builder.integers(0)])),
    /** Positions of the run's tokens, int64 `[batch, tokens]`. */
    positions: (): string =>
      once('positions', () => {
        const shape = builder.concat(0, run.batch, builder.integers(1));
        return builder.node('Expand', [builder.reshape(queries(), builder.integers(1, -1)), shape]);
      }),
  };
}
