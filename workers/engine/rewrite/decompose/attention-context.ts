import type { CausalMasks } from '../../analysis/causal-mask.ts';
import type { GraphBuilder } from '../graph-builder.ts';
import type { Model } from '../../codec/model-proto.ts';
import type { NetworkConfig } from '../../loading/network-config.ts';
import type { Perturb } from '../perturbation.ts';
import type { RunLengths } from '../run-lengths.ts';
import type { ElementTypes } from '../../analysis/type-inference.ts';

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
