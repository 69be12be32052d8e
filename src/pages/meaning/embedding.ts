import { COMPRESSED_SIZE } from '../../contract/wire/limits.ts';
import type { Answer, Client, Problem } from '../../client/client.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';

/** The calls that embed. */
export type EmbeddingClient = Pick<Client, 'batchSemanticEmbed' | 'semanticEmbed'>;

/**
 * Embeds texts as documents, a row of `COMPRESSED_SIZE` numbers of length 1 each. A text that is too long for the model is
 * shortened until it fits; `cut` is the number of these. `model` is its name and version.
 */
export async function embedDocuments(
  client: EmbeddingClient,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Answer<{ readonly vectors: Float32Array; readonly cut: number; readonly model: string }>> {
  const prompts = [...texts];
  const cut = new Set<number>();
  for (;;) {
    const answer = await client.batchSemanticEmbed(
      { prompts, representation: 'document', compress_to_size: COMPRESSED_SIZE, normalize: true },
      { ...(signal && { signal }) },
    );
    if (answer.ok) {
      const { embeddings, model_version: model } = answer.value;
      return { ok: true, value: { vectors: Float32Array.from(embeddings.flat()), cut: cut.size, model } };
    }
    const long = longIn(answer.problem);
    const text = long && prompts[long.index];
    if (!long || !text || text.length < 2) return answer;
    prompts[long.index] = text.slice(0, Math.floor(text.length * Math.min(0.9, (0.95 * long.limit) / long.tokens)));
    cut.add(long.index);
  }
}

const TOO_LONG = /prompts\[(\d+)\].*expected at most (\d+) tokens, got (?:at least )?(\d+)/s;

function longIn({ message }: Problem): { index: number; limit: number; tokens: number } | null {
  const [, index, limit, tokens] = TOO_LONG.exec(message) ?? [];
  return tokens === undefined ? null : { index: Number(index), limit: Number(limit), tokens: Number(tokens) };
}

/** How fast this device embeds, by measurement. */
export type EmbedSpeed = ReturnType<typeof createEmbedSpeed>;

const KEY = 'lightwell.meaning.pace';
/** Weight of a new measurement. */
const NEW_SHARE = 0.3;
/** Slower than any device: a stored value above it is invalid. */
const SLOWEST = 100;

/** Starts with the stored speed. */
export function createEmbedSpeed(memory: BufferedStorage) {
  const stored = Number(memory.getItem(KEY) ?? NaN);
  let msPerCharacter = stored > 0 && stored < SLOWEST ? stored : null;
  return {
    /** Milliseconds for each character of work; null before a measurement. */
    current: () => msPerCharacter,
    /** Adds the measurement of a batch. */
    take(texts: readonly string[], ms: number): void {
      const measured = ms / Math.max(1, workOf(texts));
      msPerCharacter = msPerCharacter === null ? measured : (1 - NEW_SHARE) * msPerCharacter + NEW_SHARE * measured;
      memory.setItem(KEY, String(msPerCharacter));
    },
    /** Estimated milliseconds for texts; null before a measurement. */
    estimate: (texts: readonly string[]) => (msPerCharacter === null ? null : msPerCharacter * workOf(texts)),
  };
}

/** Cost of a text besides its characters, in characters; measured with short and long texts. */
const COST_OF_TEXT = 40;

/** Work of embedding texts, in characters; proportional to time. */
function workOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + COST_OF_TEXT, 0);
}
