import { isRecordText } from '../../../client/record.ts';
import { promptWords } from './words.en.ts';
import { numberText } from '../../../words/language.ts';
import type { Stores } from '../../../app/create-stores.ts';
import { createRecordStore } from '../variations/record-store.ts';
import { MAX_PASTED, pasteProblem } from '../../../parts/fields/growing-textarea.tsx';
import { readPictureFile } from './picture-file.ts';
import { messageOf } from '../../../contract/failure.ts';

/** Where a file can go, and whether the model reads pictures. */
type DropStores = Pick<Stores, 'engine' | 'explain' | 'models' | 'variations'>;

/** UTF-8 has at most this many bytes for a UTF-16 unit, so a larger file need not be read. */
const BYTES_PER_UNIT = 3;

/**
 * Puts a dropped file into the prompt: a picture before its text, a text in its place, which can be undone. A record of an
 * explanation is computed again instead.
 *
 * @returns why it is not taken, for the user; null where it is
 */
export async function takePromptFile(files: readonly File[], stores: DropStores): Promise<string | null> {
  const [file, ...others] = files;
  if (!file) return null;
  if (others.length > 0) return promptWords().drop.several;
  return file.type.startsWith('image/') ? openPicture(file, stores) : openText(file, stores);
}

async function openPicture(file: File, { engine, explain, models }: DropStores): Promise<string | null> {
  const { model } = engine.getState();
  const reads = models.getState().models.find(({ name }) => name === model)?.readsImages;
  if (!reads) return promptWords().drop.noPictures(model);
  try {
    explain.getState().edit({ picture: await readPictureFile(file) });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function openText(file: File, stores: DropStores): Promise<string | null> {
  const words = promptWords().drop;
  const { name, size } = file;
  if (size > MAX_PASTED * BYTES_PER_UNIT) return words.tooLarge(name, numberText(MAX_PASTED));
  const text = await textOf(file);
  if (text === null) return words.noText(name);
  if (isRecordText(text)) return openRecord({ name, text }, stores);
  const problem = pasteProblem(text, MAX_PASTED);
  if (problem !== null) return problem;
  const { explain } = stores;
  const { picture, target, settings } = explain.getState().question;
  const rest = { target, cut: settings, ...(picture && { picture: () => Promise.resolve(picture) }) };
  await explain.getState().take({ prompt: text, ...rest });
  return null;
}

/** Does not wait for the check, whose result the page shows. */
function openRecord(file: { readonly name: string; readonly text: string }, { variations, models }: DropStores): null {
  const { records, source } = variations.getState();
  const factsOf = (model: string) => models.getState().models.find(({ name }) => name === model);
  const store = records ?? createRecordStore({ client: source.client, factsOf });
  variations.setState({ records: store });
  void store.getState().check(file);
  return null;
}

/** The text of a file in UTF-8; null for any other file, and for one that cannot be read. */
async function textOf(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null; // not UTF-8, or a folder
  }
}
