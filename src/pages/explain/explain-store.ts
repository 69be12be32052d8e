import { persist } from 'zustand/middleware';
import { createStore, type StateCreator, type StoreApi } from 'zustand/vanilla';
import type { ModelSource, Problem } from '../../client/client.ts';
import { isRecord } from '../../contract/records.ts';
import type { Progress } from '../../contract/progress.ts';
import { originalQuestion, type Outcome, persistedOutcome, readOutcome } from '../../explanations/outcome.ts';
import { EXAMPLES, PICTURE_SECTIONS, type QuestionDraft } from '../../explanations/examples.ts';
import {
  DEFAULT_QUESTION_SETTINGS,
  isSameQuestion,
  isSameText,
  missingIn,
  type Picture,
  type Question,
  readQuestion,
  type Settings,
  withoutPicture,
} from '../../explanations/question.ts';
import { asIs, type BufferedStorage, createFieldStorage } from '../../stores/buffered-storage.ts';
import { createLatest, type LatestCall, lostConnection } from '../../stores/latest-request.ts';
import { createTimeLeft } from '../../stores/status-stores.ts';

/** A link that was followed: always the settings of its question; prompt and target only where the sender has agreed. */
export type SharedLink = Question | Pick<Question, 'settings'> | 'unreadable';

type ExplainPhase =
  | { readonly kind: 'idle' }
  /** Cancelled before it was done; what was explained by then is the newest outcome. */
  | { readonly kind: 'stopped' }
  /** `written`: the model's own answer so far; `partial`: the sections explained so far. */
  | {
      readonly kind: 'running';
      readonly question: Question;
      readonly progress: Progress | null;
      readonly written: string;
      /** Null while that is unknown, and for short work. */
      readonly secondsLeft: number | null;
      readonly partial: Outcome | null;
    }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly problem: Problem };

interface ExplainSnapshot {
  readonly question: Question;
  /** Stays while another one is computed or has failed; incomplete after a cancel. */
  readonly outcome: Outcome | null;
}

/** The part of the state that a visit or a link sets. */
interface InitialState extends ExplainSnapshot {
  readonly phase: ExplainPhase;
  /** What an example or a link has replaced, until that is edited. */
  readonly replaced: ExplainSnapshot | null;
  /** The page runs the question by itself: it is that of a link, or the first of a first visit. */
  readonly runsAtOnce: boolean;
  /** The newest link holds no question; until the question changes. */
  readonly isLinkUnreadable: boolean;
}

interface ExplainState extends InitialState {
  edit(change: Partial<Pick<Question, 'picture' | 'prompt' | 'target'>>): void;
  adjust(change: Partial<Settings>): void;
  /** Puts an example, or a file, into the editors; settles when its picture is loaded too. */
  take(draft: QuestionDraft): Promise<void>;
  /** Puts back what was replaced, with its outcome. */
  undo(): void;
  /** Puts the question of a link into the editors; aborts a running request and removes the outcome of another question. */
  open(link: SharedLink): void;
  /** Requests the outcome of the question; an older request is aborted. Settles when this one, or a newer one, has ended. */
  run(): Promise<void>;
  /** Stops the request; the sections explained so far stay. */
  cancel(): void;
  /** The model can answer: a failure of the model is past, and no longer shown. */
  modelReady(): void;
}

/** Where the page's outcomes come from; the model is read at each request. */
export interface ExplainSource extends ModelSource<'complete' | 'evaluate' | 'explain' | 'predict'> {
  /** Address of the server that has the model; null or left out: it is loaded into the page. */
  readonly upstream?: string | null;
}

/** The question of a first visit. */
export const FIRST_QUESTION: Question = {
  picture: null,
  prompt: EXAMPLES[0].prompt,
  target: '',
  settings: DEFAULT_QUESTION_SETTINGS,
};

