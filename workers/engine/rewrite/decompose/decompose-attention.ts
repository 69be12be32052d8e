import { MICROSOFT, type GraphNode } from '../../codec/graph-node.ts';
import { refuse } from '../../refusal.ts';
import type { AttentionContext, DecomposeContext } from './attention-core.ts';
import { createCausalMasks } from './causal-masks.ts';
import { decomposeGroupQuery } from './decompose-group-query.ts';
import { decomposeMultiHead, decomposePackedAttention } from './decompose-multi-head.ts';
import { decomposeOnnxAttention } from './decompose-onnx-attention.ts';

/**
 * Returns what replaces a fused attention operator by primitives that compute the same, with the perturbation between
 * scores and softmax. The caller removes the operator. Primitives are also the faster way on WASM.
 */
export function createDecomposer(context: DecomposeContext): (node: GraphNode) => void {
  const attention = { ...context, masks: createCausalMasks(context.builder, context.run) };
  const decomposers: Readonly<Record<string, (context: AttentionContext, node: GraphNode) => void>> = {
    [`${MICROSOFT}:GroupQueryAttention`]: decomposeGroupQuery,
    [`${MICROSOFT}:MultiHeadAttention`]: decomposeMultiHead,
    [`${MICROSOFT}:Attention`]: decomposePackedAttention,
    ':Attention': decomposeOnnxAttention,
  };
  return (node) => {
    const decomposed = decomposers[`${node.domain}:${node.operator}`];
    if (decomposed === undefined) refuse(`fused operator ${node.operator} (${node.name}) cannot be taken apart`);
    decomposed(attention, node);
  };
}
