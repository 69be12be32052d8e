import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer, CallOptions, Problem } from '../../client/client.ts';
import type { Progress } from '../../contract/progress.ts';

/** What a live part of a page is doing. */
export type LivePhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: Progress | null }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** An answer, and what it answers. */
export interface Answered<Asked, Found> {
  readonly asked: Asked;
  readonly found: Found;
}

/** A question of a page that can be edited, and its newest answer. */
export interface LiveState<Asked, Found> {
  readonly asked: Asked;
  readonly phase: LivePhase;
  /** The newest answer, kept while another one is computed or has failed; null: none has come yet. */
  readonly last: Answered<Asked, Found> | null;
  /** What was asked before all of it was replaced, until it is edited; null: nothing was. */
  readonly replaced: Asked | null;
  edit(change: Partial<Asked>): void;
  /** Puts another question in place of this one. */
  replace(asked: Asked): void;
  /** Brings back what was replaced. */
  undo(): void;
  /** Asks; an older request is aborted. Settles when its answer, or a newer one, has come. */
  run(): Promise<void>;
  cancel(): void;
}
export type LiveStore<Asked, Found> = StoreApi<LiveState<Asked, Found>>;

/** Asks the service; an aborted call rejects with `AbortError`. */
export type Ask<Asked, Found> = (asked: Asked, call: CallOptions) => Promise<Answer<Found>>;

/** A store with its first question, unasked. */
export function createLiveStore<Asked extends object, Found>(
  first: Asked,
  ask: Ask<Asked, Found>,
): LiveStore<Asked, Found> {
  let current: AbortController | null = null;
  return createStore<LiveState<Asked, Found>>((set, get) => ({
    asked: first,
    phase: { kind: 'idle' },
    last: null,
    replaced: null,
    edit: (change) => set(({ asked, phase }) => ({ ...changed({ ...asked, ...change }, phase), replaced: null })),
    replace: (next) => set(({ asked, phase }) => ({ ...changed(next, phase), replaced: asked })),
    undo: () => set(({ replaced, phase }) => (replaced ? { ...changed(replaced, phase), replaced: null } : {})),
    async run() {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      const { signal } = controller;
      const { asked } = get();
      set({ phase: { kind: 'running', progress: null } });
      const onProgress = (progress: Progress) => {
        if (!signal.aborted) set({ phase: { kind: 'running', progress } });
      };
      const answer = await answerOf(ask(asked, { signal, onProgress }));
      if (signal.aborted) return;
      current = null;
      if (answer.ok) set({ phase: { kind: 'idle' }, last: { asked, found: answer.value } });
      else set({ phase: { kind: 'failed', problem: answer.problem } });
    },
    cancel() {
      current?.abort();
      current = null;
      if (get().phase.kind === 'running') set({ phase: { kind: 'idle' } });
    },
  }));
}

/** Another question; a problem was that of the one before. */
function changed<Asked>(asked: Asked, phase: LivePhase) {
  return { asked, phase: phase.kind === 'failed' ? ({ kind: 'idle' } as const) : phase };
}

/** A lost connection is a problem like any other. */
async function answerOf<Found>(asking: Promise<Answer<Found>>): Promise<Answer<Found>> {
  try {
    return await asking;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: { status: 0, code: 'CONNECTION', message } };
  }
}
