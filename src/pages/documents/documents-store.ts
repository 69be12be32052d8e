import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Problem } from '../../client/client.ts';
import { type CodePointMap, codePointMap } from '../../contract/code-points.ts';
import type { QaFound } from '../../contract/qa.ts';
import type { Progress } from '../../contract/progress.ts';
import { createLatest, type LatestCall, problemOf } from '../../stores/latest-request.ts';
import { createThrottle } from '../../stores/buffered-storage.ts';
import {
  answersIn,
  canAsk,
  type DocumentAnswer,
  isShown,
  type ListedDocument,
  type QaSession,
  type ReadyDocument,
  readyIn,
} from './answers.ts';
import { type ReadDocument, type ReadOptions, joinLines } from '../../files/document.ts';

/** Interval between updates of the answers while documents are read, ms. */
const SHOW_INTERVAL_MS = 200;

const MAX_ANSWERS = 20;

type AskPhase =
  | { readonly kind: 'idle' }
  /** `isReading` while it waits for files to be read. */
  | { readonly kind: 'running'; readonly isReading: boolean; readonly progress: Progress | null }
  /** Cancelled; the answers found until then remain. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The documents page. It is not stored. */
interface DocumentsState {
  readonly list: readonly ListedDocument[];
  /** Removed entries with their index, the newest last; cleared when files are added. */
  readonly removed: readonly { readonly entry: ListedDocument; readonly index: number }[];
  readonly question: string;
  /** Questions that were asked, the newest first, each once. */
  readonly history: readonly string[];
  /** By the id of a document, questions that it answers; nothing before `suggest` has searched it. */
  readonly suggestions: ReadonlyMap<number, readonly string[]>;
  readonly phase: AskPhase;
  readonly asked: QaSession | null;
  readonly chosen: DocumentAnswer | null;
  /** Id of the document that is shown: the first that was read, unless the user chose one. */
  readonly shown: number | null;
  /** Reads files; the list shows which cannot be read. Settles when all are read. */
  add(files: readonly File[]): Promise<void>;
  remove(id: number): void;
  /** Adds an example contract and asks its first question. */
  takeExample(): Promise<void>;
  /** Finds questions that a document answers, one after the other, once. Settles when all are found. */
  suggest(id: number, signal: AbortSignal): Promise<void>;
  undo(): void;
  edit(question: string): void;
  /** Asks all documents after they have been read; an older request is aborted. Settles with the answer. */
  ask(): Promise<void>;
  cancel(): void;
  choose(answer: DocumentAnswer): void;
  show(id: number): void;
}

type Store = StoreApi<DocumentsState>;

const readLater: ReadFile = async (file, options) => (await import('../../files/read-file.ts')).readFile(file, options);

/** A page without documents. @param readFile  default: `readFile` of `files/read-file.ts`, loaded with the first file */
export function createDocumentsStore(client: Pick<Client, 'qa'>, readFile: ReadFile = readLater): Store {
  const reading = new Set<Promise<void>>();
  return createStore<DocumentsState>()((set, _, store) => ({
    list: [],
    removed: [],
    question: '',
    history: [],
    suggestions: new Map(),
    phase: { kind: 'idle' },
    asked: null,
    chosen: null,
    shown: null,
    ...createListing(readFile, reading, store),
    edit: (question) => set({ question }),
    ...createAsking(client, reading, store),
    ...createSuggesting(client, store),
    choose: (chosen) => set({ chosen, shown: chosen.document }),
    show: (shown) => set({ shown }),
  }));
}

