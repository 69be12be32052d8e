import { createStore, type StoreApi } from 'zustand/vanilla';
import type { NamedRows } from '../../files/table/csv.ts';
import type { Memory } from '../storage/memory.ts';
import { embedDocuments, type EmbeddingClient } from './embedding.ts';
import { EXAMPLE_COMMENTS } from './example-comments.ts';
import type { Pace } from './pace.ts';
import { likelyColumn, type Split, tableOf, tableOfColumn, tableOfFiles, textsIn, type TextTable } from './texts.ts';

/** A table that was opened; one of its columns holds the texts. */
export interface OpenedRows extends NamedRows {
  readonly kind: 'rows';
  /** Name of the file. */
  readonly name: string;
  /** The column with the texts. */
  readonly column: string;
}

/** Files that were opened, or a long text that was pasted: too long to be edited in a field. */
export interface OpenedFiles {
  readonly kind: 'files';
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** What the user has given, before it is read. */
export interface InputState {
  readonly text: string;
  readonly split: Split;
  /** In place of the text; null: the text counts. */
  readonly opened: OpenedRows | OpenedFiles | null;
  /** What was opened and closed again, for undo; null: nothing, or something else was opened since. */
  readonly closed: OpenedRows | OpenedFiles | null;
  /** Whether the device's pace is known, so that a time can be told. */
  readonly isPaceKnown: boolean;
  write(text: string): void;
  splitBy(split: Split): void;
  openRows(name: string, rows: NamedRows): void;
  openFiles(files: OpenedFiles['files'], split: Split): void;
  chooseColumn(column: string): void;
  close(): void;
  reopen(): void;
  /** The texts as they would be read now. */
  table(): TextTable;
  /** Measures the device's pace on a few short texts, once. */
  measurePace(): Promise<void>;
}
export type InputStore = StoreApi<InputState>;

/** What an input needs. */
export interface InputOptions {
  readonly client: EmbeddingClient;
  readonly pace: Pace;
  readonly memory: Memory;
}

const SPLIT_KEY = 'lightwell.meaning.split';
const TEXT_KEY = 'lightwell.meaning.text';
/** Characters that survive a reload; a longer text would fill the storage that all pages share. Files that are opened do not. */
const MOST_KEPT = 200_000;
/** Texts that the pace is measured on. */
const PROBE = 8;

/** An empty input. */
export function createInputStore({ client, pace, memory }: InputOptions): InputStore {
  let measuring: Promise<void> | null = null;
  return createStore<InputState>((set, get) => {
    const probe = async () => {
      const { signal } = new AbortController();
      const texts = EXAMPLE_COMMENTS.slice(0, 2 * PROBE).map(({ text }) => text);
      // The first call waits for the model to be loaded, which later ones do not.
      const warm = await embedDocuments(client, texts.slice(0, PROBE), signal);
      const began = performance.now();
      const measured = texts.slice(PROBE);
      const answer = warm.ok ? await embedDocuments(client, measured, signal) : warm;
      if (!answer.ok) return; // whoever reads texts is told why
      pace.take(measured, performance.now() - began);
      set({ isPaceKnown: true });
    };
    return {
      text: memory.getItem(TEXT_KEY) ?? '',
      split: memory.getItem(SPLIT_KEY) === 'paragraph' ? 'paragraph' : 'line',
      opened: null,
      closed: null,
      isPaceKnown: pace.current() !== null,
      write(text) {
        if (text === '' || text.length > MOST_KEPT) memory.removeItem(TEXT_KEY);
        else memory.setItem(TEXT_KEY, text);
        set({ text });
      },
      splitBy(split) {
        memory.setItem(SPLIT_KEY, split);
        set({ split });
      },
      openRows: (name, rows) =>
        set({ opened: { kind: 'rows', ...rows, name, column: likelyColumn(rows) }, closed: null }),
      openFiles: (files, split) => set({ opened: { kind: 'files', files }, split, closed: null }),
      chooseColumn(column) {
        const { opened } = get();
        if (opened?.kind === 'rows') set({ opened: { ...opened, column } });
      },
      close: () => set(({ opened }) => ({ opened: null, closed: opened })),
      reopen: () => set(({ closed }) => ({ opened: closed, closed: null })),
      table() {
        const { opened, text, split } = get();
        if (opened?.kind === 'rows') return tableOfColumn(opened, opened.column);
        return opened ? tableOfFiles(opened.files, split) : tableOf(textsIn(text, split));
      },
      measurePace() {
        if (!get().isPaceKnown) measuring ??= probe();
        return measuring ?? Promise.resolve();
      },
    };
  });
}
