import { promptWords } from '../../../words/en/explain/prompt.ts';
import { numberText } from '../../../words/numbers.ts';
import type { Stores } from '../../../state/stores.ts';
import { createRecordStore, saysRecord } from '../../../state/variations/record-store.ts';
import { MOST_PASTED, pasteProblem } from '../../parts/fields/paste-limit.ts';
import { readPicture } from './picture-file.ts';

/** Where a file can go, and whether the model reads pictures. */
export type DropStores = Pick<Stores, 'engine' | 'explain' | 'models' | 'variations'>;

/** UTF-8 has at most so many bytes for a UTF-16 unit, so a larger file need not be read. */
const BYTES_PER_UNIT = 3;

/**
 * Puts a dropped file into the prompt: a picture before its text, a text in its place, which can be undone. A record of an
 * explanation is computed again instead.
 *
 * @returns why not, for the user; null when it was taken
 */
export async function takeDropped(files: readonly File[], stores: DropStores): Promise<string | null> {
  const [file, ...others] = files;
  if (!file) return null;
  if (others.length > 0) return promptWords().drop.several;
  return file.type.startsWith('image/') ? takePicture(file, stores) : takeText(file, stores);
}

async function takePicture(file: File, { engine, explain, models }: DropStores): Promise<string | null> {
  const { model } = engine.getState();
  const reads = models.getState().models.find(({ name }) => name === model)?.readsImages;
  if (!reads) return promptWords().drop.noPictures(model);
  try {
    explain.getState().edit({ picture: await readPicture(file) });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function takeText(file: File, stores: DropStores): Promise<string | null> {
  const words = promptWords().drop;
  const { name, size } = file;
  if (size > MOST_PASTED * BYTES_PER_UNIT) return words.tooLarge(name, numberText(MOST_PASTED));
  const text = await textOf(file);
  if (text === null) return words.noText(name);
  if (saysRecord(text)) return takeRecord({ name, text }, stores);
  const problem = pasteProblem(text, MOST_PASTED);
  if (problem !== null) return problem;
  const { explain } = stores;
  const { picture, target, settings } = explain.getState().question;
  const kept = { target, cut: settings, ...(picture && { picture: () => Promise.resolve(picture) }) };
  await explain.getState().take({ prompt: text, ...kept });
  return null;
}

/** The check goes on by itself; its place on the page says what becomes of it. */
function takeRecord(file: { readonly name: string; readonly text: string }, { variations, models }: DropStores): null {
  const { records, source, keepRecords } = variations.getState();
  const factsOf = (model: string) => models.getState().models.find(({ name }) => name === model);
  const store = records ?? createRecordStore({ client: source.client, factsOf });
  keepRecords(store);
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
