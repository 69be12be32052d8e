import { createStore, type StoreApi } from 'zustand/vanilla';
import { type EmbeddingClient, embedDocuments, type EmbedSpeed, type TextTable } from './collection-store.ts';
import { EXAMPLE_TABLE } from './example-comments.ts';
import type { NamedRows } from '../../files/table/csv.ts';
import type { BufferedStorage } from '../../stores/buffered-storage.ts';

type Split = 'line' | 'paragraph';

/** An opened table; one of its columns contains the texts. */
interface OpenedRows extends NamedRows {
  readonly kind: 'rows';
  readonly name: string;
  /** The column with the texts. */
  readonly column: string;
}

/** Opened files, or a pasted text that is too long to be edited in a field. */
interface OpenedFiles {
  readonly kind: 'files';
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** The input of the user. */
export interface InputState {
  readonly text: string;
  readonly split: Split;
  /** Used instead of the text; null: the text is used. */
  readonly opened: OpenedRows | OpenedFiles | null;
  /** The last `opened` after it was closed, for undo; null once something else is opened. */
  readonly closed: OpenedRows | OpenedFiles | null;
  /** Whether the speed of the device is known, so that times can be estimated. */
  readonly isSpeedKnown: boolean;
  write(text: string): void;
  splitBy(split: Split): void;
  openRows(name: string, rows: NamedRows): void;
  openFiles(files: OpenedFiles['files'], split: Split): void;
  chooseColumn(column: string): void;
  close(): void;
  reopen(): void;
  table(): TextTable;
  /** Measures the speed of the device on a few short texts, once. */
  measureSpeed(): Promise<void>;
}

const SPLIT_KEY = 'lightwell.meaning.split';
const TEXT_KEY = 'lightwell.meaning.text';
/** Longest text that is stored: a longer one would fill the storage that all pages share. Opened files are not stored. */
const MAX_PERSISTED = 200_000;
/** Number of texts to measure the speed on. */
const PROBE = 8;

/** An empty input. */
export function createInputStore(
  client: EmbeddingClient,
  speed: EmbedSpeed,
  memory: BufferedStorage,
): StoreApi<InputState> {
  let measuring: Promise<void> | null = null;
  return createStore<InputState>((set, get) => {
    const probe = async () => {
      const { texts } = EXAMPLE_TABLE;
      const warm = await embedDocuments(client, texts.slice(0, PROBE)); // waits until the model is loaded
      const began = performance.now();
      const measured = texts.slice(PROBE, 2 * PROBE);
      const answer = warm.ok ? await embedDocuments(client, measured) : warm;
      if (!answer.ok) return; // the same problem is shown when the texts are read
      speed.take(measured, performance.now() - began);
      set({ isSpeedKnown: true });
    };
    return {
      text: memory.getItem(TEXT_KEY) ?? '',
      split: memory.getItem(SPLIT_KEY) === 'paragraph' ? 'paragraph' : 'line',
      opened: null,
      closed: null,
      isSpeedKnown: speed.current() !== null,
      write(text) {
        if (text === '' || text.length > MAX_PERSISTED) memory.removeItem(TEXT_KEY);
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
        if (opened?.kind === 'rows') return textTableOfColumn(opened, opened.column);
        return opened ? textTableOfFiles(opened.files, split) : textTableOf(textsIn(text, split));
      },
      measureSpeed() {
        if (!get().isSpeedKnown) measuring ??= probe();
        return measuring ?? Promise.resolve();
      },
    };
  });
}

/** The lines of a text, or its paragraphs, which blank lines separate; without blank ones. */
export function textsIn(text: string, split: Split): string[] {
  const parts = text.split(split === 'line' ? /\r?\n/ : /(?:\r?\n[^\S\n]*){2,}/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A table without other columns. */
export function textTableOf(texts: readonly string[]): TextTable {
  return { texts, columns: {} };
}

/** The texts of files; with a column of file names if there are several. */
export function textTableOfFiles(files: OpenedFiles['files'], split: Split): TextTable {
  const parts = files.flatMap(({ name, text }) => textsIn(text, split).map((part) => ({ name, part })));
  const texts = parts.map(({ part }) => part);
  return files.length > 1 ? { texts, columns: { file: parts.map(({ name }) => name) } } : textTableOf(texts);
}

/** The texts of a column, without blank ones, and the other columns. */
export function textTableOfColumn({ names, rows }: NamedRows, name: string): TextTable {
  const index = names.indexOf(name);
  const filled = rows.filter((row) => (row[index] ?? '').trim() !== '');
  const others = names.filter((other) => other !== name && other !== '');
  return {
    texts: filled.map((row) => (row[index] ?? '').trim()),
    columns: Object.fromEntries(others.map((other) => [other, filled.map((row) => row[names.indexOf(other)] ?? '')])),
  };
}

/** The column that most likely contains the texts: the one with the longest values, repeated ones counted once. */
export function likelyColumn({ names, rows }: NamedRows): string {
  const sample = rows.slice(0, 200);
  const lengths = names.map((_, index) => [...new Set(sample.map((row) => row[index] ?? ''))].join('').length);
  return names[lengths.indexOf(Math.max(...lengths))] ?? '';
}
