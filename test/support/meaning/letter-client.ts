import { COMPRESSED_SIZE } from '../../../src/contract/wire/limits.ts';
import type { EmbeddingClient } from '../../../src/pages/meaning/collection-store.ts';

/** A client that turns a text into counts of its letters: texts of the same letters are alike. */
export function createLetterClient(): EmbeddingClient & { readonly batches: string[][] } {
  const batches: string[][] = [];
  return {
    batches,
    async batchSemanticEmbed({ prompts }, options) {
      options?.signal?.throwIfAborted();
      const texts = prompts.map(String);
      batches.push(texts);
      return {
        ok: true,
        value: { model_version: 'letters-1', embeddings: texts.map(lettersOf), num_tokens_prompt_total: 0 },
      };
    },
    async semanticEmbed({ prompt }) {
      const value = { model_version: 'letters-1', embedding: lettersOf(String(prompt)), num_tokens_prompt_total: 0 };
      return { ok: true, value };
    },
  };
}

function lettersOf(text: string): number[] {
  const counts = Array.from({ length: COMPRESSED_SIZE }, () => 0);
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) % COMPRESSED_SIZE;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const length = Math.hypot(...counts) || 1;
  return counts.map((count) => count / length);
}
