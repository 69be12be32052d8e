import type { Answer, CallOptions, Client } from '../../../src/client/client.ts';

/** Prompts of one request. */
const BATCH = 100;

/** What `search_texts` takes; `readSearch` checks it. */
export interface Search {
  readonly query: string;
  readonly texts: readonly string[];
  readonly max_results: number;
}

/** The texts that are closest to a query, best first. */
interface Found {
  /** `index` in the texts; `score` is the cosine of the two embeddings, −1 to 1. */
  readonly results: readonly { readonly index: number; readonly score: number; readonly text: string }[];
}

/** Ranks texts by their meaning: the cosine of the embedding of the query and those of the texts. */
export async function searchTexts(
  client: Client,
  { query, texts, max_results: count }: Search,
  { signal, onProgress }: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<Answer<Found>> {
  const options = signal && { signal };
  const asked = await client.semanticEmbed({ prompt: query, representation: 'query', normalize: true }, options);
  if (!asked.ok) return asked;
  const scores: number[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    const prompts = texts.slice(start, start + BATCH);
    const body = { prompts, representation: 'document', normalize: true } as const;
    const read = await client.batchSemanticEmbed(body, options);
    if (!read.ok) return read;
    scores.push(...read.value.embeddings.map((embedding) => dot(embedding, asked.value.embedding)));
    onProgress?.({ phase: 'run', done: scores.length, total: texts.length });
  }
  const ranked = scores.map((score, index) => ({ index, score, text: texts[index] ?? '' }));
  return { ok: true, value: { results: ranked.sort((a, b) => b.score - a.score).slice(0, count) } };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
