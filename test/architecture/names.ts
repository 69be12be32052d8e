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
