import { persist } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../client/client.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Memory } from '../memory.ts';
import { createThrottle } from '../throttle.ts';
import type { CrossCheck } from './scores/cross-check.ts';
import { type Cut, type Example, EXAMPLES } from './examples.ts';
import { type Asked, createKeptStorage, keptIn, readKept } from './kept.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Question, Settings } from './question.ts';
import { createPartials } from './partials.ts';
import { type Prediction, predictBodyOf } from './prediction.ts';
import type { Shared } from './share-link.ts';
import { DEFAULT_SETTINGS, isSameQuestion, isSameText, missingIn, requestOf } from './question.ts';

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
export const PARTIAL_INTERVAL_MS = 150;

/** A running request; `partial` holds the sections explained so far. */
export interface Running {
  readonly kind: 'running';
  readonly asked: Question;
  readonly progress: Progress | null;
  readonly partial: Outcome | null;
}

/** The one request of the page. */
export type Phase =
  | { readonly kind: 'idle' }
  | Running
  | { readonly kind: 'done'; readonly value: Outcome }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The explain page. */
export interface ExplainState {
  readonly question: Question;
  readonly phase: Phase;
  /** The newest outcome, kept while another one is made or has failed; incomplete after a cancel. */
  readonly last: Outcome | null;
  edit(change: Partial<Pick<Question, 'picture' | 'prompt' | 'target'>>): void;
  adjust(change: Partial<Settings>): void;
  /** The question that an example has replaced, until that is edited. */
  readonly replaced: Question | null;
  /** Puts an example into the editors; settles when its picture is loaded too. */
  take(example: Example): Promise<void>;
  /** Puts the question back that an example has replaced. */
  undo(): void;
  /** Puts what a link holds into the editors; aborts a running request and removes the result of another question. */
  open(shared: Shared): void;
  /** Asks the question; an older request is aborted. Settles when its answer, or a newer one, has come. */
  run(): Promise<void>;
  /** Stops the request; the sections explained so far stay. */
  cancel(): void;
  /** Checks the signs of an outcome by deleting sections, when nothing else runs; null where there is nothing to check. */
  check(outcome: Outcome, signal: AbortSignal): Promise<CrossCheck | null>;
  /** The model can answer: a failure of the model is past, and no longer shown. */
  modelReady(): void;
}
export type ExplainStore = StoreApi<ExplainState>;

/** What the page's store needs. */
export interface ExplainStoreOptions {
  readonly client: Pick<Client, 'evaluate' | 'explain' | 'predict'>;
  /** Read at each request, so that a change applies to the next one. */
  readonly model: string;
  /** What a link holds; used instead of what is stored. */
  readonly shared?: Shared | null;
}

const FIRST_QUESTION: Question = {
  picture: null,
  prompt: EXAMPLES[0].prompt,
  target: EXAMPLES[0].target,
  settings: DEFAULT_SETTINGS,
};

/** Failures that are the model's and not the question's. */
const OF_THE_MODEL: ReadonlySet<string> = new Set(['MODEL_UNAVAILABLE', 'DEVICE_LOST']);

const DEFAULT_CUT: Cut = { granularity: DEFAULT_SETTINGS.granularity, similarity: DEFAULT_SETTINGS.similarity };

/** The store of the explain page, as it was left. */
export function createExplainStore(options: ExplainStoreOptions, memory: Memory): ExplainStore {
  return createStore<ExplainState>()(
    persist(initialState(options), {
      name: 'lightwell.explain',
      storage: createKeptStorage(memory),
      partialize: keptIn,
      merge: (kept, current) => ({ ...current, ...opened(readKept(kept), options.shared ?? null) }),
    }),
  );
}

