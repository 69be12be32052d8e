import type { Rule } from './source.ts';
import { parse } from './syntax.ts';

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

/** More entries than this and a folder is read like a list, not like a room. */
const MAX_ENTRIES = 15;

/**
 * No folder of the hand-written tree has more entries, files and folders together, than a person takes in at once. The
 * root is left out: its entries are fixed by what tools expect there.
 */
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
