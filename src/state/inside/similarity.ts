import type { Answer, CallOptions, Client } from '../../client/client.ts';
import type { EmbedResponse, Pooling } from '../../contract/embed.ts';

/** Where the answers come from; the model is read at each request. */
export interface InsideSource {
  readonly client: Pick<Client, 'embed' | 'lens'>;
  readonly model: string;
}

/** Two of several texts, by index; the first is the smaller one. */
export type Pair = readonly [number, number];

/** How alike texts are at each layer, by each pooling. */
export interface SimilarityFound {
  readonly texts: readonly string[];
  readonly tokenCounts: readonly number[];
  readonly pairs: readonly Pair[];
  /** Index of the last layer; 0 is the word embeddings. */
  readonly lastLayer: number;
  /** Cosine similarities, `[layer][pair]`. */
  readonly cosines: Readonly<Record<Pooling, readonly (readonly number[])[]>>;
  readonly modelVersion: string;
}

/** All poolings of the contract. */
export const POOLINGS = ['mean', 'weighted_mean', 'max', 'last_token', 'abs_max'] as const satisfies readonly Pooling[];

/** Texts that can be compared at once: their pairs are told apart by eye no further. */
export const MOST_TEXTS = 8;
export const FEWEST_TEXTS = 2;

/** Whether there are enough texts to compare; empty ones do not count. */
export function canCompare(texts: readonly string[]): boolean {
  return filledIn(texts).length >= FEWEST_TEXTS;
}

/** The texts that have something in them. */
export function filledIn(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '');
}

/** Embeds each text by every pooling at every layer, and compares each with each. */
export async function askSimilarity(
  source: InsideSource,
  { texts }: { readonly texts: readonly string[] },
  { signal, onProgress }: CallOptions,
): Promise<Answer<SimilarityFound>> {
  const filled = filledIn(texts);
  const call = { ...(signal && { signal }) };
  const lastLayer = await askLastLayer(source, filled[0] ?? '', call);
  if (!lastLayer.ok) return lastLayer;
  const layers = Array.from({ length: lastLayer.value + 1 }, (_, layer) => layer);
  const embedded: EmbedResponse[] = [];
  for (const prompt of filled) {
    onProgress?.({ phase: 'run', done: embedded.length, total: filled.length });
    const answer = await source.client.embed({ model: source.model, prompt, layers, pooling: [...POOLINGS] }, call);
    if (!answer.ok) return answer;
    embedded.push(answer.value);
  }
  return { ok: true, value: compared(filled, embedded, lastLayer.value) };
}

/** Index of the model's last layer, which only its answers tell. */
export async function askLastLayer(
  { client, model }: InsideSource,
  prompt: string,
  call: CallOptions,
): Promise<Answer<number>> {
  const answer = await client.embed({ model, prompt, layers: [-1] }, call);
  if (!answer.ok) return answer;
  const [key = ''] = Object.keys(answer.value.embeddings);
  return { ok: true, value: Number(key.replace('layer_', '')) };
}

function compared(texts: readonly string[], embedded: readonly EmbedResponse[], lastLayer: number): SimilarityFound {
  const pairs = pairsOf(texts.length);
  const vectorOf = (text: number, layer: number, pooling: Pooling) =>
    embedded[text]?.embeddings[`layer_${layer}`]?.[pooling] ?? [];
  const at = (pooling: Pooling) =>
    Array.from({ length: lastLayer + 1 }, (_, layer) =>
      pairs.map(([a, b]) => cosine(vectorOf(a, layer, pooling), vectorOf(b, layer, pooling))),
    );
  return {
    texts,
    tokenCounts: embedded.map(({ num_tokens_prompt_total: count }) => count),
    pairs,
    lastLayer,
    cosines: {
      mean: at('mean'),
      weighted_mean: at('weighted_mean'),
      max: at('max'),
      last_token: at('last_token'),
      abs_max: at('abs_max'),
    },
    modelVersion: embedded[0]?.model_version ?? '',
  };
}

/** Every pair of `count` things: 0 and 1, 0 and 2 … */
export function pairsOf(count: number): Pair[] {
  return Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (_, more): Pair => [a, a + 1 + more]),
  ).flat();
}

/** Cosine of the angle between two vectors of one length; 0 where one of them is all zeros. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0];
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}

/** What stands out of the similarities by one pooling. */
export interface Findings {
  /** The most alike pair at the first and at the last layer, by index. */
  readonly first: number;
  readonly last: number;
  /** The pair whose similarity moves most over the layers, and where it is lowest and highest. */
  readonly moved: { readonly pair: number; readonly lowAt: number; readonly highAt: number };
  /** Smallest and largest similarity at the first and at the last layer. */
  readonly spread: readonly [first: readonly [number, number], last: readonly [number, number]];
}

/** What stands out; null where there is no pair. */
export function findingsOf({ cosines, lastLayer }: SimilarityFound, pooling: Pooling): Findings | null {
  const [from, to] = [cosines[pooling][0] ?? [], cosines[pooling][lastLayer] ?? []];
  if (from.length === 0) return null;
  const most = (values: readonly number[]) => values.indexOf(Math.max(...values));
  const overLayers = from.map((_, pair) => cosines[pooling].map((values) => values[pair] ?? 0));
  const pair = most(overLayers.map((values) => Math.max(...values) - Math.min(...values)));
  const path = overLayers[pair] ?? [];
  const moved = { pair, lowAt: path.indexOf(Math.min(...path)), highAt: most(path) };
  const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  return { first: most(from), last: most(to), moved, spread: [ends(from), ends(to)] };
}
