import { createStore, type StoreApi } from 'zustand/vanilla';
import { joinedLines } from '../../files/joined-lines.ts';
import type { Client, Problem } from '../../client/client.ts';
import type { Progress } from '../../contract/progress.ts';
import { createThrottle } from '../storage/throttle.ts';
import { type Answer, createCollection, NO_ANSWER } from './answers.ts';
import { canAsk, type Listed, readyIn, type ReadyDocument } from './listed.ts';
import { createReadingQueue, type ReadFile } from './reading-queue.ts';

/** Answers are shown at most this often while documents are read, ms. */
export const SHOW_INTERVAL_MS = 200;

/** Answers of a response at most; where each answer stands is told of all of them. */
const MOST_ANSWERS = 20;

/** The question that was asked last, and what has come of it. */
export interface Asked {
  readonly question: string;
  /** Best first; of documents that have been removed too, so that an undo brings them back. */
  readonly answers: readonly Answer[];
  /** Passages that were read, and how many there are; null while that is not known. */
  readonly read: { readonly done: number; readonly total: number } | null;
  /** Ids of the documents that were asked. */
  readonly documents: ReadonlySet<number>;
}

/** The one request of the page. */
export type AskPhase =
  | { readonly kind: 'idle' }
  /** First the files that are still being read are waited for. */
  | { readonly kind: 'running'; readonly isReading: boolean; readonly progress: Progress | null }
  /** Cancelled; the answers found by then stay. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The documents page. Nothing of it is kept when the page is left. */
export interface DocumentsState {
  readonly list: readonly Listed[];
  /** What was removed, and where it stood, the newest last; forgotten when something is added. */
  readonly removed: readonly { readonly entry: Listed; readonly place: number }[];
  readonly question: string;
  /** Questions that were asked, the newest first, each once. */
  readonly history: readonly string[];
  /** Questions to try with the example; none where there are documents of the user. */
  readonly suggestions: readonly string[];
  readonly phase: AskPhase;
  readonly asked: Asked | null;
  /** The answer that is shown in its document. */
  readonly chosen: Answer | null;
  /** The document that is shown; the first one that is read where nothing was chosen. */
  readonly shown: number | null;
  /** Reads files; what cannot be read says so in the list. Settles when all are read. */
  add(files: readonly File[]): Promise<void>;
  remove(id: number): void;
  /** Adds a contract to try the page with, and asks its first question. */
  takeExample(): Promise<void>;
  /** Puts back what was removed last. */
  undo(): void;
  edit(question: string): void;
  /** Asks all documents, once they are read; an older request is aborted. Settles with its answer. */
  ask(): Promise<void>;
  cancel(): void;
  choose(answer: Answer): void;
  show(id: number): void;
}
export type DocumentsStore = StoreApi<DocumentsState>;

/** What the page's store needs. */
export interface DocumentsStoreOptions {
  readonly client: Pick<Client, 'qa'>;
  /** Default: the reader of the page, which loads with the first file. */
  readonly readFile?: ReadFile;
}

type SetState = StoreApi<DocumentsState>['setState'];
type GetState = StoreApi<DocumentsState>['getState'];

const readLater: ReadFile = async (file, options) => (await import('../../files/read-file.ts')).readFile(file, options);

/** A page without documents. */
export function createDocumentsStore({ client, readFile = readLater }: DocumentsStoreOptions): DocumentsStore {
  const reading = new Set<Promise<void>>();
  return createStore<DocumentsState>()((set, get) => ({
    ...{ list: [], removed: [], question: '', history: [], suggestions: [] },
    ...{ phase: { kind: 'idle' }, asked: null, chosen: null, shown: null },
    ...createListing(readFile, reading, set, get),
    edit: (question) => set({ question }),
    ...createAsking(client, reading, set, get),
    async takeExample() {
      const { EXAMPLE_QUESTIONS, exampleContract } = await import('./example.ts');
      const { add, edit, ask } = get();
      edit(EXAMPLE_QUESTIONS[0]);
      await add([exampleContract()]);
      set({ suggestions: EXAMPLE_QUESTIONS });
      await ask();
    },
    choose: (chosen) => set({ chosen, shown: chosen.document }),
    show: (shown) => set({ shown }),
  }));
}

