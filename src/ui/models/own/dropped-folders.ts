import { filesOfEntries, filesOfInput } from '../../../models/keeping/folders/read-folders.ts';
import { ownModelsOf } from '../../../state/models/own/own-models.ts';
import type { Stores } from '../../../state/stores.ts';

/** Opens the models among files and folders that were dropped; the page says what came of it. */
export async function takeDropped(
  files: readonly File[],
  { models }: Pick<Stores, 'models'>,
  entries: readonly FileSystemEntry[],
): Promise<null> {
  const { open } = ownModelsOf(models.getState().home).folders.getState();
  await open(entries.length > 0 ? filesOfEntries(entries) : Promise.resolve(filesOfInput(files)));
  return null;
}
