import { canStayFused, chooseFused, lowerOperatorSet, ofLastRows, takesBatches } from './decompose/fused-operators.ts';
import { fuseNodes } from './fuse-nodes.ts';

/** Operators that compute what exporters and the rewrite write in several: the form of a GPU, loaded with the first network on one. */
export const FUSED_FORM = { fuseNodes, canStayFused, takesBatches, chooseFused, ofLastRows, lowerOperatorSet } as const;

/** What rewrites a network for a GPU. */
export type FusedForm = typeof FUSED_FORM;
