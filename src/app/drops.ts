import type { Stores } from './create-stores.ts';
import type { Page } from '../stores/page-store.ts';
import { appWords } from './words.en.ts';

/**
 * Takes files that were dropped on a page.
 *
 * @param entries  the same, with folders, where the browser has them
 * @returns why not, for the user; null when they were taken
 */
type DropHandler = (
  files: readonly File[],
  stores: Stores,
  entries: readonly FileSystemEntry[],
) => Promise<string | null>;

/** The pages that take files; what takes them loads with the first drop. */
const DROP_HANDLERS: Readonly<Partial<Record<Page, () => Promise<DropHandler>>>> = {
  explain: async () => (await import('../pages/explain/question/dropped-files.ts')).takePromptFile,
  documents: () => Promise.resolve(addDocuments),
  models: async () => (await import('../pages/models/own/own-models.ts')).openDroppedModels,
  meaning: async () => (await import('../pages/meaning/opened-files.ts')).openDroppedTexts,
};

function addDocuments(files: readonly File[], { documents }: Stores): Promise<null> {
  void documents.getState().add(files); // the list shows problems
  return Promise.resolve(null);
}

/** Hands files to the page that is open. */
export const handleDrop: DropHandler = async (files, stores, entries) => {
  const load = DROP_HANDLERS[stores.page.getState().page];
  if (!load) return appWords().filesElsewhere;
  return (await load())(files, stores, entries);
};
