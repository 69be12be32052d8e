import type { Representation } from '../../src/contract/embed.ts';
import { MAX_PROMPTS } from '../../src/contract/wire/limits.ts';
import type { Context } from '../evaluation.ts';
import { valueOf } from '../value-of.ts';

/** The embedder, as requests name it. */
export const EMBEDDER = 'lightwell-embed';

/** How texts are embedded. */
export interface Embedding {
  readonly representation: Representation;
  /** 128, or left out: 5120. */
  readonly compress_to_size?: 128;
}

/**
 * Embeds texts in batches as large as the contract allows, handing on each vector as it comes: all at once would be
 * hundreds of megabytes.
 */
export async function embedEach(
  { client, progress }: Context,
  texts: readonly string[],
  how: Embedding,
  take: (vector: readonly number[], index: number) => void,
): Promise<void> {
  for (let start = 0; start < texts.length; start += MAX_PROMPTS) {
    const prompts = texts.slice(start, start + MAX_PROMPTS);
    const { embeddings } = await valueOf(
      client.batchSemanticEmbed({ model: EMBEDDER, prompts, normalize: true, ...how }),
    );
    for (const [index, vector] of embeddings.entries()) take(vector, start + index);
    progress(`${how.representation}, ${how.compress_to_size ?? 5120} numbers`, start + prompts.length, texts.length);
  }
}

/** The same, kept, as float32. */
export async function embedAll(context: Context, texts: readonly string[], how: Embedding): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  await embedEach(context, texts, how, (vector, index) => (vectors[index] = Float32Array.from(vector)));
  return vectors;
}

/** Mean of the embedder's own word embeddings, by `/embed` at layer 0: what it would be without its network. */
export async function embedWords({ client, progress }: Context, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const [index, prompt] of texts.entries()) {
    const answer = await valueOf(client.embed({ model: EMBEDDER, prompt, layers: [0], pooling: ['mean'] }));
    vectors.push(Float32Array.from(answer.embeddings['layer_0']?.mean ?? []));
    progress('word embeddings', index + 1, texts.length);
  }
  return vectors;
}
