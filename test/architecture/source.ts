import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of the repository. Rules take a list of these, so each can be shown a made-up tree that breaks it. */
export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A rule looks at a tree and says what is wrong with it, one line per fault; an empty list is a pass. */
export type Rule = (files: readonly SourceFile[]) => string[];

/** What a rule with a list of allowed exceptions finds. */
export interface Fault {
  /** What the list names it by. */
  readonly key: string;
  readonly message: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that are made, not written. */
const MADE = new Set([
  '.git',
  'node_modules',
  'build',
  'dist',
  'coverage',
  'test-results',
  'playwright-report',
  '__pycache__',
  '.pytest_cache',
  '.ruff_cache',
]);

/** Endings of what people write by hand; models, images and the lock file are data. */
const WRITTEN = /\.(ts|tsx|mjs|css|html|md|py|json|sh|yml)$|^\.ci\/run$/;

/**
 * All hand-written text files below the given folders and files, in a fixed order.
 *
 * @param tops  paths from the repository's root; one that does not exist yet holds no files
 */
export function readTree(...tops: readonly string[]): SourceFile[] {
  return pathsBelow('')
    .filter((path) => tops.some((top) => path === top || path.startsWith(`${top}/`)))
    .map(read);
}

/** Every hand-written text file of the repository. */
export function readRepository(): SourceFile[] {
  return pathsBelow('').map(read);
}

/** The paths of all files of the repository, of data too. */
export function pathsInRepository(): string[] {
  return pathsBelow('', /./);
}

/** The code that is shipped: the page, its workers and its server. */
export function readApp(): SourceFile[] {
  return readTree('src', 'workers', 'server').filter(({ path }) => /\.(tsx?|mjs)$/.test(path));
}

function pathsBelow(folder: string, wanted = WRITTEN): string[] {
  const entries = readdirSync(`${ROOT}/${folder}`, { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return MADE.has(entry.name) || entry.name.startsWith('.venv') ? [] : pathsBelow(path, wanted);
      return wanted.test(path) && entry.name !== 'package-lock.json' ? [path] : [];
    });
}

function read(path: string): SourceFile {
  return { path, text: readFileSync(`${ROOT}/${path}`, 'utf8') };
}
