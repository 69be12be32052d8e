/** What the cost of a forward pass depends on. */
export interface NetworkSize {
  readonly layers: number;
  readonly width: number;
  readonly vocabulary: number;
}

/** Sections explained in one forward pass behind a shared KV cache. */
export interface Batch {
  /** Positions taken from the shared KV cache. */
  readonly cachedTokens: number;
  /** Indices into the given starts. */
  readonly members: readonly number[];
}

/** Beyond this many sequences a pass gains nothing more. */
const MAX_MEMBERS = 32;
const BYTES = 4;
/** A head is rarely narrower; the count of score matrices is bounded from above by it. */
const HEAD_WIDTH = 32;

/**
 * Bytes of activations alive at once in a forward pass, roughly: residual stream and MLP, attention scores and their
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
 * Which sections share a forward pass: neighbours, because a pass recomputes everything from its first changed position
 * on, and as many as fit the memory budget.
 *
 * @param starts  first position each section changes, `[sections]`
 * @param total   positions in the sequence
 * @param rows    target rows
 * @param budget  bytes of activations one pass may take; a single section always goes
 * @returns       batches that hold each section exactly once, in order of their starts
 */
export function planBatches(
  starts: readonly number[],
  { size, total, rows, budget, waste, sharesKvCache, mostMembers = MAX_MEMBERS }: PlanOptions,
): Batch[] {
  const order = starts.map((_, i) => i).sort((a, b) => startOf(a) - startOf(b));
  const batches: { cachedTokens: number; members: number[]; limit: number; wasted: number }[] = [];
  function startOf(section: number): number {
    return sharesKvCache ? (starts[section] ?? 0) : 0;
  }
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
    const limit = Math.min(MAX_MEMBERS, mostMembers, Math.max(1, affordable));
    batches.push({ cachedTokens, members: [section], limit, wasted: 0 });
  }
  return batches.map(({ cachedTokens, members }) => ({ cachedTokens, members }));
}

/** See `planBatches`. */
export interface PlanOptions {
  readonly size: NetworkSize;
  readonly total: number;
  readonly rows: number;
  readonly budget: number;
  /** Share of a pass's positions that may be computed needlessly to allow a larger batch, 0 … 1. */
  readonly waste: number;
  /** Without it every pass starts at position 0. */
  readonly sharesKvCache: boolean;
  /** Sections of a pass at most. */
  readonly mostMembers?: number;
}
