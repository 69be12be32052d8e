import type { DecoderSizes, DecoderWeights, LayerWeights } from '../support/onnx/decoder-weights.ts';

/** Factors on the attention paid to each position, as the engine takes them. */
export interface ReferencePerturbation {
  readonly mode: 'additive' | 'multiplicative';
  /** `[tokens]`. */
  readonly factors: ArrayLike<number>;
}

/** Everything a forward pass computes, in float64. */
export interface ReferencePass {
  /** `[tokens][vocabulary]`. */
  readonly logits: readonly Float64Array[];
  /** `[layers + 1][tokens][width]`; the last before the final norm. */
  readonly hidden: readonly (readonly Float64Array[])[];
}

type Rows = readonly Float64Array[];

/** A key of factor 0 is left out of the sum. This is what adding −10000 amounts to (contract facts §2.1). */
const SUPPRESSED = -10_000;

/**
 * Forward pass of a Llama-like decoder, written from the formulas and sharing no code with the engine: norm
 * x · w / √(mean x² + ε); rotary positions on the halves of a head; attention softmax(q·k / √d) over positions up to the
 * query's own; feed-forward silu(gate) · up.
 *
 * Perturbed scores: additive s + ln f (f = 0: −10000); multiplicative (s − min over the row's unmasked keys) · f.
 *
 * @source Touvron et al. 2023 (arXiv:2302.13971); Su et al. 2021 (arXiv:2104.09864); contract facts §2.1
 */
export function referencePass(
  sizes: DecoderSizes,
  weights: DecoderWeights,
  ids: ArrayLike<number>,
  perturbation?: ReferencePerturbation,
): ReferencePass {
  return referencePassOf(sizes, weights, wordEmbeddings(sizes, weights, ids), { perturbation });
}

/** Rows of the embedding table, `[ids][width]`. */
export function wordEmbeddings(
  { width }: DecoderSizes,
  { embedding }: DecoderWeights,
  ids: ArrayLike<number>,
): Float64Array[] {
  return Array.from(ids, (id) => Float64Array.from(embedding.subarray(id * width, (id + 1) * width)));
}

/** What changes a pass of the reference. */
interface ReferenceOptions {
  readonly perturbation?: ReferencePerturbation | undefined;
  readonly rows?: number;
  /** Added to the state after each layer, `[layers][width]`. */
  readonly steering?: readonly ArrayLike<number>[];
}

/** The same from input embeddings, `[tokens][width]`; logits of the last `rows` positions, of all where that is left out. */
export function referencePassOf(
  sizes: DecoderSizes,
  weights: DecoderWeights,
  embeddings: readonly Float64Array[],
  { perturbation, rows = embeddings.length, steering }: ReferenceOptions = {},
): ReferencePass {
  const { width } = sizes;
  let state: Rows = embeddings;
  const hidden: Rows[] = [state];
  for (const [index, layer] of weights.layers.entries()) {
    const attended = attend(sizes, layer, norm(sizes, state, layer.attentionNorm), perturbation);
    state = sum(state, product(attended, layer.output, width));
    state = sum(state, feedForward(sizes, layer, norm(sizes, state, layer.feedForwardNorm)));
    const added = steering?.[index];
    if (added) state = state.map((row) => row.map((value, column) => value + (added[column] ?? 0)));
    hidden.push(state);
  }
  return { logits: logitsOf(sizes, weights, state.slice(-rows)), hidden };
}

/** What final norm and head make of hidden states, `[rows][vocabulary]`. */
export function logitsOf(sizes: DecoderSizes, weights: DecoderWeights, states: Rows): Rows {
  return product(norm(sizes, states, weights.finalNorm), weights.head, sizes.vocabulary);
}

/** ln p(target) at a row of logits. */
export function logProbability(logits: Float64Array, target: number): number {
  const highest = Math.max(...logits);
  const total = logits.reduce((all, logit) => all + Math.exp(logit - highest), 0);
  return (logits[target] ?? NaN) - highest - Math.log(total);
}

