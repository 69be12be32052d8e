import { ElementType } from '../../codec/element-type.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { RunLengths } from '../run-lengths.ts';

/** Masks of a run, one per element type and window, added to the graph on first use. */
export interface CausalMasks {
  /**
   * Additive mask `[1, 1, tokens, total]`: 0 where a query may look, very negative elsewhere.
   *
   * @param window  how many positions back a query sees, itself included; ≤ 0 for all
   */
  mask(type: number, window: number): string;
  /** Additive mask `[batch, 1, 1, total]`: 0 where the input `attention_mask` is 1, very negative in padding. */
  padding(type: number): string;
  /** Positions of the run's tokens, int64 `[batch, tokens]`. */
  positions(): string;
}

/** Makes masks and positions of a run, each once, at the first use. */
export function createCausalMasks(builder: GraphBuilder, run: RunLengths): CausalMasks {
  const made = new Map<string, string>();
  const once = (key: string, make: () => string): string => {
    const tensor = made.get(key) ?? make();
    made.set(key, tensor);
    return tensor;
  };
  const scalarOf = (tensor: string): string => builder.node('Squeeze', [tensor]);
  const range = (from: string, to: string): string => builder.node('Range', [from, to, builder.integer(1)]);
  const queries = (): string => once('queries', () => range(scalarOf(run.past), scalarOf(run.total)));
  const keys = (): string => once('keys', () => range(builder.integer(0), scalarOf(run.total)));
  const column = (): string => once('column', () => builder.reshape(queries(), builder.integers(-1, 1)));
  const row = (): string => once('row', () => builder.reshape(keys(), builder.integers(1, -1)));
  const unless = (hidden: string, type: number): string => {
    const lowest = builder.scalar(type === ElementType.float16 ? -65504 : -1e30, type);
    return builder.node('Where', [hidden, lowest, builder.scalar(0, type)]);
  };
  const shaped = (mask: string): string =>
    builder.reshape(mask, builder.concat(0, builder.integers(1, 1), run.tokens, run.total));
  return {
    mask: (type, window) =>
      once(`mask/${type}/${Math.max(0, window)}`, () => {
        const ahead = unless(builder.node('Greater', [row(), column()]), type);
        if (window <= 0) return shaped(ahead);
        const begin = builder.node('Sub', [column(), builder.integer(window - 1)]);
        // Two float masks instead of a bool And: that operator was seen to read stale lanes on WebGPU.
        return shaped(builder.node('Min', [ahead, unless(builder.node('Less', [row(), begin]), type)]));
      }),
    padding: (type) =>
      once(`padding/${type}`, () => {
        const seen = builder.node('Cast', ['attention_mask'], { attributes: { to: { integer: type } } });
        const lowest = builder.scalar(type === ElementType.float16 ? 65504 : 1e30, type);
        const added = builder.node('Mul', [builder.node('Sub', [seen, builder.scalar(1, type)]), lowest]);
        return builder.reshape(added, builder.concat(0, run.batch, builder.integers(1, 1), run.total));
      }),
    positions: () =>
      once('positions', () => {
        const shape = builder.concat(0, run.batch, builder.integers(1));
        return builder.node('Expand', [builder.reshape(queries(), builder.integers(1, -1)), shape]);
      }),
  };
}
