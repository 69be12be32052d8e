import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FolderBytes } from '../files/broken-folders.ts';

/** A folder of models on the disk, in the hub's layout. */
export interface WrittenFolders {
  /** Absolute; holds `owner/name` for each model. */
  readonly path: string;
  remove(): void;
}

/** Writes models to a new temporary folder. @param models  by `owner/name` */
export function writeFolders(models: Iterable<readonly [name: string, files: FolderBytes]>): WrittenFolders {
  const path = mkdtempSync(join(tmpdir(), 'lightwell-models-'));
  for (const [name, files] of models)
    for (const [file, bytes] of files) {
      const place = join(path, name, file);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
