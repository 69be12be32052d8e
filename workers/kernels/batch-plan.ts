/** The sizes that the cost of a forward pass depends on. */
interface NetworkSize {
  readonly layers: number;
  readonly width: number;
  readonly vocabulary: number;
}

interface PlanOptions {
  readonly size: NetworkSize;
  /** Bytes of activations that one pass may take; a single section or sequence always runs. */
  readonly budget: number;
  /** Share of a pass's positions that may be computed needlessly to allow a larger batch, 0 … 1. */
  readonly waste: number;
  readonly maxMembers?: number;
}

/** More sequences do not make a pass more efficient. */
const MAX_MEMBERS = 32;
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
export function activationBytes(size: NetworkSize, tokens: number, total: number, rows: number): number {
  const stream = tokens * size.width * 18;
  const scores = 2 * (size.width / HEAD_WIDTH) * tokens * total;
  const keys = 4 * total * size.width;
  return BYTES * (stream + scores + keys + 2 * rows * size.vocabulary);
}

/**
 * Decides which sections share a forward pass: neighbours, because a pass recomputes everything from its first changed position
 * on, and as many as fit the memory budget.
 *
 * @param starts         first position each section changes, `[sections]`
 * @param total          positions in the sequence
 * @param rows           target rows
 * @param sharesKvCache  without it every pass starts at position 0
 * @returns              batches that hold each section exactly once, as indices of `starts`, in order of their starts;
 *                       `cachedTokens` are the positions taken from the shared KV cache
 */
export function planBatches(
  starts: readonly number[],
  options: PlanOptions & { readonly total: number; readonly rows: number; readonly sharesKvCache: boolean },
): { readonly cachedTokens: number; readonly members: readonly number[] }[] {
  const { size, total, rows, budget, waste, sharesKvCache, maxMembers = MAX_MEMBERS } = options;
  const startOf = (section: number) => (sharesKvCache ? (starts[section] ?? 0) : 0);
  const order = [...starts.keys()].sort((a, b) => startOf(a) - startOf(b));
  const batches: { cachedTokens: number; members: number[]; limit: number; wasted: number }[] = [];
  for (const section of order) {
    const open = batches.at(-1);
    const wasted = open ? open.wasted + startOf(section) - open.cachedTokens : 0;
    const allowed = open ? waste * (open.members.length + 1) * (total - open.cachedTokens) : 0;
    if (open && open.members.length < open.limit && wasted <= allowed) {
      open.members.push(section);
      open.wasted = wasted;
      continue;
    }
    const cachedTokens = startOf(section);
    const affordable = Math.floor(budget / activationBytes(size, total - cachedTokens, total, rows));
    const limit = Math.min(MAX_MEMBERS, maxMembers, Math.max(1, affordable));
    batches.push({ cachedTokens, members: [section], limit, wasted: 0 });
  }
  return batches.map(({ cachedTokens, members }) => ({ cachedTokens, members }));
}

/**
 * Decides which sequences share a forward pass: those of similar length, so that little is padded.
 *
 * @param lengths       tokens of each sequence, `[sequences]`
 * @param waste         positions of padding that a pass may compute, as a share of its real ones
 * @param takesPadding  without it only sequences of one length share a pass
 * @returns             batches that hold each index exactly once; the longest sequences come first, within a batch too
 */
export function planPaddedBatches(
  lengths: readonly number[],
  { size, budget, waste, takesPadding, maxMembers = MAX_MEMBERS }: PlanOptions & { readonly takesPadding: boolean },
): number[][] {
  const lengthOf = (index: number) => lengths[index] ?? 0;
  const byLength = [...lengths.keys()].sort((a, b) => lengthOf(b) - lengthOf(a));
  const batches: number[][] = [];
  let real = 0;
  for (const index of byLength) {
    const batch = batches.at(-1);
    const longest = lengthOf(batch?.[0] ?? index);
    const members = (batch?.length ?? 0) + 1;
    const padded = members * longest;
    const fits =
      members <= maxMembers &&
      members * activationBytes(size, longest, longest, 0) <= budget &&
      (takesPadding ? padded <= (1 + waste) * (real + lengthOf(index)) : lengthOf(index) === longest);
    if (batch && fits) batch.push(index);
    else batches.push([index]);
    real = (batch && fits ? real : 0) + lengthOf(index);
  }
  return batches;
}
