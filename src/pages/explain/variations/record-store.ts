import { readRecord, type Verification, verifyRecord } from '../../../client/record.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../../client/client.ts';
import type { Progress } from '../../../contract/progress.ts';
import type { ModelFacts } from '../../../stores/models-store.ts';
import { createLatest, type LatestCall, problemOf } from '../../../stores/latest-request.ts';

/** How far the check of a record has come. */
type RecordPhase =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly name: string; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly name: string; readonly verification: Verification }
  | { readonly kind: 'failed'; readonly name: string; readonly problem: Problem }
  /** The file is not a record; the reason is for people who know its format. */
  | { readonly kind: 'unreadable'; readonly name: string; readonly reason: string };

/** A dropped record, computed again. */
interface RecordState {
  readonly phase: RecordPhase;
  /** Settles when the check is over; an older one is aborted. */
  check(file: { readonly name: string; readonly text: string }): Promise<void>;
  /** Stops the check and hides its result. */
  close(): void;
}
export type RecordStore = StoreApi<RecordState>;

interface RecordSource {
  readonly client: Pick<Client, 'explain'>;
  /** Facts of a model by its name; undefined where it is unknown. */
  factsOf(model: string): Pick<ModelFacts, 'hashes'> | undefined;
}

/** A store without a record. */
export function createRecordStore(source: RecordSource): RecordStore {
  const latest = createLatest();
  return createStore<RecordState>((set) => ({
    phase: { kind: 'none' },
    async check({ name, text }) {
      set({ phase: { kind: 'running', name, done: 0, total: 1 } });
      const phase = await latest.run<RecordPhase, [Progress]>({
        request: (call) => checked(name, text, source, call),
        onProgress: ({ phase, done, total }) =>
          phase === 'run' && set({ phase: { kind: 'running', name, done, total } }),
        onError: (error) =>
          error instanceof RangeError
            ? { kind: 'unreadable', name, reason: error.message }
            : { kind: 'failed', name, problem: problemOf(error) },
      });
      if (phase) set({ phase });
    },
    close() {
      latest.cancel();
      set({ phase: { kind: 'none' } });
    },
  }));
}

async function checked(
  name: string,
  text: string,
  { client, factsOf }: RecordSource,
  call: LatestCall<[Progress]>,
): Promise<RecordPhase> {
  const record = readRecord(text);
  const files = factsOf(record.request.model)?.hashes ?? null;
  const response = await verifyRecord(record, { client, files, ...call });
  if (!response.ok) return { kind: 'failed', name, problem: response.problem };
  return { kind: 'done', name, verification: response.value };
}
