import type { Page } from '../../state/page/page-store.ts';
import type { Stores } from '../../state/stores.ts';
import { appWords } from '../../words/en/app.ts';

/**
 * Takes files that were dropped on a page.
 *
 * @param entries  the same, with folders, where the browser has them
 * @returns why not, for the user; null when they were taken
 */
export type TakeFiles = (
  files: readonly File[],
  stores: Stores,
  entries: readonly FileSystemEntry[],
) => Promise<string | null>;

/** The pages that take files; what takes them loads with the first drop. */
const TAKERS: Readonly<Partial<Record<Page, () => Promise<TakeFiles>>>> = {
  explain: async () => (await import('../explain/prompt/dropped-files.ts')).takeDropped,
  documents: async () => (await import('../documents/dropped-files.ts')).takeDropped,
  models: async () => (await import('../models/own/dropped-folders.ts')).takeDropped,
  meaning: async () => (await import('../meaning/texts/taken-files.ts')).takeTexts,
};

/** Hands files to the page that is open. */
export const takeFiles: TakeFiles = async (files, stores, entries) => {
  const load = TAKERS[stores.page.getState().page];
  if (!load) return appWords().filesElsewhere;
  return (await load())(files, stores, entries);
};
