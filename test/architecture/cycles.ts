import type { Rule, SourceFile } from './source.ts';
import { importsOf } from './syntax.ts';

/**
 * No file reaches itself by its imports, types included: a cycle of types is as hard to read as one of values.
 * Depth first; a file met again while it is still open closes a cycle.
 */
export const cycleRule: Rule = (files) => {
  const graph = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const closed = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, open: readonly string[]): void => {
    if (open.includes(path)) return void cycles.push([...open.slice(open.indexOf(path)), path].join(' → '));
    if (closed.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...open, path]);
    closed.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};

function targetsOf(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ target }) => (target === undefined ? [] : [target]));
}

/** Relative imports name the file with its ending; without it the cycle search would lose the trail. */
export const endingRule: Rule = (files) =>
  files.flatMap((file) =>
    targetsOf(file)
      .filter((target) => !/\.[a-z]+$/.test(target))
      .map((target) => `${file.path}: ${target} lacks its file ending`),
  );
