import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { LocalFolder } from '../../src/contract/wire/local-models.ts';

/** What was found below a folder. */
export interface FoundModels {
  readonly folders: readonly LocalFolder[];
  /** Absolute path of each file that may be sent, by its path below `local-models/` as it is, not percent-encoded. */
  readonly files: ReadonlyMap<string, string>;
}

/** Files of a model. Nothing else below the folder is ever sent. */
const MODEL_FILE = /\.(json|md|txt|onnx|onnx_data(_\d+)?|data|safetensors)$/;

/** Levels below the folder of `--models` that are looked through for models, and levels of a model's own folder. */
const DEPTH = { folders: 8, files: 3 } as const;

/** A folder with more entries than this is no model's, and reading on would only cost time. */
const MOST_FILES = 2000;

/** An entry that exists, where it really is. */
interface Entry {
  readonly name: string;
  readonly path: string;
  readonly bytes: number | undefined;
}

/**
 * Finds every folder in the hub's layout below `root`: one with a `config.json`. Folders inside it are its own. Links are
 * followed as long as they stay below `root`, as in the hub's cache; hidden folders are left out.
 *
 * @param root  absolute path of a folder; it may be a model itself
 * @throws {Error} of the system call, where `root` cannot be read
 */
export async function findModels(root: string): Promise<FoundModels> {
  const top = await realpath(root);
  const folders: LocalFolder[] = [];
  const files = new Map<string, string>();
  const seen = new Set<string>();
  const visit = async (path: string, parts: readonly string[]): Promise<void> => {
    if (seen.has(path) || parts.length > DEPTH.folders) return;
    seen.add(path);
    const entries = await entriesOf(path, top);
    if (!entries.some(({ name, bytes }) => name === 'config.json' && bytes !== undefined)) {
      for (const { name, path: inner, bytes } of entries) if (bytes === undefined) await visit(inner, [...parts, name]);
      return;
    }
    const found = new Map<string, Entry>();
    await collect(entries, [], { top, found });
    const prefix = parts.map((part) => `${part}/`).join('');
    for (const [name, entry] of found) files.set(prefix + name, entry.path);
    folders.push({
      name: parts.join('/') || basename(top),
      path: parts.map((part) => `${encodeURIComponent(part)}/`).join(''),
      files: Object.fromEntries([...found].map(([name, { bytes = 0 }]) => [name, bytes])),
    });
  };
  await visit(top, []);
  return { folders, files };
}

async function collect(
  entries: readonly Entry[],
  parts: readonly string[],
  to: { readonly top: string; readonly found: Map<string, Entry> },
): Promise<void> {
  for (const entry of entries) {
    const path = [...parts, entry.name];
    if (entry.bytes === undefined) {
      if (path.length < DEPTH.files) await collect(await entriesOf(entry.path, to.top), path, to);
    } else if (MODEL_FILE.test(entry.name) && to.found.size < MOST_FILES) to.found.set(path.join('/'), entry);
  }
}

/** Files and folders of a folder, in the order of their names. One that vanishes or may not be read is left out. */
async function entriesOf(path: string, top: string): Promise<Entry[]> {
  const listed = await readdir(path, { withFileTypes: true }).catch((error: unknown) => ignoreUnreadable(error, path));
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  const entries = await Promise.all(names.toSorted().map((name) => entryOf(join(path, name), name, top)));
  return entries.filter((entry) => entry !== undefined);
}

function ignoreUnreadable(error: unknown, path: string): Dirent[] {
  console.warn(`${path} cannot be read and is left out: ${error instanceof Error ? error.message : String(error)}`);
  return [];
}

async function entryOf(path: string, name: string, top: string): Promise<Entry | undefined> {
  try {
    const real = await realpath(path);
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep)) return undefined;
    const found = await stat(real);
    if (found.isFile()) return { name, path: real, bytes: found.size };
    return found.isDirectory() ? { name, path: real, bytes: undefined } : undefined;
  } catch {
    return undefined; // a link to nowhere
  }
}
