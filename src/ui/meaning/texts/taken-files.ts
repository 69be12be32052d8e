import { isTable, readCsv } from '../../../files/table/csv.ts';
import { ACCEPTED_FILES } from '../../../files/document.ts';
import { MOST_BYTES, readFile } from '../../../files/read-file.ts';
import { UnreadableFile } from '../../../files/unreadable-file.ts';
import { roomOf } from '../../../state/meaning/room.ts';
import type { InputState } from '../../../state/meaning/input-store.ts';
import { filesWords } from '../../../words/en/files.ts';
import type { Stores } from '../../../state/stores.ts';

/** Id of the button that opens files. */
export const OPEN_TEXTS = 'open-texts';

/** What the menu of files offers. */
export const ACCEPTED_TEXTS = `.csv,.tsv,${ACCEPTED_FILES}`;

/** Takes files that were dropped: a table, or texts that are put one behind the other. */
export function takeTexts(files: readonly File[], { meaning }: Stores): Promise<string | null> {
  return openFiles(files, roomOf(meaning.getState().source).input.getState());
}

/**
 * Opens files as texts.
 *
 * @returns why not, for the user; null when they were opened
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
    // Lines of a document mean nothing; those of a text file are what its writer made them.
    input.openFiles(texts, hasParagraphs ? 'paragraph' : 'line');
    return null;
  } catch (error) {
    if (error instanceof UnreadableFile) return filesWords().problems[error.problem](current?.name ?? '');
    throw error;
  }
}

async function rowsOf(file: File) {
  if (file.size > MOST_BYTES) throw new UnreadableFile('too_large', `${file.size} bytes`);
  return readCsv(new Uint8Array(await file.arrayBuffer()));
}
