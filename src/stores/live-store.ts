import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer, CallOptions, Problem } from '../client/client.ts';
import type { Progress } from '../contract/progress.ts';
import { createLatest, lostConnection } from './latest-request.ts';

type LivePhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: Progress | null }
  | { readonly kind: 'failed'; readonly problem: Problem };

interface LiveState<Question, Found> {
  readonly asked: Question;
  readonly phase: LivePhase;
  /** The newest answer and its question, kept while another one is computed or has failed; null: none has come yet. */
  readonly last: { readonly asked: Question; readonly found: Found } | null;
  /** What was asked before all of it was replaced, until it is edited; null: nothing was. */
  readonly replaced: Question | null;
  edit(change: Partial<Question>): void;
  /** Puts another question in place of this one. */
  replace(question: Question): void;
  /** Brings back what was replaced. */
  undo(): void;
  /** Asks; an older request is aborted. Settles when its answer, or a newer one, has come. */
  run(): Promise<void>;
  cancel(): void;
}
export type LiveStore<Question, Found> = StoreApi<LiveState<Question, Found>>;

/** A store with its first question, unasked. @param ask  asks the service; an aborted call rejects with `AbortError` */
export function createLiveStore<Question extends object, Found>(
  first: Question,
  ask: (question: Question, call: CallOptions) => Promise<Answer<Found>>,
): LiveStore<Question, Found> {
  const latest = createLatest();
  return createStore<LiveState<Question, Found>>((set, get) => ({
    asked: first,
    phase: { kind: 'idle' },
    last: null,
    replaced: null,
    edit: (change) => set(({ asked, phase }) => ({ ...changed({ ...asked, ...change }, phase), replaced: null })),
    replace: (next) => set(({ asked, phase }) => ({ ...changed(next, phase), replaced: asked })),
    undo: () => set(({ replaced, phase }) => (replaced ? { ...changed(replaced, phase), replaced: null } : {})),
    async run() {
      const { asked } = get();
      const onProgress = (progress: Progress | null) => set({ phase: { kind: 'running', progress } });
      onProgress(null);
      const answer = await latest.run({ request: (call) => ask(asked, call), onProgress, onError: lostConnection });
      if (answer?.ok) set({ phase: { kind: 'idle' }, last: { asked, found: answer.value } });
      else if (answer) set({ phase: { kind: 'failed', problem: answer.problem } });
    },
    cancel() {
      latest.cancel();
      if (get().phase.kind === 'running') set({ phase: { kind: 'idle' } });
    },
  }));
}

/** Another question; a problem was that of the one before. */
function changed<Question>(asked: Question, phase: LivePhase) {
  return { asked, phase: phase.kind === 'failed' ? ({ kind: 'idle' } as const) : phase };
}
