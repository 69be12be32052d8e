import type { ElementTypes } from '../../analysis/type-inference.ts';
import { ElementType } from '../../codec/element-type.ts';
import type { Model } from '../../codec/model-proto.ts';
import type { NetworkConfig } from '../../analysis/network-config.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { Perturb } from '../perturbation.ts';
import type { RunLengths } from '../run-lengths.ts';
import type { CausalMasks } from './causal-masks.ts';

/** What the decomposition of a fused attention works with. */
export interface DecomposeContext {
  readonly model: Model;
  readonly builder: GraphBuilder;
  readonly run: RunLengths;
  readonly perturb: Perturb;
  readonly types: ElementTypes;
  readonly config: NetworkConfig;
}

/** The same, with masks shared by all layers. */
export type AttentionContext = DecomposeContext & { readonly masks: CausalMasks };

/** What an attention reads; each `[batch, heads, tokens, headSize]`, keys and values over the whole length. */
export interface AttentionParts {
  readonly query: string;
  readonly keys: string;
  readonly values: string;
  /** Factor on the scores; 0 for 1 / √headSize. */
  readonly scale: number;
  /** Added to the scores, broadcastable to `[batch, heads, tokens, total]`. */
  readonly masks: readonly string[];
  readonly type: number;
}

/** softmax(scale · q kᵀ + masks, perturbed) v, in primitives: `[batch, heads, tokens, headSize]`. */
export function attend({ builder, perturb }: AttentionContext, parts: AttentionParts): string {
  const { query, keys, values, type } = parts;
  const turned = builder.node('Transpose', [keys], { attributes: { perm: { integers: [0, 1, 3, 2] } } });
  const product = builder.node('MatMul', [query, turned]);
  const scores = parts.scale
    ? builder.node('Mul', [product, builder.scalar(parts.scale, type)])
    : builder.node('Div', [product, rootOfHeadSize(builder, query, type)]);
  const masked = parts.masks.reduce((all, mask) => builder.node('Add', [all, mask]), scores);
  const weights = builder.node('Softmax', [perturb(masked, type, 4)], { attributes: { axis: { integer: -1 } } });
  return builder.node('MatMul', [weights, values]);
}

function rootOfHeadSize(builder: AttentionContext['builder'], query: string, type: number): string {
  const size = builder.node('Gather', [builder.node('Shape', [query]), builder.integers(3)]);
  return builder.node('Sqrt', [builder.cast(size, ElementType.int64, type)]);
}

/** `[batch, tokens, heads · size]` → `[batch, heads, tokens, size]`. */
export function splitHeads({ builder }: AttentionContext, tensor: string, heads: number): string {
  const split = builder.reshape(tensor, builder.integers(0, 0, heads, -1));
  return builder.node('Transpose', [split], { attributes: { perm: { integers: [0, 2, 1, 3] } } });
}

/** `[batch, heads, tokens, size]` → `[batch, tokens, heads · size]`. */
export function joinHeads({ builder }: AttentionContext, tensor: string, output: string | undefined): string {
  const turned = builder.node('Transpose', [tensor], { attributes: { perm: { integers: [0, 2, 1, 3] } } });
  return builder.reshape(turned, builder.integers(0, 0, -1), output);
}
