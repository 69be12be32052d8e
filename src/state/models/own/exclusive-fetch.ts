import { KeepingError } from '../../../models/keeping/keeping.ts';
import type { FetchProgress } from '../../../protocol/keeping/keeping-tasks.ts';
import { keepingLock } from '../../../models/keeping/kept-models.ts';
import type { FetchPlan } from '../../../protocol/keeping/kept-model.ts';
import type { OwnModelsSource } from './source.ts';

/** How a model is fetched. */
export interface ExclusiveFetch {
  readonly plan: FetchPlan;
  readonly token: string | null;
  /** Bytes that are here already. */
  readonly done: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FetchProgress) => void;
  /** Another tab fetches it: it is waited for. */
  readonly onElsewhere: () => void;
}

/** Bytes beside the files that must be free: notes, and what the browser needs for itself. */
const MARGIN_BYTES = 5e6;

/**
 * Fetches a model in one tab at a time. Where another tab fetches it, there is nothing left to do once that has let go.
 *
 * @throws {KeepingError} `space`, before anything is fetched; and as the task `fetch`
 * @throws {DOMException} AbortError
 */
export async function fetchExclusively(fetch: ExclusiveFetch, { shelf, keeping }: OwnModelsSource): Promise<void> {
  const { plan, token, signal, onProgress } = fetch;
  const lock = keepingLock(plan.name);
  const run = async () => {
    if ((await shelf.list()).kept.some(({ name }) => name === plan.name)) return;
    await refuseWithoutRoom(fetch, shelf);
    await shelf.persist();
    await keeping.run('fetch', { plan, token }, { signal, onProgress });
  };
  const isDone = await shelf.locks.request(lock, { ifAvailable: true }, async (held) => {
    if (held !== null) await run();
    return held !== null;
  });
  if (isDone) return;
  fetch.onElsewhere();
  await shelf.locks.request(lock, { signal }, run);
}

async function refuseWithoutRoom({ plan, done }: ExclusiveFetch, shelf: OwnModelsSource['shelf']): Promise<void> {
  const space = await shelf.space();
  const needed = plan.files.reduce((sum, { bytes }) => sum + bytes, 0) - done + MARGIN_BYTES;
  const free = space === null ? Infinity : Math.max(0, space.allowed - space.used);
  if (needed > free)
    throw new KeepingError({ kind: 'space', detail: `${plan.name}: expected ${needed} bytes of room, got ${free}` });
}
