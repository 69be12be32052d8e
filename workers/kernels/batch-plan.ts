/** What forward passes cost on a device: time of a pass = `passMs` + positions of all its sequences × `positionMs`. */
export interface PassCosts {
  /** Of any pass, above 0. */
  readonly passMs: number;
  /** Of each position that a sequence computes, above 0. */
  readonly positionMs: number;
  /** Bytes of activations that a pass may take; a sequence alone always runs. */
  readonly memoryBytes: number;
}

const BYTES = 4;
/** Heads are rarely narrower, so this bounds their number from above. */
const HEAD_WIDTH = 32;

/**
 * Bytes of activations alive at once in a forward pass, estimated: residual stream and MLP, attention scores and their
 * softmax, logits and their softmax.
 *
 * @param tokens  positions computed
 * @param total   positions attended to
 * @param rows    positions with logits
 */
export function activationBytes(
  size: { readonly layers: number; readonly width: number; readonly vocabulary: number },
  tokens: number,
  total: number,
  rows: number,
): number {
  const stream = tokens * size.width * 18;
  const scores = 2 * (size.width / HEAD_WIDTH) * tokens * total;
  const keys = 4 * total * size.width;
  return BYTES * (stream + scores + keys + 2 * rows * size.vocabulary);
}

/** A pass whose start takes a smaller share of its time is not made larger: little is gained, and an abort waits longer. */
const LEAST_START_SHARE = 0.01;

/** What sequences have to do with one another. */
interface PlanOptions {
  /** Activations of a sequence that computes this number of positions, bytes. */
  readonly bytesOf: (positions: number) => number;
  /** Without it only sequences of one length share a pass. */
  readonly takesPadding: boolean;
  readonly maxMembers?: number;
}

/**
 * Decides which sequences share a forward pass, so that all passes together take the least time: each sequence computes as many
 * positions as the longest of its pass.
 *
 * @param positions  that each sequence needs, `[sequences]`
 * @returns          passes that hold each index exactly once; the longest sequences come first, within a pass too
 */
export function planPasses(
  positions: readonly number[],
  { passMs, positionMs, memoryBytes }: PassCosts,
  { bytesOf, takesPadding, maxMembers = Infinity }: PlanOptions,
): number[][] {
  const order = [...positions.keys()].sort((a, b) => (positions[b] ?? 0) - (positions[a] ?? 0));
  const sorted = Float64Array.from(order, (index) => positions[index] ?? 0);
  const bytes = sorted.map(bytesOf);
  const maxPositions = passMs / positionMs / LEAST_START_SHARE;
  const fits = (first: number, end: number) => {
    const [members, longest = 0] = [end - first, sorted[first]];
    if (members > maxMembers || members * longest > maxPositions) return false;
    return members * (bytes[first] ?? 0) <= memoryBytes && (takesPadding || longest === sorted[end - 1]);
  };
  // In order of length, the best plan of the first `end` sequences ends with some pass after the best plan of those before it.
  const leastMs = new Float64Array(sorted.length + 1);
  const lastPass = new Uint32Array(sorted.length + 1);
  for (let end = 1; end <= sorted.length; end++) {
    leastMs[end] = Infinity;
    for (let first = end - 1; first >= 0 && (first === end - 1 || fits(first, end)); first--) {
      const ms = (leastMs[first] ?? 0) + passMs + (end - first) * (sorted[first] ?? 0) * positionMs;
      if (ms >= (leastMs[end] ?? 0)) continue;
      leastMs[end] = ms;
      lastPass[end] = first;
    }
  }
  const passes: number[][] = [];
  for (let end = sorted.length; end > 0; end = lastPass[end] ?? 0) passes.push(order.slice(lastPass[end], end));
  return passes.toReversed();
}