function initialState(options: ExplainStoreOptions): StateCreator<ExplainState> {
  let current: AbortController | null = null;
  return (set, get) => {
    const change = (question: Question, replaced: Question | null = null) => set({ question, replaced });
    const cancel = () => {
      current?.abort();
      current = null;
      const { phase, last: kept } = get();
      if (phase.kind === 'running') set({ phase: { kind: 'idle' }, last: phase.partial ?? kept });
    };
    const run = async () => {
      const asked = get().question;
      if (missingIn(asked)) return;
      cancel();
      const controller = new AbortController();
      current = controller;
      set({ phase: { kind: 'running', asked, progress: null, partial: null } });
      const answer = await ask(options, asked, controller.signal, (progress, partial) =>
        set({ phase: { kind: 'running', asked, progress, partial } }),
      );
      if (controller.signal.aborted) return;
      current = null;
      if ('problem' in answer) set({ phase: { kind: 'failed', problem: answer.problem } });
      else set({ phase: { kind: 'done', value: answer.outcome }, last: answer.outcome });
    };
    return {
      question: FIRST_QUESTION,
      phase: { kind: 'idle' },
      last: null,
      replaced: null,
      edit: (part) => change({ ...get().question, ...part }),
      adjust: (part) => change({ ...get().question, settings: { ...get().question.settings, ...part } }),
      take: async ({ picture, prompt, target, cut = DEFAULT_CUT }) => {
        const next = { picture: picture ? await picture() : null, prompt, target };
        const { question: before, replaced } = get();
        const example = { ...next, settings: { ...before.settings, ...cut } };
        change(example, isSameQuestion(example, before) ? replaced : before); // taken again, it has replaced nothing
      },
      undo: () => {
        const { replaced } = get();
        if (!replaced) return;
        cancel();
        change(replaced);
      },
      open: (shared) => {
        cancel();
        set(opened(get(), shared));
      },
      run,
      cancel,
      check: async (outcome, signal) =>
        (await import('./scores/cross-check.ts')).crossCheck(outcome, { ...options, signal }),
      modelReady: () => {
        const { phase } = get();
        if (phase.kind === 'failed' && OF_THE_MODEL.has(phase.problem.code)) set({ phase: { kind: 'idle' } });
      },
    };
  };
}

/** The kept state, with what a link holds in place of it, and with the last outcome only where it answers that question. */
function opened(
  { question, last }: Partial<Asked>,
  shared: Shared | null,
): Pick<ExplainState, 'question' | 'phase' | 'last' | 'replaced'> {
  const asked = { ...(question ?? FIRST_QUESTION), ...shared };
  const answer = last && (!shared || isSameQuestion(asked, last.question)) ? last : null;
  const phase: Phase = answer ? { kind: 'done', value: answer } : { kind: 'idle' };
  return { question: asked, phase, last: answer, replaced: null };
}

type OnPartial = (progress: Progress, partial: Outcome | null) => void;

/**
 * What the model says itself, then the explanation; progress is throttled, and a lost connection is a problem like any
 * other.
 */
export async function ask(
  { client, model }: Pick<ExplainStoreOptions, 'client' | 'model'>,
  question: Question,
  signal: AbortSignal,
  onPartial: OnPartial,
): Promise<{ outcome: Outcome } | { problem: Problem }> {
  let prediction: Prediction | null = null;
  const partials = createPartials();
  const throttle = createThrottle<Progress>((progress) => {
    const known = partials.all();
    onPartial(progress, known.length > 0 ? outcomeOf(question, known, null, prediction) : null);
  }, PARTIAL_INTERVAL_MS);
  const onProgress = (progress: Progress) => {
    if (signal.aborted) return;
    partials.add(progress.partial ?? []); // at once: the throttle drops progress
    throttle.push(progress);
  };
  try {
    const predicting = client.predict(predictBodyOf(question, model), { signal }).then((said) => {
      if (said.ok) prediction = said.value;
      return said;
    });
    const explaining = client.explain(requestOf(question, model), { signal, onProgress });
    const [said, answer] = await Promise.all([predicting, explaining]);
    if (!answer.ok) return { problem: answer.problem };
    if (!said.ok) return { problem: said.problem };
    const { explanations, model_version: version } = answer.value;
    return { outcome: outcomeOf(question, explanations, version, said.value) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: { status: 0, code: 'CONNECTION', message } };
  } finally {
    throttle.cancel();
  }
}

/** What the page draws: the newest partial result, else the last outcome of the same texts, else nothing yet. */
export function shownIn({ phase, last }: ExplainState): Outcome | null {
  if (phase.kind !== 'running') return last;
  const { asked, partial } = phase;
  return partial ?? (last && isSameText(last.question, asked) ? last : null);
}
