import type { UnreadFilePart } from '../../contract/qa.ts';
import { isTable, joinedTables, readCsv } from '../../files/table/csv.ts';
import { ACCEPTED_FILES, UnreadableFile } from '../../files/document.ts';
import { MAX_BYTES, readFile } from '../../files/read-file.ts';
import { meaningStoresOf } from './meaning-stores.ts';
import type { InputState } from './input-store.ts';
import { meaningWords } from './words.en.ts';
import { notReadText } from '../../parts/feedback/not-read.tsx';
import { filesWords } from '../../parts/feedback/words.en.ts';
import { listText } from '../../words/language.ts';
import type { Stores } from '../../app/create-stores.ts';

/** Id of the button that opens files. */
export const OPEN_TEXTS = 'open-texts';

/** File types that can be opened. */
export const ACCEPTED_TEXTS = `.csv,.tsv,${ACCEPTED_FILES}`;

/** Opens files that were dropped on the page. */
export function openDroppedTexts(files: readonly File[], { meaning }: Stores): Promise<string | null> {
  return openFiles(files, meaningStoresOf(meaning.getState()).input.getState());
}

/**
 * Opens all tables as one, or else all files as texts. A file that cannot be read does not keep the others from being opened.
 *
 * @returns what was not opened or not read, for the user; null if all was
 */
export async function openFiles(files: readonly File[], input: InputState): Promise<string | null> {
  const notes: string[] = [];
  const tables = files.filter(isTable);
  const opened = tables.length > 0 ? await readEach(tables, rowsOf, notes) : await readEach(files, readFile, notes);
  const left = tables.length > 0 ? files.filter((file) => !isTable(file)) : [];
  if (left.length > 0) notes.push(meaningWords().texts.notOpened(listText(left.map(({ name }) => name))));
  const texts = opened.filter((one) => 'text' in one);
  const rows = opened.filter((one) => 'rows' in one);
  const name = rows.length === 1 ? (rows[0]?.name ?? '') : meaningWords().texts.files(rows.length);
  if (rows.length > 0) input.openRows(name, joinedTables(rows));
  // Only the lines of plain text files are meaningful.
  const split = texts.some(({ kind }) => kind !== 'text') ? 'paragraph' : 'line';
  if (texts.length > 0)
    input.openFiles(
      texts.map(({ name: file, text }) => ({ name: file, text })),
      split,
    );
  return notes.length > 0 ? notes.join(' ') : null;
}

/** Files that can be read; `notes` gets a sentence for each of the others, and for each that was read in part. */
async function readEach<Content extends { readonly unread: readonly UnreadFilePart[] }>(
  files: readonly File[],
  read: (file: File) => Promise<Content>,
  notes: string[],
): Promise<Content[]> {
  const contents: Content[] = [];
  for (const file of files)
    try {
      const content = await read(file);
      if (content.unread.length > 0) notes.push(`${file.name}: ${notReadText(content.unread)}`);
      contents.push(content);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      notes.push(filesWords().problems[error.problem](file.name));
    }
  return contents;
}

async function rowsOf(file: File) {
  if (file.size > MAX_BYTES) throw new UnreadableFile('too_large', `${file.size} bytes`);
  return { name: file.name, ...readCsv(new Uint8Array(await file.arrayBuffer())) };
}
