import type { Answer, Client, Problem } from '../../client/client.ts';
import { COMPRESSED_SIZE, MAX_PROMPTS, type BatchSemanticEmbedResponse } from '../../contract/semantic-embed.ts';

/** The calls that embed. */
export type EmbeddingClient = Pick<Client, 'batchSemanticEmbed' | 'semanticEmbed'>;

/** Numbers of each vector: the embedder's first ones stand on their own, and words are searched by an index beside them. */
export const WIDTH = COMPRESSED_SIZE;

/** Characters of a batch: about half a second of a slow processor, so that progress is seen and a cancel is heard. */
const MOST_CHARACTERS = 8_000;

/** What a text costs besides its characters, in characters; measured with short and long texts. */
const OWN_COST = 40;

/** Work of embedding texts, in characters: its time grows with it. */
export function workOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + OWN_COST, 0);
}

/** The texts from `start` on that are embedded at once; at least one. */
export function batchFrom(texts: readonly string[], start: number): readonly string[] {
  let [end, characters] = [start, 0];
  while (end < texts.length && end - start < MAX_PROMPTS) {
    characters += texts[end]?.length ?? 0;
    if (end > start && characters > MOST_CHARACTERS) break;
    end++;
  }
  return texts.slice(start, end);
}

/** Vectors of length 1, `[texts, WIDTH]`, and how many of the texts were too long to be read to their end. */
export interface Embedded {
  readonly vectors: Float32Array;
  readonly cut: number;
  /** Name and version of the model. */
  readonly model: string;
}

/** Vectors of texts or what the service said instead. */
export type EmbeddedAnswer =
  | { readonly ok: true; readonly value: Embedded }
  | { readonly ok: false; readonly problem: Problem };

/** Embeds texts as documents. A text that is longer than the model reads is cut, as its service asks, and counted. */
export async function embedDocuments(
  client: EmbeddingClient,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbeddedAnswer> {
  const prompts = [...texts];
  const cut = new Set<number>();
  for (;;) {
    const answer = await client.batchSemanticEmbed(
      { prompts, representation: 'document', compress_to_size: COMPRESSED_SIZE, normalize: true },
      { signal },
    );
    if (answer.ok) return { ok: true, value: { ...valueOf(answer.value), cut: cut.size } };
    const long = longIn(answer.problem);
    const text = long && prompts[long.index];
    if (!long || !text || text.length < 2) return answer;
    prompts[long.index] = text.slice(0, Math.floor(text.length * Math.min(0.9, (0.95 * long.limit) / long.tokens)));
    cut.add(long.index);
  }
}

function valueOf({ embeddings, model_version }: BatchSemanticEmbedResponse): Omit<Embedded, 'cut'> {
  const vectors = new Float32Array(embeddings.length * WIDTH);
  embeddings.forEach((vector, index) => vectors.set(vector, index * WIDTH));
  return { vectors, model: model_version };
}

const TOO_LONG = /prompts\[(\d+)\].*expected at most (\d+) tokens, got (?:at least )?(\d+)/s;

function longIn({ message }: Problem): { index: number; limit: number; tokens: number } | null {
  const [, index, limit, tokens] = TOO_LONG.exec(message) ?? [];
  return tokens === undefined ? null : { index: Number(index), limit: Number(limit), tokens: Number(tokens) };
}

/** The vector of what is searched for. */
export async function embedQuery(
  client: EmbeddingClient,
  prompt: string,
  signal: AbortSignal,
): Promise<Answer<Float32Array>> {
  const answer = await client.semanticEmbed(
    { prompt, representation: 'query', compress_to_size: COMPRESSED_SIZE, normalize: true },
    { signal },
  );
  return answer.ok ? { ok: true, value: Float32Array.from(answer.value.embedding) } : answer;
}