/** @param reading  gets what is read, until it is */
function createListing(
  readFile: ReadFile,
  reading: Set<Promise<void>>,
  set: SetState,
  get: GetState,
): Pick<DocumentsState, 'add' | 'remove' | 'undo'> {
  let newest = 0;
  const queue = createReadingQueue(readFile, (id, reading) =>
    set(({ list, shown }) => ({
      list: list.map((entry) => (entry.id === id ? { ...entry, reading } : entry)),
      ...(shown === null && reading.kind === 'ready' && { shown: id }),
    })),
  );
  const read = async (entry: Listed) => {
    if (entry.reading.kind !== 'reading') return;
    const ended = queue.add(entry);
    reading.add(ended);
    await ended;
    reading.delete(ended);
  };
  return {
    async add(files) {
      const added = files.map((file): Listed => ({ id: ++newest, file, reading: { kind: 'reading', share: null } }));
      set(({ list }) => ({ list: [...list, ...added], removed: [], suggestions: [] }));
      await Promise.all(added.map(read));
    },
    remove(id) {
      const { list, removed, shown } = get();
      const place = list.findIndex((entry) => entry.id === id);
      const entry = list[place];
      if (!entry) return;
      queue.drop(id);
      const left = list.toSpliced(place, 1);
      set({
        list: left,
        removed: [...removed, { entry, place }],
        ...(shown === id && { shown: readyIn(left)[0]?.id ?? null }),
      });
    },
    undo() {
      const { list, removed, shown } = get();
      const last = removed.at(-1);
      if (!last) return;
      const { entry, place } = last;
      set({ list: list.toSpliced(place, 0, entry), removed: removed.slice(0, -1), shown: shown ?? entry.id });
      void read(entry);
    },
  };
}

/** Answers of documents that are in the list. */
export function answersIn({ asked, list }: Pick<DocumentsState, 'asked' | 'list'>): readonly Answer[] {
  const ids = new Set(list.map(({ id }) => id));
  return (asked?.answers ?? []).filter(({ document }) => ids.has(document));
}

/** Documents that could be asked and were not, because they came later. */
export function unaskedIn({ asked, list }: Pick<DocumentsState, 'asked' | 'list'>): number {
  return asked ? readyIn(list).filter(({ id }) => !asked.documents.has(id)).length : 0;
}

/** @param reading  files that are waited for */
function createAsking(
  client: Pick<Client, 'qa'>,
  reading: ReadonlySet<Promise<void>>,
  set: SetState,
  get: GetState,
): Pick<DocumentsState, 'ask' | 'cancel'> {
  let current: AbortController | null = null;
  const cancel = () => {
    current?.abort();
    current = null;
    if (get().phase.kind === 'running') set({ phase: { kind: 'stopped' } });
  };
  const ask = async () => {
    const { list, history, question: typed } = get();
    const question = typed.trim();
    if (question === '' || !canAsk(list)) return;
    cancel();
    const controller = new AbortController();
    current = controller;
    set({
      ...{ phase: { kind: 'running', isReading: reading.size > 0, progress: null }, asked: null, chosen: null },
      history: [question, ...history.filter((each) => each !== question)],
    });
    while (reading.size > 0) await Promise.all(reading);
    if (current !== controller) return;
    const documents = readyIn(get().list);
    const phase = await answered(client, { question, documents, signal: controller.signal }, (part) => set(part));
    if (current !== controller) return;
    current = null;
    const [best] = answersIn(get());
    const isClear = phase.kind === 'done' && best !== undefined && best.score >= NO_ANSWER;
    set({ phase, ...(isClear && { chosen: best, shown: best.document }) });
  };
  return { ask, cancel };
}

interface Request {
  readonly question: string;
  readonly documents: readonly ReadyDocument[];
  readonly signal: AbortSignal;
}

type OnPart = (part: Partial<Pick<DocumentsState, 'asked' | 'phase'>>) => void;

/** Shows answers as they are found; a lost connection is a problem like any other. */
async function answered(
  client: Pick<Client, 'qa'>,
  { question, documents, signal }: Request,
  onPart: OnPart,
): Promise<AskPhase> {
  const collection = createCollection(documents);
  const ids = new Set(documents.map(({ id }) => id));
  let newest: Progress | null = null;
  const show = () => {
    const read = newest?.phase === 'run' ? { done: newest.done, total: newest.total } : null;
    const phase = { kind: 'running', isReading: false, progress: newest } as const;
    onPart({ phase, asked: { question, answers: collection.ranked(), read, documents: ids } });
  };
  show();
  const throttle = createThrottle(show, SHOW_INTERVAL_MS);
  const onProgress = (progress: Progress) => {
    if (signal.aborted) return;
    collection.add(progress.found ?? []); // at once: the throttle drops progress
    newest = progress;
    throttle.push();
  };
  const body = {
    query: question,
    documents: documents.map(({ document }) => ({ text: joinedLines(document) })),
    max_answers: MOST_ANSWERS,
  };
  try {
    const answer = await client.qa(body, { signal, onProgress });
    throttle.flush();
    return answer.ok ? { kind: 'done' } : { kind: 'failed', problem: answer.problem };
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', problem: { status: 0, code: 'CONNECTION', message } };
  } finally {
    throttle.cancel();
  }
}
