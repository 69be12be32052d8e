import { persist } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../client/client.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Memory } from '../storage/memory.ts';
import { createThrottle } from '../storage/throttle.ts';
import type { CrossCheck } from './scores/cross-check.ts';
import type { Cut, Draft } from './examples.ts';
import { type Asked, createKeptStorage, keptIn, readKept } from './kept.ts';
import { followed, NOT_OPENED, type Opened, restingOn, visited } from './opening/opened.ts';
import type { SharedLink } from './opening/share-link.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Question, Settings } from './question.ts';
import { createPartials } from './partials.ts';
import { type Prediction, predictBodyOf } from './prediction.ts';
import { DEFAULT_SETTINGS, isSameQuestion, isSameText, budgetOf, missingIn, requestOf } from './question.ts';

/** Partial results are shown at most this often, so that drawing them never blocks the page. */
export const PARTIAL_INTERVAL_MS = 150;

/** The explain page. */
export interface ExplainState extends Opened {
  edit(change: Partial<Pick<Question, 'picture' | 'prompt' | 'target'>>): void;
  adjust(change: Partial<Settings>): void;
  /** Puts an example, or a file, into the editors; settles when its picture is loaded too. */
  take(draft: Draft): Promise<void>;
  /** Puts back what was replaced, with its result. */
  undo(): void;
  /** Puts the question of a link into the editors; aborts a running request and removes the result of another question. */
  open(link: SharedLink): void;
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
  /** What a link brings; its question is used instead of the stored one. */
  readonly shared?: SharedLink | null;
}

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
      merge: (kept, current) => ({ ...current, ...visited(readKept(kept), options.shared ?? null) }),
    }),
  );
}

type SetState = StoreApi<ExplainState>['setState'];
type GetState = StoreApi<ExplainState>['getState'];

/** The page's one request. */
function createRequest(
  options: ExplainStoreOptions,
  set: SetState,
  get: GetState,
): Pick<ExplainState, 'run' | 'cancel'> {
  let current: AbortController | null = null;
  const cancel = () => {
    current?.abort();
    current = null;
    const { phase, last: kept } = get();
    if (phase.kind === 'running') set({ phase: { kind: 'stopped' }, last: phase.partial ?? kept });
  };
  const run = async () => {
    const asked = get().question;
    if (missingIn(asked)) return;
    cancel();
    const controller = new AbortController();
    current = controller;
    set({ phase: { kind: 'running', asked, progress: null, partial: null }, ...NOT_OPENED });
    const answer = await ask(options, asked, controller.signal, (progress, partial) =>
      set({ phase: { kind: 'running', asked, progress, partial } }),
    );
    if (controller.signal.aborted) return;
    current = null;
    if ('problem' in answer) set({ phase: { kind: 'failed', problem: answer.problem } });
    else set({ phase: { kind: 'done', value: answer.outcome }, last: answer.outcome });
  };
  return { run, cancel };
}

function initialState(options: ExplainStoreOptions): StateCreator<ExplainState> {
  return (set, get) => {
    const { run, cancel } = createRequest(options, set, get);
    const change = (question: Question, replaced: Asked | null = null) => {
      const { phase, last } = get();
      const isPast = phase.kind === 'failed'; // the problem was that of another question
      set({ question, replaced, ...NOT_OPENED, ...(isPast && { phase: restingOn(last) }) });
    };
    return {
      ...visited({}, null),
      edit: (part) => change({ ...get().question, ...part }),
      adjust: (part) => change({ ...get().question, settings: { ...get().question.settings, ...part } }),
      take: async ({ picture, prompt, target, cut = DEFAULT_CUT }) => {
        const next = { picture: picture ? await picture() : null, prompt, target };
        const { question: before, last, replaced } = get();
        const example = { ...next, settings: { ...before.settings, ...cut } };
        // Taken again, it has replaced nothing.
        change(example, isSameQuestion(example, before) ? replaced : { question: before, last });
      },
      undo: () => {
        const { replaced } = get();
        if (!replaced) return;
        cancel();
        const { question, last } = replaced;
        set({ question, last, replaced: null, phase: restingOn(last) });
      },
      open: (link) => {
        if (link === 'unreadable') return set({ isLinkUnreadable: true });
        cancel();
        set(followed(get(), link));
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
    const budget = budgetOf(question);
    const options = { signal, onProgress, ...(budget && { budget }) };
    const explaining = client.explain(requestOf(question, model), options);
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
