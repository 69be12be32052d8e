import type { CausalMasks } from './causal-mask.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { Model } from './model-proto.ts';
import type { NetworkConfig } from '../network-config.ts';
import type { Perturb } from './perturbation.ts';
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
