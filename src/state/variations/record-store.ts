import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../client/client.ts';
import { readRecord } from '../../client/record/record.ts';
import { type Verification, verifyRecord } from '../../client/record/verify.ts';
import type { ModelFacts } from '../models/models-store.ts';

export { saysRecord } from '../../client/record/record.ts';

/** How far the check of a record has come. */
export type RecordPhase =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly name: string; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly name: string; readonly verification: Verification }
  | { readonly kind: 'failed'; readonly name: string; readonly problem: Problem }
  /** The file is no record; why, for people who know its form. */
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

/** A dropped record, computed again. */
export interface RecordState {
  readonly phase: RecordPhase;
  /** Settles when the check is over; an older one is aborted. */
  check(file: { readonly name: string; readonly text: string }): Promise<void>;
  /** Ends a check, or puts its result away. */
  close(): void;
}
export type RecordStore = StoreApi<RecordState>;

/** What the store needs. */
export interface RecordSource {
  readonly client: Pick<Client, 'explain'>;
  /** What is known of a model, by its name. */
  factsOf(model: string): Pick<ModelFacts, 'hashes'> | undefined;
}

/** Nothing is checked yet. */
export function createRecordStore(source: RecordSource): RecordStore {
  let current: AbortController | null = null;
  return createStore<RecordState>((set) => ({
    phase: { kind: 'none' },
    async check({ name, text }) {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      const { signal } = controller;
      set({ phase: { kind: 'running', name, done: 0, total: 1 } });
      const phase = await checked(name, text, source, signal, (done, total) => {
        if (!signal.aborted) set({ phase: { kind: 'running', name, done, total } });
      });
      if (!signal.aborted) set({ phase });
    },
    close() {
      current?.abort();
      set({ phase: { kind: 'none' } });
    },
  }));
}

async function checked(
  name: string,
  text: string,
  { client, factsOf }: RecordSource,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<RecordPhase> {
  try {
    const record = readRecord(text);
    const answer = await verifyRecord(record, {
      client,
      signal,
      files: factsOf(record.request.model)?.hashes ?? null,
      onProgress: ({ phase, done, total }) => phase === 'run' && onProgress(done, total),
    });
    if (!answer.ok) return { kind: 'failed', name, problem: answer.problem };
    return { kind: 'done', name, verification: answer.value };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unreadable', name, reason: error.message };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', name, problem: { status: 0, code: 'CONNECTION', message } };
  }
}
