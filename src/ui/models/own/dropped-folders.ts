import { filesOfEntries, filesOfInput } from '../../../keeping/folders/read-folders.ts';
import { ownModelsOf } from '../../../state/models/own/own-models.ts';
import type { TakeFiles } from '../../app/drops.ts';

/** Opens the models among files and folders that were dropped; the page says what came of it. */
export const takeDropped: TakeFiles = async (files, { models }, entries) => {
  const { open } = ownModelsOf(models.getState().home).folders.getState();
  await open(entries.length > 0 ? filesOfEntries(entries) : Promise.resolve(filesOfInput(files)));
  return null;
};