function createSuggesting(
  client: Pick<Client, 'qa'>,
  { setState: set, getState: get }: Store,
): Pick<DocumentsState, 'takeExample' | 'suggest'> {
  const put = (id: number, questions: readonly string[]) =>
    set(({ suggestions }) => ({ suggestions: new Map(suggestions).set(id, questions) }));
  return {
    async takeExample() {
      const { exampleContract } = await import('./example.ts');
      const { file, questions } = exampleContract();
      const { add, edit, ask } = get();
      edit(questions[0]);
      await add([file]);
      const added = get().list.find((entry) => entry.file === file);
      if (added) put(added.id, questions);
      await ask();
    },
    async suggest(id, signal) {
      const document = readyIn(get().list).find((ready) => ready.id === id)?.document;
      if (!document || get().suggestions.has(id)) return;
      const { suggestedQuestions } = await import('./suggested-questions.ts');
      const found: string[] = [];
      for await (const question of suggestedQuestions(client, document.text, signal)) {
        found.push(question);
        put(id, found.slice());
      }
      put(id, found); // also where there are none
    },
  };
}

/** @param reading  set of the files that are being read */
function createListing(
  readFile: ReadFile,
  reading: Set<Promise<void>>,
  store: Store,
): Pick<DocumentsState, 'add' | 'remove' | 'undo'> {
  const { setState: set, getState: get } = store;
  let newest = 0;
  const reader = createReader(readFile, store);
  const read = async ({ id }: ListedDocument) => {
    const ended = reader.read(id);
    reading.add(ended);
    await ended;
    reading.delete(ended);
  };
  return {
    async add(files) {
      const reading = { kind: 'reading', share: null } as const;
      const added = files.map((file) => ({ id: ++newest, file, reading }));
      set(({ list }) => ({ list: [...list, ...added], removed: [] }));
      await Promise.all(added.map(read));
    },
    remove(id) {
      const { list, removed, shown } = get();
      const index = list.findIndex((entry) => entry.id === id);
      const entry = list[index];
      if (!entry) return;
      reader.cancel(id);
      const others = list.toSpliced(index, 1);
      set({
        list: others,
        removed: [...removed, { entry, index }],
        shown: shown === id ? (readyIn(others)[0]?.id ?? null) : shown,
      });
    },
    undo() {
      const { list, removed, shown } = get();
      const last = removed.at(-1);
      if (!last) return;
      const { entry, index } = last;
      set({ list: list.toSpliced(index, 0, entry), removed: removed.slice(0, -1), shown: shown ?? entry.id });
      void read(entry);
    },
  };
}

/** @param reading  files to wait for */
function createAsking(
  client: Pick<Client, 'qa'>,
  reading: ReadonlySet<Promise<void>>,
  { setState: set, getState: get }: Store,
): Pick<DocumentsState, 'ask' | 'cancel'> {
  const latest = createLatest();
  const ask = async () => {
    const { list, history, question: typed } = get();
    const question = typed.trim();
    if (question === '' || !canAsk(list)) return;
    set({
      phase: { kind: 'running', isReading: reading.size > 0, progress: null },
      asked: null,
      chosen: null,
      history: [question, ...history.filter((earlier) => earlier !== question)],
    });
    const phase = await latest.run<AskPhase, [Part]>({
      async request(call) {
        while (reading.size > 0) await Promise.all(reading);
        call.signal.throwIfAborted();
        return answerFrom(client, question, readyIn(get().list), call);
      },
      onProgress: set,
      onError: (error) => ({ kind: 'failed', problem: problemOf(error) }),
    });
    if (!phase) return;
    const [best] = answersIn(get());
    const isFound = phase.kind === 'done' && best !== undefined && isShown(best);
    set({ phase, ...(isFound && { chosen: best, shown: best.document }) });
  };
  const cancel = () => {
    latest.cancel();
    if (get().phase.kind === 'running') set({ phase: { kind: 'stopped' } });
  };
  return { ask, cancel };
}

type Part = Pick<DocumentsState, 'asked' | 'phase'>;

