import { ElementType } from '../codec/element-type.ts';
import { PERTURBATION } from '../tensor-names.ts';
import type { GraphBuilder } from './graph-builder.ts';
import type { RunLengths } from './run-lengths.ts';

/** Returns scores with the perturbation applied, of the same shape and type. */
export type Perturb = (scores: string, type: number, rank: number | undefined) => string;

/** Scores as a softmax reads them, `[batch, heads, tokens, total]`. */
export interface PerturbedScores {
  readonly scores: string;
  readonly type: number;
}

/** What `addPerturbation` makes. */
export interface Perturbing {
  readonly perturb: Perturb;
  /** What was perturbed, in order. */
  readonly sites: readonly PerturbedScores[];
}

/** Scores below this are masked: exporters mask with −10000, −65504, −3.4e38 or −Infinity, real scores stay far above. */
const MASKED_BELOW = -5000;

/**
 * Adds the inputs `bias` (float32, `[1|batch, 1, 1|tokens, 1|total]`), `factor` (float32, `[1|batch, 1, 1|tokens, 1|total]`),
 * `multiplicative` and `hides` (bool scalars), and returns what puts them between scores and softmax:
 *
 * - additive:       `s + bias`
 * - multiplicative: `s + (max(s, m) − m) · (factor − 1)` with m the minimum of the row's unmasked scores. That is
 *   `(s − m) · factor` plus the row constant m, which the softmax cancels, leaves masked scores as they are and an
 *   untouched column exactly as it was. With `hides`, s + bias takes the place of s: rows that see only some columns.
 *
 * @source AtMan, arXiv:2301.08110 (Eq. 4); contract facts §2.1
 */
export function addPerturbation(builder: GraphBuilder, run: RunLengths): Perturbing {
  const sites: PerturbedScores[] = [];
  const bias = builder.addInput(PERTURBATION.bias, ElementType.float32, ['bias_batch', 1, 'bias_tokens', 'bias_total']);
  const factor = builder.addInput(PERTURBATION.factor, ElementType.float32, [
    'factor_batch',
    1,
    'factor_tokens',
    'factor_total',
  ]);
  const multiplicative = builder.addInput(PERTURBATION.multiplicative, ElementType.bool, []);
  const hides = builder.addInput(PERTURBATION.hides, ElementType.bool, []);
  const biasOf = perType((type) => builder.cast(bias, ElementType.float32, type));
  const gainOf = perType((type) => {
    const gain = builder.node('Sub', [factor, builder.scalar(1, ElementType.float32)]);
    return builder.cast(gain, ElementType.float32, type);
  });
  const blockShape = perType(() => builder.concat(0, run.batch, builder.integers(-1), run.tokens, run.total));
  const perturb: Perturb = (scores, type, rank) => {
    const block = rank === 4 ? scores : builder.reshape(scores, blockShape(ElementType.int64));
    const [bias, gain] = [biasOf(type), gainOf(type)];
    const perturbed = builder.choose(
      multiplicative,
      (body) =>
        body.choose(
          hides,
          (inner) => stretched(inner, inner.node('Add', [block, bias]), gain, type),
          (inner) => stretched(inner, block, gain, type),
        ),
      (body) => body.node('Add', [block, bias]),
    );
    sites.push({ scores: perturbed, type });
    return rank === 4 ? perturbed : builder.reshape(perturbed, builder.node('Shape', [scores]));
  };
  return { perturb, sites };
}

/** Tensors that all sites of one element type share. */
function perType(make: (type: number) => string): (type: number) => string {
  const made = new Map<number, string>();
  return (type) => {
    const tensor = made.get(type) ?? make(type);
    made.set(type, tensor);
    return tensor;
  };
}

function stretched(body: GraphBuilder, scores: string, gain: string, type: number): string {
  const masked = body.node('Less', [scores, body.scalar(MASKED_BELOW, type)]);
  const highest = body.scalar(type === ElementType.float16 ? 6e4 : 1e30, type);
  const minimum = body.reduce('ReduceMin', body.node('Where', [masked, highest, scores]), -1);
  const above = body.node('Sub', [body.node('Max', [scores, minimum]), minimum]);
  return body.node('Add', [scores, body.node('Mul', [above, gain])]);
}
