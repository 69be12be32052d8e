import { isTable, readCsv } from '../../files/table/csv.ts';
import { ACCEPTED_FILES, UnreadableFile } from '../../files/document.ts';
import { MAX_BYTES, readFile } from '../../files/read-file.ts';
import { meaningStoresOf } from './meaning-stores.ts';
import type { InputState } from './input-store.ts';
import { filesWords } from '../../parts/words.en.ts';
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
 * Opens the first table, or all files as texts.
 *
 * @returns a message for the user if a file cannot be read, otherwise null
 */
export async function openFiles(files: readonly File[], input: InputState): Promise<string | null> {
  const table = files.find(isTable);
  let current = table ?? files[0];
  try {
    if (table) {
      input.openRows(table.name, await rowsOf(table));
      return null;
    }
    const texts: { name: string; text: string }[] = [];
    let hasParagraphs = false;
    for (current of files) {
      const { name, text, kind } = await readFile(current);
      texts.push({ name, text });
      hasParagraphs ||= kind !== 'text';
    }
    // Only the lines of plain text files are meaningful.
    input.openFiles(texts, hasParagraphs ? 'paragraph' : 'line');
    return null;
  } catch (error) {
    if (error instanceof UnreadableFile) return filesWords().problems[error.problem](current?.name ?? '');
    throw error;
  }
}

async function rowsOf(file: File) {
  if (file.size > MAX_BYTES) throw new UnreadableFile('too_large', `${file.size} bytes`);
  return readCsv(new Uint8Array(await file.arrayBuffer()));
}
