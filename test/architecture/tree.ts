import type { Fault, Rule, SourceFile } from './source.ts';
import { importsOf, parse } from './syntax.ts';

/** Names that say nothing, and so draw everything in. */
const DRAWERS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc']);

/** A file lives in the room that owns its noun; there is no drawer. */
export const drawerRule: Rule = (files) =>
  files
    .filter(({ path }) => path.split(/[/.-]/).some((word) => DRAWERS.has(word.toLowerCase())))
    .map(({ path }) => `${path}: named for nothing in particular`);

/** Files are kebab-case, a README apart. */
export const kebabRule: Rule = (files) =>
  files
    .filter(({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)+|README\.md)$/.test(path.split('/').at(-1) ?? ''))
    .map(({ path }) => `${path}: expected a kebab-case name`);

/** Copies that patches, merges and editors leave beside a file. */
const LEFTOVER = /(\.(orig|rej|bak|swp)|~)$/;

/** The paths of copies that tools have left. */
export function leftoversIn(paths: readonly string[]): string[] {
  return paths.filter((path) => LEFTOVER.test(path));
}

/**
 * No barrel: a file that only passes names on hides where they live and ties every file behind it together.
 * `export *` does so anywhere, and an `index.ts` exists for nothing else.
 */
export const barrelRule: Rule = (files) =>
  files.flatMap((file) => {
    const { body } = parse(file);
    const passesOn = body.filter((node) => node.type.startsWith('Export') && node.source);
    const isBarrel = passesOn.length > 0 && passesOn.length === body.length;
    const hasStar = passesOn.some((node) => node.type === 'ExportAllDeclaration');
    const isIndex = /(^|\/)index\.tsx?$/.test(file.path) && passesOn.length > 0;
    return isBarrel || hasStar || isIndex ? [`${file.path}: passes on what others export`] : [];
  });

/** Entries that a folder may have, files and folders together. */
const MAX_ENTRIES = 25;

/** No folder of the hand-written tree has too many entries. The root is left out: tools decide what lies there. */
export const folderRule: Rule = (files) => {
  const entries = new Map<string, Set<string>>();
  for (const { path } of files) {
    const parts = path.split('/');
    parts.forEach((name, depth) => {
      const folder = parts.slice(0, depth).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(name));
    });
  }
  return [...entries]
    .filter(([folder, { size }]) => folder !== '' && size > MAX_ENTRIES)
    .map(([folder, { size }]) => `${folder}: ${size} entries, ${MAX_ENTRIES} allowed`);
};

/** Folders that the path of a file may have, `src` among them. */
const MAX_DEPTH = 4;

/** The folders of a path, each with those that it lies in: `src`, `src/ui`. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** The tree is shallow. */
export function depthFaults(files: readonly SourceFile[]): Fault[] {
  const deep = new Set(files.flatMap(({ path }) => foldersOf(path)).filter((folder) => depthOf(folder) > MAX_DEPTH));
  return [...deep].map((key) => ({ key, message: `${depthOf(key)} folders in a path, ${MAX_DEPTH} allowed` }));
}

function depthOf(folder: string): number {
  return folder.split('/').length;
}

/** What one page needs of another belongs to neither: pages do not import each other. */
export const pageRule: Rule = (files) => files.flatMap(importsOfOtherPages);

/** Imports of a file below `src/pages/<page>/` from the folder of another page. */
export function importsOfOtherPages(file: SourceFile): string[] {
  const page = pageOf(file.path);
  return importsOf(file)
    .map(({ target = '' }) => target)
    .filter((target) => page !== undefined && ![undefined, page].includes(pageOf(target)))
    .map((target) => `${file.path}: page ${page} may not import ${target}`);
}

function pageOf(path: string): string | undefined {
  return /^src\/pages\/([^/]+)\//.exec(path)?.[1];
}