/** The store, as the page was left. @param link  that the page was opened with; its question is used instead */
export function createExplainStore(
  source: ExplainSource,
  memory: BufferedStorage,
  link: SharedLink | null = null,
): StoreApi<ExplainState> {
  return createStore<ExplainState>()(
    persist(createState(source), {
      name: 'lightwell.explain',
      storage: createFieldStorage<PersistedFields>(memory, {
        question: withoutPicture,
        picture: asIs,
        outcome: persistedOutcome,
        outcomePicture: asIs,
      }),
      partialize: persistedFields,
      merge: (stored, current) => ({ ...current, ...initialState(readPersisted(stored), link) }),
    }),
  );
}

/** What a new question resets. */
const NOTHING_OPENED = { runsAtOnce: false, isLinkUnreadable: false };

/** A question with other texts: a new target is read as the model expects, and a prompt is split as suits its picture. */
function edited(question: Question, part: Partial<Pick<Question, 'picture' | 'prompt' | 'target'>>): Question {
  const next = { ...question, ...part };
  const { settings } = next;
  const isFresh = next.target !== question.target;
  const hasChanged = (next.picture === null) !== (question.picture === null);
  const { granularity, similarity } = next.picture ? PICTURE_SECTIONS : DEFAULT_QUESTION_SETTINGS;
  return {
    ...next,
    settings: {
      ...settings,
      isTargetExact: settings.isTargetExact && !isFresh,
      ...(hasChanged && { granularity, similarity }),
    },
  };
}

/** Failures of the model, not of the question. */
const MODEL_FAILURES: ReadonlySet<string> = new Set(['MODEL_UNAVAILABLE', 'DEVICE_LOST']);

function createState(source: ExplainSource): StateCreator<ExplainState> {
  const latest = createLatest();
  return (set, get) => {
    const change = (question: Question, replaced: ExplainSnapshot | null = null) => {
      const { phase, outcome } = get();
      const isPast = phase.kind === 'failed'; // the problem was that of another question
      set({ question, replaced, ...NOTHING_OPENED, ...(isPast && { phase: idlePhase(outcome) }) });
    };
    const cancel = () => {
      latest.cancel();
      const { phase, outcome } = get();
      if (phase.kind === 'running') set({ phase: { kind: 'stopped' }, outcome: phase.partial ?? outcome });
    };
    return {
      ...initialState({}, null),
      edit: (part) => change(edited(get().question, part)),
      adjust: (part) => change({ ...get().question, settings: { ...get().question.settings, ...part } }),
      take: async ({ picture, prompt, target, cut }) => {
        const next = { picture: picture ? await picture() : null, prompt, target };
        const { question, outcome, replaced } = get();
        const { granularity, similarity } = cut ?? DEFAULT_QUESTION_SETTINGS;
        const taken = { ...next, settings: { ...question.settings, granularity, similarity } };
        // Taken again, it has replaced nothing.
        change(taken, isSameQuestion(taken, question) ? replaced : { question, outcome });
      },
      undo: () => {
        const { replaced } = get();
        if (!replaced) return;
        cancel();
        set({ ...replaced, replaced: null, phase: idlePhase(replaced.outcome) });
      },
      open: (link) => {
        if (link === 'unreadable') return set({ isLinkUnreadable: true });
        cancel();
        set(initialState(get(), link));
      },
      run: async () => {
        const { question } = get();
        if (missingIn(question)) return;
        cancel();
        set(NOTHING_OPENED);
        await runQuestion(question, source, latest, (phase) =>
          set({ phase, ...(phase.kind === 'done' && { outcome: phase.outcome }) }),
        );
      },
      cancel,
      modelReady: () => {
        const { phase } = get();
        if (phase.kind === 'failed' && MODEL_FAILURES.has(phase.problem.code)) set({ phase: { kind: 'idle' } });
      },
    };
  };
}

/**
 * Requests the outcome of a question, and aborts the older request of `latest`. Settles when this request, or a newer one,
 * has ended.
 *
 * @param onPhase  is called with each phase, until the request is aborted
 */
