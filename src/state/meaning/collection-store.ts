import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Problem } from '../../client/client.ts';
import { batchFrom, embedDocuments, type EmbeddingClient } from './embedding.ts';
import type { Pace } from './pace.ts';
import { firstOf, MOST_TEXTS, type TextTable } from './texts.ts';

/** How far reading the texts has come. */
export type ReadingPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  /** Before all of them were read: by the user, or by a problem. */
  | { readonly kind: 'stopped'; readonly problem: Problem | null };

/** What a collection holds. */
export interface Collected {
  readonly table: TextTable;
  /** Vectors of the first texts, batch by batch; each of `WIDTH` numbers. */
  readonly vectors: readonly Float32Array[];
  /** How many texts have their vectors: all that is searched, drawn and compared. */
  readonly count: number;
  /** Texts of which only the beginning was read. */
  readonly cut: number;
  /** Texts that were left out because the collection was full. */
  readonly leftOut: number;
  /** Name and version of the model; empty before its first answer. */
  readonly model: string;
}

/** The texts that the page is about. */
export interface CollectionState {
  readonly collected: Collected | null;
  readonly phase: ReadingPhase;
  /** The collection before this one, for undo. */
  readonly replaced: Collected | null;
  /** Reads texts in place of those that are there; settles when all are read, or it was stopped. */
  collect(table: TextTable): Promise<void>;
  /** Goes on where it was stopped. */
  goOn(): Promise<void>;
  stop(): void;
  undo(): Promise<void>;
  /** Milliseconds until all texts are read; null while that is unknown. */
  remainingMs(): number | null;
}
export type CollectionStore = StoreApi<CollectionState>;

/** What a collection needs. */
export interface CollectionOptions {
  readonly client: EmbeddingClient;
  readonly analysis: Analysis;
  readonly pace: Pace;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** An empty collection. */
export function createCollectionStore(options: CollectionOptions): CollectionStore {
  const { analysis, pace } = options;
  let current: AbortController | null = null;
  return createStore<CollectionState>((set, get) => {
    const stop = () => {
      current?.abort();
      current = null;
      if (get().phase.kind === 'running') set({ phase: { kind: 'stopped', problem: null } });
    };
    const start = (): AbortSignal => {
      stop();
      current = new AbortController();
      set({ phase: { kind: 'running' } });
      return current.signal;
    };
    const read = async (signal: AbortSignal): Promise<void> => {
      for (let all = get().collected; all && all.count < all.table.texts.length; all = get().collected) {
        if (signal.aborted) return;
        const next = await readBatch(all, signal, options);
        if (next === null || get().collected !== all) return;
        if ('problem' in next) return set({ phase: { kind: 'stopped', problem: next.problem } });
        set({ collected: next });
      }
      if (!signal.aborted) set({ phase: { kind: 'idle' } });
    };
    const begin = async (collected: Collected): Promise<void> => {
      const signal = start();
      const replaced = get().collected;
      set({ collected, ...(replaced && { replaced }) });
      try {
        await analysis.run('add', { isNew: true, ...knownOf(collected) });
      } catch (error) {
        return set({ phase: { kind: 'stopped', problem: problemOf(error) } });
      }
      await read(signal);
    };
    analysis.remember(() => {
      const { collected } = get();
      return collected && knownOf(collected);
    });
    return {
      collected: null,
      phase: { kind: 'idle' },
      replaced: null,
      collect: (table) => begin(emptyOf(table)),
      goOn: () => read(start()),
      stop,
      async undo() {
        const { replaced } = get();
        if (replaced) await begin(replaced);
      },
      remainingMs() {
        const { collected } = get();
        return collected && pace.estimate(collected.table.texts.slice(collected.count));
      },
    };
  });
}

/** The collection with its next texts read; null once that was aborted. */
async function readBatch(
  all: Collected,
  signal: AbortSignal,
  { client, analysis, pace, now = () => performance.now() }: CollectionOptions,
): Promise<Collected | { readonly problem: Problem } | null> {
  const texts = batchFrom(all.table.texts, all.count);
  const began = now();
  const answer = await unlessAborted(embedDocuments(client, texts, signal), signal);
  if (answer === null) return null;
  if (!answer.ok) return { problem: answer.problem };
  pace.take(texts, now() - began);
  const { vectors, cut, model } = answer.value;
  try {
    await analysis.run('add', { isNew: false, texts, vectors }); // from here on the worker has them, whatever is stopped
  } catch (error) {
    return { problem: problemOf(error) };
  }
  return {
    ...all,
    vectors: [...all.vectors, vectors],
    count: all.count + texts.length,
    cut: all.cut + cut,
    model,
  };
}

/** The worker died: as the service says of its own. */
function problemOf(error: unknown): Problem {
  return { status: 0, code: 'DEVICE_LOST', message: error instanceof Error ? error.message : String(error) };
}

/** What has been read of a collection, as the analysis takes it. */
function knownOf({ table, count, vectors }: Collected) {
  return { texts: table.texts.slice(0, count), vectors: joined(vectors) };
}

function emptyOf(table: TextTable): Collected {
  const kept = firstOf(table, MOST_TEXTS);
  return { table: kept, vectors: [], count: 0, cut: 0, leftOut: table.texts.length - kept.texts.length, model: '' };
}

/** Null once it was aborted. */
async function unlessAborted<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  try {
    const value = await answer;
    return signal.aborted ? null : value;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Arrays one behind the other. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
