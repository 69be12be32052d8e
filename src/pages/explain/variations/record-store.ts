import type { Client } from '../../../client/client.ts';
import type { ModelFacts } from '../../../stores/models-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createVariationRun, type VariationPhase, type RecordState } from './variations-store.ts';
import { problemOf, type LatestCall } from '../../../stores/latest-request.ts';
import type { Progress } from '../../../contract/progress.ts';
import { verifyRecord, readRecord, type Verification } from '../../../client/record.ts';

/** The code of the problem of a file that is not a record; its message is for people who know the format. */
export const UNREADABLE = 'UNREADABLE_RECORD';

interface RecordSource {
  readonly client: Pick<Client, 'explain'>;
  /** Facts of a model by its name; undefined where it is unknown. */
  factsOf(model: string): Pick<ModelFacts, 'hashes'> | undefined;
}

/** A store without a record. */
export function createRecordStore(source: RecordSource): StoreApi<RecordState> {
  return createStore<RecordState>((set) => {
    let text = '';
    const { phase, run, cancel } = createVariationRun<Verification>(set, (call) => checked(text, source, call));
    return {
      name: '',
      phase,
      check(file) {
        ({ text } = file);
        set({ name: file.name });
        return run();
      },
      close: cancel,
    };
  });
}

async function checked(
  text: string,
  { client, factsOf }: RecordSource,
  call: LatestCall<[Progress]>,
): Promise<VariationPhase<Verification>> {
  try {
    const record = readRecord(text);
    const files = factsOf(record.request.model)?.hashes ?? null;
    const response = await verifyRecord(record, { client, files, ...call });
    return response.ok ? { kind: 'done', value: response.value } : { kind: 'failed', problem: response.problem };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'failed', problem: problemOf(error, UNREADABLE) };
  }
}