function product(rows: Rows, matrix: Float32Array, columns: number): Rows {
  return rows.map((row) => {
    const result = new Float64Array(columns);
    for (let inner = 0; inner < row.length; inner++) {
      const factor = row[inner] ?? 0;
      for (let column = 0; column < columns; column++)
        result[column] = (result[column] ?? 0) + factor * (matrix[inner * columns + column] ?? 0);
    }
    return result;
  });
}

function sum(left: Rows, right: Rows): Rows {
  return left.map((row, index) => row.map((value, column) => value + (right[index]?.[column] ?? 0)));
}

function norm({ epsilon }: DecoderSizes, rows: Rows, weight: Float32Array): Rows {
  return rows.map((row) => {
    const meanSquare = row.reduce((all, value) => all + value * value, 0) / row.length;
    const scale = 1 / Math.sqrt(meanSquare + epsilon);
    return row.map((value, column) => value * scale * (weight[column] ?? 0));
  });
}

function feedForward({ width, innerWidth }: DecoderSizes, layer: LayerWeights, rows: Rows): Rows {
  const gate = product(rows, layer.gate, innerWidth);
  const up = product(rows, layer.up, innerWidth);
  const inner = gate.map((row, index) =>
    row.map((value, column) => (value / (1 + Math.exp(-value))) * (up[index]?.[column] ?? 0)),
  );
  return product(inner, layer.down, width);
}

function attend(
  sizes: DecoderSizes,
  layer: LayerWeights,
  rows: Rows,
  perturbation: ReferencePerturbation | undefined,
): Rows {
  const { heads, keyHeads, headSize } = sizes;
  const query = rotate(sizes, product(rows, layer.query, heads * headSize));
  const key = rotate(sizes, product(rows, layer.key, keyHeads * headSize));
  const value = product(rows, layer.value, keyHeads * headSize);
  return rows.map((_, position) => {
    const mixed = new Float64Array(heads * headSize);
    for (let head = 0; head < heads; head++) {
      const shared = Math.floor((head * keyHeads) / heads) * headSize;
      const own = query[position]?.subarray(head * headSize, (head + 1) * headSize) ?? new Float64Array(0);
      const scores = Float64Array.from({ length: position + 1 }, (__, other) => {
        const theirs = key[other]?.subarray(shared, shared + headSize) ?? new Float64Array(0);
        return own.reduce((all, each, index) => all + each * (theirs[index] ?? 0), 0) / Math.sqrt(headSize);
      });
      softmax(perturbed(scores, perturbation)).forEach((weight, other) => {
        for (let index = 0; index < headSize; index++)
          mixed[head * headSize + index] =
            (mixed[head * headSize + index] ?? 0) + weight * (value[other]?.[shared + index] ?? 0);
      });
    }
    return mixed;
  });
}

function perturbed(scores: Float64Array, perturbation: ReferencePerturbation | undefined): Float64Array {
  if (perturbation === undefined) return scores;
  const { mode, factors } = perturbation;
  if (mode === 'additive') return scores.map((score, key) => score + logOf(factors[key] ?? 1));
  const lowest = Math.min(...scores);
  return scores.map((score, key) => (score - lowest) * (factors[key] ?? 1));
}

function logOf(factor: number): number {
  return factor === 0 ? SUPPRESSED : Math.log(factor);
}

function softmax(scores: Float64Array): Float64Array {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / total);
}

function rotate({ headSize, rotaryBase }: DecoderSizes, rows: Rows): Rows {
  const half = headSize / 2;
  return rows.map((row, position) =>
    row.map((value, column) => {
      const inHead = column % headSize;
      const pair = inHead % half;
      const angle = position * rotaryBase ** ((-2 * pair) / headSize);
      const partner = inHead < half ? -(row[column + half] ?? 0) : (row[column - half] ?? 0);
      return value * Math.cos(angle) + partner * Math.sin(angle);
    }),
  );
}
