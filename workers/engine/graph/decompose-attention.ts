import { createCausalMasks, type CausalMasks } from './causal-mask.ts';
import { decomposeGroupQuery } from './decompose-group-query.ts';
import type { GraphBuilder } from './graph-builder.ts';
import { MICROSOFT, type GraphNode } from './graph-node.ts';
import type { Model } from './model-proto.ts';
import type { NetworkConfig } from '../network-config.ts';
import type { Perturb } from './perturbation.ts';
import { refuse } from './refusal.ts';
import type { RunLengths } from './run-lengths.ts';
import type { ElementTypes } from './type-inference.ts';

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

/**
 * Returns what replaces a fused attention operator by primitives that compute the same, with the perturbation between
 * scores and softmax. The caller removes the operator. Primitives are also the faster way on WASM (engine.md §4).
 */
export function createDecomposer(context: DecomposeContext): (node: GraphNode) => void {
  const attention = { ...context, masks: createCausalMasks(context.builder, context.run) };
  return (node) => {
    if (node.domain === MICROSOFT && node.operator === 'GroupQueryAttention') decomposeGroupQuery(attention, node);
    else refuse(`fused operator ${node.domain || 'ONNX'} ${node.operator} (${node.name}) cannot be taken apart yet`);
  };
}
