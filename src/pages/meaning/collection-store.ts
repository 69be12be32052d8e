import { COMPRESSED_SIZE, MAX_PROMPTS } from '../../contract/wire/limits.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnalysisClient } from './analysis-client.ts';
import type { Answer, Client, Problem } from '../../client/client.ts';
import { createLatest, problemOf } from '../../stores/latest-request.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';

/** Texts with the other columns of their table. */
export interface TextTable {
  readonly texts: readonly string[];
  /** Values by the name of their column, `[texts]` each. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** The first texts of a table; the table itself if it has no more. */
export function firstOf(table: TextTable, count: number): TextTable {
  const { texts, columns } = table;
  if (texts.length <= count) return table;
  const cut = Object.entries(columns).map(([name, values]) => [name, values.slice(0, count)]);
  return { texts: texts.slice(0, count), columns: Object.fromEntries(cut) };
}

/** The texts with their vectors. */
export interface Collected {
  readonly table: TextTable;
  /** Vectors of the first texts, one array for each batch, `COMPRESSED_SIZE` numbers for each text. */
  readonly vectors: readonly Float32Array[];
  /** Number of texts that have vectors; only these are searched, drawn and compared. */
  readonly count: number;
  /** Number of texts of which only the beginning was embedded. */
  readonly cut: number;
  /** Number of texts that were left out because the table was too long. */
  readonly leftOut: number;
  /** Name and version of the model; empty before its first answer. */
  readonly model: string;
}

interface CollectionState {
  readonly collected: Collected | null;
  readonly phase:
    | { readonly kind: 'idle' }
    | { readonly kind: 'running' }
    /** By a problem; null: by the user. */
    | { readonly kind: 'stopped'; readonly problem: Problem | null };
  /** The previous collection, for undo. */
  readonly replaced: Collected | null;
  /** Replaces the texts and embeds them; settles when it is complete or stopped. */
  collect(table: TextTable): Promise<void>;
  resume(): Promise<void>;
  stop(): void;
  undo(): Promise<void>;
  /** Milliseconds until all texts are embedded; null if that is unknown. */
  remainingMs(): number | null;
}
export type CollectionStore = StoreApi<CollectionState>;

interface CollectionSource {
  readonly client: EmbeddingClient;
  readonly analysis: AnalysisClient;
  readonly speed: EmbedSpeed;
}

/** An empty collection. */
export function createCollectionStore(source: CollectionSource): CollectionStore {
  const { analysis, speed } = source;
  const latest = createLatest({ graceMs: 1 }); // waits for a stopped run, whose batch may be on its way to the worker
  return createStore<CollectionState>((set, get) => {
    const stop = () => {
      latest.cancel();
      if (get().phase.kind === 'running') set({ phase: { kind: 'stopped', problem: null } });
    };
    const embedRest = async (prepare?: () => Promise<unknown>): Promise<void> => {
      set({ phase: { kind: 'running' } });
      const phase = await latest.run<CollectionState['phase']>({
        async request({ signal }) {
          await prepare?.();
          for (let all = get().collected; all && all.count < all.table.texts.length; all = get().collected) {
            signal.throwIfAborted();
            const next = await addBatch(all, signal, source);
            if (!next.ok) return { kind: 'stopped', problem: next.problem };
            if (get().collected === all) set({ collected: next.value }); // unless the texts were replaced
          }
          return { kind: 'idle' };
        },
        onError: (error) => ({ kind: 'stopped', problem: problemOf(error, 'DEVICE_LOST') }), // the worker died
      });
      if (phase) set({ phase });
    };
    const begin = (collected: Collected): Promise<void> => {
      stop();
      const bare = { ...collected, vectors: [], count: 0 }; // until the worker has the vectors: it may still hold other texts
      set(({ collected: previous, replaced }) => ({ collected: bare, replaced: previous ?? replaced }));
      return embedRest(async () => {
        await analysis.run('add', { isNew: true, ...embeddedOf(collected) });
        if (get().collected === bare) set({ collected });
      });
    };
    analysis.remember(() => {
      const { collected } = get();
      return collected && embeddedOf(collected);
    });
    return {
      collected: null,
      phase: { kind: 'idle' },
      replaced: null,
      collect: (table) => begin(emptyOf(table)),
      resume: () => embedRest(),
      stop,
      async undo() {
        const { replaced } = get();
        if (replaced) await begin(replaced);
      },
      remainingMs() {
        const { collected } = get();
        return collected && speed.estimate(collected.table.texts.slice(collected.count));
      },
    };
  });
}

/** Calls back whenever the texts are replaced. */
export function onReplaced(
  collection: CollectionStore,
  listener: (now: Collected | null, old: Collected | null) => void,
) {
  collection.subscribe(({ collected }, { collected: old }) => {
    if (collected?.table !== old?.table) listener(collected, old);
  });
}

async function addBatch(
  all: Collected,
  signal: AbortSignal,
  { client, analysis, speed }: CollectionSource,
): Promise<Answer<Collected>> {
  const texts = batchFrom(all.table.texts, all.count);
  const began = performance.now();
  const answer = await embedDocuments(client, texts, signal);
  signal.throwIfAborted();
  if (!answer.ok) return answer;
  speed.take(texts, performance.now() - began);
  const { vectors, cut, model } = answer.value;
  await analysis.run('add', { isNew: false, texts, vectors }); // not aborted: from now on the worker has them
  const count = all.count + texts.length;
  return { ok: true, value: { ...all, vectors: [...all.vectors, vectors], count, cut: all.cut + cut, model } };
}

/** Characters of a batch: about half a second on a slow processor, so that progress is visible and a stop is quick. */
const MAX_CHARACTERS = 8_000;

/** The texts from `start` on that are embedded in one request; at least one. */
function batchFrom(texts: readonly string[], start: number): readonly string[] {
  let [end, characters] = [start, 0];
  while (end < texts.length && end - start < MAX_PROMPTS) {
    characters += texts[end]?.length ?? 0;
    if (end > start && characters > MAX_CHARACTERS) break;
    end++;
  }
  return texts.slice(start, end);
}

/** Most texts of a collection: the map of more is slow. */
const MAX_TEXTS = 20_000;

function emptyOf(table: TextTable): Collected {
  const first = firstOf(table, MAX_TEXTS);
  return { table: first, vectors: [], count: 0, cut: 0, leftOut: table.texts.length - first.texts.length, model: '' };
}

/** The texts that have vectors, with their other columns, vectors `[texts, width]` and model. */
export function embeddedTable({ table, count, vectors, model }: Collected) {
  return { ...firstOf(table, count), vectors: joined(vectors), width: COMPRESSED_SIZE, model };
}

/** The texts that have vectors, as the analysis receives them. */
function embeddedOf({ table, count, vectors }: Collected) {
  return { texts: table.texts.slice(0, count), vectors: joined(vectors) };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

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
    const length = Math.floor(text.length * Math.min(0.9, (0.95 * long.limit) / long.tokens));
    prompts[long.index] = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''); // half a character
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