async function answerFrom(
  client: Pick<Client, 'qa'>,
  question: string,
  documents: readonly ReadyDocument[],
  { signal, onProgress }: LatestCall<[Part]>,
): Promise<AskPhase> {
  const collection = createAnswerCollection(documents);
  const ids = new Set(documents.map(({ id }) => id));
  let newest: Progress | null = null;
  const show = () => {
    const read = newest?.phase === 'run' ? { done: newest.done, total: newest.total } : null;
    const phase = { kind: 'running', isReading: false, progress: newest } as const;
    onProgress({ phase, asked: { question, answers: collection.ranked(), read, documents: ids } });
  };
  show();
  const throttle = createThrottle(show, SHOW_INTERVAL_MS);
  const onFound = (progress: Progress) => {
    collection.add(progress.found ?? []); // immediately, because the throttle drops progress
    newest = progress;
    throttle.push();
  };
  const body = {
    query: question,
    documents: documents.map(({ document }) => ({ text: joinLines(document) })),
    max_answers: MAX_ANSWERS,
  };
  try {
    const answer = await client.qa(body, { signal, onProgress: onFound });
    throttle.flush();
    return answer.ok ? { kind: 'done' } : { kind: 'failed', problem: answer.problem };
  } finally {
    throttle.cancel();
  }
}

/** Ranks answers as they arrive by score, then by position. @param documents  of the request, in its order */
export function createAnswerCollection(documents: readonly ReadyDocument[]) {
  const answers: DocumentAnswer[] = [];
  const maps = new Map<number, CodePointMap>();
  const orderOf = new Map(documents.map(({ id }, index) => [id, index]));
  return {
    add(found: readonly QaFound[]): void {
      for (const { document: index, score, answer, sentence, evidence } of found) {
        const ready = documents[index];
        if (!ready) continue;
        const map = maps.get(index) ?? codePointMap(ready.document.text);
        maps.set(index, map);
        const { toUtf16 } = map;
        const passage = toUtf16(evidence);
        // An answer that a model writes has no position in the text: its passage is shown.
        const spans = { answer: answer ? toUtf16(answer) : passage, sentence: sentence ? toUtf16(sentence) : passage };
        answers.push({ document: ready.id, score, ...spans, passage });
      }
    },
    ranked: (): DocumentAnswer[] =>
      answers.toSorted(
        (a, b) =>
          b.score - a.score ||
          (orderOf.get(a.document) ?? 0) - (orderOf.get(b.document) ?? 0) ||
          a.passage.start - b.passage.start,
      ),
  };
}

type ReadFile = (file: File, options: ReadOptions) => Promise<ReadDocument>;

type Reading = ListedDocument['reading'];

/** Reads files one after the other, and puts their state into the list. */
function createReader(readFile: ReadFile, { setState: set, getState: get }: Store) {
  const latest = createLatest();
  let current: { readonly id: number; readonly ended: Promise<void> } | null = null;
  const update = (id: number, reading: Reading) =>
    set(({ list, shown }) => ({
      list: list.map((entry) => (entry.id === id ? { ...entry, reading } : entry)),
      shown: shown === null && reading.kind === 'ready' ? id : shown,
    }));
  const readNow = async ({ id, file }: ListedDocument) => {
    const result = await latest.run<Reading, [number, number]>({
      request: async (call) => ({ kind: 'ready', document: await readFile(file, call) }),
      onProgress: (done, total) => update(id, { kind: 'reading', share: done / total }),
      onError: unreadable,
    });
    if (result) update(id, result);
  };
  return {
    async read(id: number): Promise<void> {
      while (current) await current.ended;
      const entry = get().list.find((one) => one.id === id);
      if (entry?.reading.kind !== 'reading') return; // removed, or restored and read meanwhile
      current = { id, ended: readNow(entry) };
      await current.ended;
      current = null;
    },
    /** Stops reading the file if it is being read. */
    cancel(id: number): void {
      if (current?.id === id) latest.cancel();
    },
  };
}

async function unreadable(error: unknown): Promise<Reading> {
  const { UnreadableFile } = await import('../../files/document.ts');
  if (error instanceof UnreadableFile) return { kind: 'unreadable', problem: error.problem };
  console.error(error); // not the file's fault, such as a script that could not be loaded
  return { kind: 'unreadable', problem: 'unread' };
}
