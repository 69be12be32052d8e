import { POOLINGS } from '../../contract/wire/limits.ts';
import type { Answer, CallOptions, ModelSource } from '../../client/client.ts';
import type { EmbedResponse, Pooling } from '../../contract/embed.ts';
import { similarityWords } from './words.en.ts';
import { fixedText, numberText } from '../../words/language.ts';

/** Two of several texts, by index; the first is the smaller one. */
type TextPair = readonly [number, number];

/** How alike texts are at each layer, by each pooling. */
export interface SimilarityFound {
  readonly texts: readonly string[];
  readonly pairs: readonly TextPair[];
  /** Index of the last layer; 0 is the word embeddings. */
  readonly lastLayer: number;
  /** Cosine similarities, `[layer][pair]`. */
  readonly cosines: Readonly<Record<Pooling, readonly (readonly number[])[]>>;
  readonly modelVersion: string;
}

export const MIN_COMPARED_TEXTS = 2;

/** Whether there are enough texts to compare; empty ones do not count. */
export function canCompare(texts: readonly string[]): boolean {
  return nonEmptyTexts(texts).length >= MIN_COMPARED_TEXTS;
}

function nonEmptyTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '');
}

/** Embeds each text by every pooling at every layer, and compares each with each. */
export async function requestSimilarity(
  source: ModelSource<'embed'>,
  { texts }: { readonly texts: readonly string[] },
  { signal, onProgress }: CallOptions,
): Promise<Answer<SimilarityFound>> {
  const filled = nonEmptyTexts(texts);
  const call = { ...(signal && { signal }) };
  const lastLayer = await requestLastLayer(source, filled[0] ?? '', call);
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
async function requestLastLayer(
  { client, model }: ModelSource<'embed'>,
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
export function pairsOf(count: number): TextPair[] {
  return Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (_, more): TextPair => [a, a + 1 + more]),
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

interface Findings {
  /** The most alike pair at the first and at the last layer, by index. */
  readonly first: number;
  readonly last: number;
  /** The pair whose similarity moves most over the layers, and where it is lowest and highest. */
  readonly moved: { readonly pair: number; readonly lowAt: number; readonly highAt: number };
  /** Smallest and largest similarity at the first and at the last layer. */
  readonly spread: readonly [first: readonly [number, number], last: readonly [number, number]];
}

/** What stands out; null where there is no pair. */
export function similarityFindings({ cosines, lastLayer }: SimilarityFound, pooling: Pooling): Findings | null {
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

/** A pair by the numbers of its texts, such as `1 and 2`. */
export function pairName({ pairs }: SimilarityFound, pair: number): string {
  const [a, b] = pairs[pair] ?? [0, 0];
  return similarityWords().pairOf(numberText(a + 1), numberText(b + 1));
}

/** What stands out, in sentences that follow from the numbers. */
export function similarityNotice(found: SimilarityFound, pooling: Pooling): string[] {
  const words = similarityWords();
  const findings = similarityFindings(found, pooling);
  if (!findings) return [];
  const { first, last, moved, spread } = findings;
  const at = (pair: number, layer: number) => fixedText(found.cosines[pooling][layer]?.[pair] ?? 0, 2);
  const end = found.lastLayer;
  if (found.pairs.length === 1) return [words.one(at(0, 0), at(0, end))];
  return [
    first === last
      ? words.sameBoth(pairName(found, first), at(first, 0), at(first, end))
      : words.other(pairName(found, first), at(first, 0), pairName(found, last), at(last, end)),
    movedText(found, moved, at),
    words.spread(...spreadTexts(spread)),
  ];
}

/** Where the similarity of a pair is lowest and highest, in the order of the layers. */
function movedText(
  found: SimilarityFound,
  { pair, lowAt, highAt }: Findings['moved'],
  at: (pair: number, layer: number) => string,
): string {
  const [early, late] = [Math.min(lowAt, highAt), Math.max(lowAt, highAt)];
  const words = similarityWords();
  const place = (layer: number) => ({ value: at(pair, layer), layer: numberText(layer) });
  return words.moved(pairName(found, pair), place(early), place(late));
}

function spreadTexts([from, to]: readonly [readonly [number, number], readonly [number, number]]) {
  return [fixedText(from[0], 2), fixedText(from[1], 2), fixedText(to[0], 2), fixedText(to[1], 2)] as const;
}

/** Key of a pair in a row. */
export function pairKey(pair: number): string {
  return `pair${pair}`;
}

/** Steps of the value axis, in tenths, for a range of at most `range`. */
const STEPS = [
  { range: 0.5, tenths: 1 },
  { range: 1, tenths: 2 },
  { range: 2, tenths: 5 },
] as const;

/** Numbers of the value axis, evenly spaced around all values, −1 … 1; the first and last are its ends. */
export function cosineTicks({ cosines }: SimilarityFound, pooling: Pooling): number[] {
  const values = cosines[pooling].flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const { tenths } = STEPS.find(({ range }) => high - low <= range) ?? STEPS[2];
  const first = Math.min(Math.floor((low * 10) / tenths), 10 / tenths - 1); // below the end, where all values are 1
  const last = Math.max(Math.ceil((high * 10) / tenths), first + 1);
  return Array.from({ length: last - first + 1 }, (_, step) => ((first + step) * tenths) / 10);
}

/** Dashes and gaps by which lines are told apart without colour; they repeat where there are more lines. */
const PATTERNS: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [1, 5], [4, 2, 1, 2, 1, 2]];

/** The dashes of a pair's line. */
export function dashesOf(pair: number): readonly number[] {
  return PATTERNS[pair % PATTERNS.length] ?? [];
}