export async function runQuestion(
  question: Question,
  source: ExplainSource,
  latest: ReturnType<typeof createLatest>,
  onPhase: (phase: ExplainPhase) => void,
): Promise<void> {
  let written = '';
  const timeLeft = createTimeLeft();
  const running = (progress: Progress | null, partial: Outcome | null) =>
    onPhase({ kind: 'running', question, progress, written, secondsLeft: timeLeft(progress), partial });
  running(null, null);
  const response = await latest.run({
    async request({ signal, onProgress }: LatestCall<[Progress | null, Outcome | null]>) {
      const { requestExplanation } = await import('../../explanations/request.ts'); // not in the page's first script
      signal.throwIfAborted();
      const { client, model, upstream = null } = source;
      return requestExplanation(client, question, {
        model,
        upstream,
        signal,
        onProgress,
        onWritten(text) {
          written = text;
          onProgress(null, null);
        },
      });
    },
    onProgress: running,
    onError: lostConnection,
  });
  if (response)
    onPhase(response.ok ? { kind: 'done', outcome: response.value } : { kind: 'failed', problem: response.problem });
}

/** What the page draws: the newest partial outcome, else the newest of the same texts, else nothing yet. */
export function shownOutcome({ phase, outcome }: ExplainState): Outcome | null {
  if (phase.kind !== 'running') return outcome;
  const { question, partial } = phase;
  return partial ?? (outcome && isSameText(originalQuestion(outcome), question) ? outcome : null);
}

/** The phase of a page on which nothing runs. */
function idlePhase(outcome: Outcome | null): ExplainPhase {
  return isComplete(outcome) ? { kind: 'done', outcome } : { kind: 'idle' };
}

function isComplete(outcome: Outcome | null): outcome is Outcome {
  return outcome !== null && outcome.modelVersion !== null;
}

/** The page as it was left, with the question of a link; then the outcome stays only where it is that of this question. */
export function initialState(stored: Partial<ExplainSnapshot>, link: SharedLink | null): InitialState {
  const { question: before, outcome = null } = stored;
  const question = before ?? FIRST_QUESTION;
  if (link === null || link === 'unreadable') {
    const isLinkUnreadable = link === 'unreadable';
    const runsAtOnce = !before && !isLinkUnreadable;
    return { question, phase: idlePhase(outcome), outcome, replaced: null, runsAtOnce, isLinkUnreadable };
  }
  const linked = { ...question, ...link };
  const known = isComplete(outcome) && isSameQuestion(linked, originalQuestion(outcome)) ? outcome : null;
  return {
    question: linked,
    phase: idlePhase(known),
    outcome: known,
    replaced: before && !isSameQuestion(linked, before) ? { question: before, outcome } : null,
    runsAtOnce: known === null,
    isLinkUnreadable: false,
  };
}

/** What survives a reload. Pictures have fields of their own, so that they are stored only when they change. */
interface PersistedFields {
  readonly question: Question;
  readonly picture: Picture | null;
  /** Undefined leaves the older one. */
  readonly outcome: Outcome | null | undefined;
  readonly outcomePicture: Picture | null | undefined;
}

/** Reading and writing storage blocks the page; an outcome of more scores is computed again. */
const MAX_PERSISTED_SCORES = 5000;

/** An incomplete outcome is not stored: the older one stays. */
function persistedFields({ question, outcome }: ExplainSnapshot): PersistedFields {
  const { picture } = question;
  if (outcome?.modelVersion === null) return { question, picture, outcome: undefined, outcomePicture: undefined };
  const small = outcome && isSmall(outcome) ? outcome : null;
  return { question, picture, outcome: small, outcomePicture: small && small.question.picture };
}

function isSmall({ influence }: Outcome): boolean {
  return influence.sections.length * influence.targets.length <= MAX_PERSISTED_SCORES;
}

/** The valid part of stored values; a damaged question or outcome is left out. */
function readPersisted(stored: unknown): Partial<ExplainSnapshot> {
  if (!isRecord(stored)) return {};
  const question = readQuestion(stored['question'], stored['picture']);
  return { ...(question && { question }), outcome: readOutcome(stored['outcome'], stored['outcomePicture']) };
}
