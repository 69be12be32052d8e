import { MICROSOFT, type GraphNode } from '../codec/graph-node.ts';
import { integersAttribute } from '../codec/node-attributes.ts';
import { refuse } from '../refusal.ts';
import type { DataFlow, Step } from './data-flow.ts';

/** A place where positions read from one another. */
export interface AttentionSite {
  readonly kind: 'softmax' | 'fused';
  /** The softmax, or the fused attention operator. */
  readonly step: Step;
  /** Where the site begins: hidden states that enter the layer come before it. */
  readonly begin: number;
  /** Rank of the scores when it could be told; 4 is `[batch, heads, queries, keys]`. */
  readonly rank: number | undefined;
}

const FUSED = new Set([
  `${MICROSOFT}:GroupQueryAttention`,
  `${MICROSOFT}:MultiHeadAttention`,
  `${MICROSOFT}:Attention`,
  ':Attention',
]);
/** Product of queries and keys, both computed from the ids. */
const PRODUCT = /^(MatMul|FusedMatMul|Einsum|Gemm)$/;
/** What exporters put between that product and the softmax: scaling, masks, soft caps, casts. */
const PASSED = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Cast', 'Where', 'Tanh', 'Reshape', 'Identity', 'Max', 'Min', 'Clip', 'Concat'],
]);
/** Operators by which positions reach one another without attention: an explanation through attention would be partial. */
const OTHER_MIXING = /^(Conv|ConvTranspose|LSTM|GRU|RNN|Scan|Loop|CumSum|CausalConv.*|LinearAttention|.*Pool)$/;

/**
 * Finds every attention of the network by structure, not by name: fused operators, and softmaxes over a product of two
 * data-dependent tensors (which leaves out routers of expert layers and output heads).
 *
 * @param counting  steps that only count positions
 * @throws {FailureError} MODEL_UNAVAILABLE when positions also mix in a way that cannot be controlled
 */
export function findSites(flow: DataFlow, counting: ReadonlySet<Step>): AttentionSite[] {
  const sites: AttentionSite[] = [];
  for (const step of flow.steps) {
    if (OTHER_MIXING.test(step.operator) && !counting.has(step))
      refuse(`operator ${step.operator} (${step.node.name}) mixes positions outside attention`);
    if (FUSED.has(`${step.domain}:${step.operator}`))
      sites.push({ kind: 'fused', step, begin: step.position, rank: undefined });
    else if (step.operator === 'Softmax') {
      const product = scoreProduct(flow, step);
      if (product) sites.push({ kind: 'softmax', step, begin: product.position, rank: rankOf(flow, product) });
    }
  }
  refuseUnexplained(flow, sites);
  return sites;
}

/** Two products belong to each softmax: queries with keys, weights with values. Any more is attention of another kind. */
function refuseUnexplained(flow: DataFlow, sites: readonly AttentionSite[]): void {
  const expected = 2 * sites.filter((site) => site.kind === 'softmax').length;
  const products = flow.steps.filter((step) => isProduct(flow, step));
  if (sites.length === 0) refuse('no attention was found in the graph');
  if (products.length > expected)
    refuse(
      `${products.length} products of positions with positions, but only ${expected} belong to a softmax attention`,
    );
}

function isProduct(flow: DataFlow, step: Step): boolean {
  return PRODUCT.test(step.operator) && flow.dependentInputs(step).length >= 2;
}

/** The product that a softmax's scores come from; at most 16 steps back. */
function scoreProduct(flow: DataFlow, softmax: Step): Step | undefined {
  let frontier = flow.dependentInputs(softmax);
  for (let depth = 0; depth < 16 && frontier.length > 0; depth++) {
    const makers = frontier.map((tensor) => flow.producer(tensor)).filter((step) => step !== undefined);
    const product = makers.find((step) => isProduct(flow, step));
    if (product) return product;
    frontier = makers.filter((step) => PASSED.has(step.operator)).flatMap((step) => flow.dependentInputs(step));
  }
  return undefined;
}

/** Rank of a product, from the permutation that shaped one of its inputs. */
function rankOf(flow: DataFlow, product: Step): number | undefined {
  for (const input of flow.dependentInputs(product)) {
    let step = flow.producer(input);
    for (let depth = 0; depth < 8 && step !== undefined; depth++) {
      const rank = permutedRank(step.node);
      if (rank !== undefined) return rank;
      if (!['Mul', 'Div', 'Cast', 'Identity', 'Add'].includes(step.operator)) break;
      step = flow.producer(flow.dependentInputs(step)[0] ?? '');
    }
  }
  return undefined;
}

function permutedRank(node: GraphNode): number | undefined {
  return node.operator === 'Transpose' ? integersAttribute(node, 'perm')?.length : undefined;
}
