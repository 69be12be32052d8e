import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storyFiles } from '../hub/story-files.ts';
import type { FolderBytes } from './broken-folders.ts';

/**
 * The story teller stories260K as a folder of the hub.
 *
 * @param data  the folder of data that this project did not make; null where its weights are not there
 */
export function storyFolder(data: string): FolderBytes | null {
  const folder = join(data, 'weights/stories260K');
  if (!existsSync(folder)) return null;
  const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  return storyFiles({ weights: bytesOf('stories260K.bin'), pieces: bytesOf('tok512.bin') });
}
