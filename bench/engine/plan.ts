import { SHIPPED_BYTES } from '../../workers/engine/remote/open-remote.ts';
import { passesFrom } from '../../workers/operations/explain/passes.ts';

/** A model and an explanation, as the command line gives them. */
export interface PlanInput {
  readonly parameters: number;
  readonly layers: number;
  readonly width: number;
  readonly vocabulary: number;
  /** Heads of keys and values, and numbers of one. */
  readonly kvHeads: number;
  readonly headSize: number;
  /** Of a number in the KV cache. */
  readonly kvBytes: number;
  /** The engine is fed embeddings instead of ids, as a model that reads pictures is. */
  readonly isFedEmbeddings: boolean;
  readonly sections: number;
  readonly tokensPerSection: number;
  readonly targetTokens: number;
  /** Requests under way at once. */
  readonly inFlight: number;
}

/** The model that ships with Lightwell, and an explanation of a long prompt. */
export const EMBEDDED: PlanInput = {
  parameters: 4_200_000,
  layers: 5,
  width: 256,
  vocabulary: 4096,
  kvHeads: 8,
  headSize: 32,
  kvBytes: 4,
  isFedEmbeddings: true,
  sections: 1000,
  tokensPerSection: 1,
  targetTokens: 8,
  inFlight: 4,
};

/** One way to send the same explanation. */
export interface PlannedWay {
  readonly way: string;
  readonly requests: number;
  readonly 'kB of KV cache': number;
  readonly 'kB a request': number;
  readonly 'kB a section': number;
  readonly 'MB in all': number;
  readonly 'positions a section': number;
  readonly 'GFLOP a section': number;
  readonly 'TFLOP in all': number;
}

/**
 * What an explanation costs on an engine, on paper: in the ways to treat the shared prefix, and as the rule chooses. The
 * requests are those that the engine is really sent, the one for the unmodified prompt among them. FLOPs: two for each
 * parameter and position, and attention.
 */
export function plannedWays(input: PlanInput): PlannedWay[] {
  const total = input.sections * input.tokensPerSection + input.targetTokens - 1;
  const cacheBytes = 2 * input.layers * input.kvHeads * input.headSize * input.kvBytes * total;
  const shipped = wayOf('cache sent along', input, total, true);
  const recomputed = wayOf('prefix computed again', input, total, false);
  const isShipped = cacheBytes <= SHIPPED_BYTES;
  const without = wayOf(
    'without the rule: each section alone, cache sent along',
    { ...input, inFlight: Infinity },
    total,
    true,
  );
  return [without, shipped, recomputed].map((row) => ({
    ...row,
    'kB of KV cache': cacheBytes / 1000,
    way: row === (isShipped ? shipped : recomputed) ? `${row.way} (chosen)` : row.way,
  }));
}

function wayOf(way: string, input: PlanInput, total: number, isShipped: boolean): PlannedWay {
  const { layers, width, vocabulary, parameters, sections, targetTokens, inFlight } = input;
  const starts = Array.from({ length: sections }, (_, section) => section * input.tokensPerSection);
  const network = {
    shape: { layers, width, vocabulary, sharesKvCache: true },
    backend: { kind: 'remote', threads: 1, reason: 'on paper' },
    inFlight: () => inFlight,
  } as const;
  const unmodified = { cachedTokens: 0, members: [0] };
  const passes = [unmodified, ...passesFrom(starts, { total, rows: targetTokens }, network)];
  let bytes = 0;
  let positions = 0;
  let flops = 0;
  for (const { cachedTokens, members } of passes) {
    const computed = isShipped ? total - cachedTokens : total;
    bytes += bytesOf(input, { computed, total, members: members.length });
    positions += computed * members.length;
    flops +=
      members.length * (2 * parameters * computed + 4 * layers * width * computed * ((total + total - computed) / 2));
  }
  return {
    way,
    requests: passes.length,
    'kB of KV cache': 0,
    'kB a request': bytes / passes.length / 1000,
    'kB a section': bytes / sections / 1000,
    'MB in all': bytes / 1e6,
    'positions a section': positions / sections,
    'GFLOP a section': flops / sections / 1e9,
    'TFLOP in all': flops / 1e12,
  };
}

/**
 * Of one request as raw tensors, without the JSON in front, up to 4 kB. The whole KV cache goes along with a pass that begins
 * behind the first position: an engine takes what it needs.
 */
function bytesOf(
  input: PlanInput,
  { computed, total, members }: { computed: number; total: number; members: number },
): number {
  const { layers, kvHeads, headSize, kvBytes, width, targetTokens } = input;
  const cache = computed < total ? 2 * layers * kvHeads * headSize * kvBytes * total : 0;
  const ids = input.isFedEmbeddings ? 4 * width * computed : 8 * computed;
  const maskAndPositions = 8 * (total + computed);
  return cache + ids + maskAndPositions + 4 * members * total + 4 * members * targetTokens;
}

/**
 * Reads `--sections 1000 --parameters 70e9 …`; what is left out is that of the embedded model. `--is-fed-embeddings` is 0 or 1.
 *
 * @throws {RangeError} naming the option
 */
export function planInput(args: readonly string[]): PlanInput {
  const input: Record<string, number | boolean> = { ...EMBEDDED };
  for (let at = 0; at < args.length; at += 2) {
    const name = (args[at] ?? '')
      .replace(/^--/, '')
      .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value = Number(args[at + 1]);
    const isKnown = name === 'isFedEmbeddings' ? value === 0 || value === 1 : Object.hasOwn(input, name) && value > 0;
    if (!isKnown)
      throw new RangeError(
        `expected one of ${Object.keys(input).join(', ')} with a number above 0, or isFedEmbeddings with 0 or 1, ` +
          `got "${args[at]}" with "${args[at + 1]}"`,
      );
    input[name] = name === 'isFedEmbeddings' ? value === 1 : value;
  }
  return input as unknown as PlanInput;
}
