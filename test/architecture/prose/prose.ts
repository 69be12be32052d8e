import { posix } from 'node:path';
import type { Rule, SourceFile } from '../source.ts';
import { readMarkdown } from './markdown.ts';

/** A cell is read at a glance; what needs more is a sentence below the table. */
const MAX_CELL = 140;

/** A newcomer reads a README in a few minutes. */
const MAX_README_WORDS = 899;

/** Old, translated or vague, and what it means is not hard to say. */
const BANNED = [
  'lest',
  'whence',
  'thence',
  'thereof',
  'wherein',
  'whereof',
  'hitherto',
  'albeit',
  'had again',
  'dear on',
  'ways? in',
  'put in the dark',
  'is answered',
  'are answered',
  'were had',
  'to be had',
  'nobody else.s business',
  'soon paid',
  'of its own accord',
  'for ever',
  'anew',
  'stands? still',
  'nothing of the kind',
];
const BANNED_PHRASE = new RegExp(String.raw`(?<![\w-])(${BANNED.join('|')})(?![\w-])`, 'i');

/** The Markdown among files: documents, and the templates of model cards. */
export function markdownOf(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => path.endsWith('.md'));
}

/** No table cell is longer than a line. */
export const cellRule: Rule = (files) =>
  markdownOf(files).flatMap(({ path, text }) =>
    readMarkdown(text)
      .cells.filter((cell) => cell.length > MAX_CELL)
      .map((cell) => `${path}: cell of ${cell.length} characters, ${MAX_CELL} allowed: ${cell.slice(0, 40)}…`),
  );

/** The README is short; everything longer has a document of its own. */
export const readmeRule: Rule = (files) =>
  files
    .filter(({ path }) => path === 'README.md')
    .map(({ path, text }) => ({ path, words: text.match(/\S+/g)?.length ?? 0 }))
    .filter(({ words }) => words > MAX_README_WORDS)
    .map(({ path, words }) => `${path}: ${words} words, ${MAX_README_WORDS} allowed`);

/** Plain present-day English. Code blocks are left out. */
export const phraseRule: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const lines = path.endsWith('.md') ? readMarkdown(text).proseLines : text.split('\n');
    return lines.flatMap((line, at) => {
      const [phrase] = BANNED_PHRASE.exec(line) ?? [];
      return phrase === undefined ? [] : [`${path}:${at + 1}: "${phrase}"`];
    });
  });

/** A path from the top level, such as `src/main.tsx`, or a file of code, such as `serve.ts`. */
const NAMED_PATH =
  /(?<![\w./<>{}*-])(?:(?:bench|docs|evaluation|examples|public|server|src|test|training|workers)\/[\w./-]*|[\w/.-]+\.(?:tsx?|mjs))(?![\w/*])/g;

/**
 * Files and folders that prose names in code spans exist: from the top level, from the document's folder, or, for a file of
 * code, as the end of a path. Recipes and the build make files of their own.
 *
 * @param exists  as of `linkRule`
 */
export function pathRule(exists: (path: string) => boolean): Rule {
  return (files) =>
    markdownOf(files)
      .filter(({ path }) => !path.startsWith('docs/recipes/'))
      .flatMap(({ path, text }) => {
        const spans = readMarkdown(text).proseLines.flatMap((line) => line.match(/`[^`]+`/g) ?? []);
        const named = spans.flatMap((span) => span.match(NAMED_PATH) ?? []).map((name) => name.replace(/[/.]+$/, ''));
        return named
          .filter((name) => !name.startsWith('build/'))
          .filter((name) => !exists(name) && !exists(posix.join(posix.dirname(path), name)))
          .filter((name) => !files.some((file) => file.path.endsWith(`/${name}`)))
          .map((name) => `${path}: ${name} is not in the repository`);
      });
}

/**
 * Relative links lead to a file that exists, and to a heading in it.
 *
 * @param exists  whether the repository has a path, folders included; pictures are not among the files of a rule
 */
export function linkRule(exists: (path: string) => boolean): Rule {
  return (files) => {
    const documents = new Map(markdownOf(files).map(({ path, text }) => [path, readMarkdown(text)]));
    return [...documents].flatMap(([path, { links }]) =>
      links
        .filter((link) => !/^[a-z]+:/i.test(link))
        .filter((link) => {
          const [file = '', anchor] = link.split('#');
          const target = file === '' ? path : posix.join(posix.dirname(path), file);
          if (!exists(target)) return true;
          return anchor !== undefined && documents.get(target)?.anchors.has(anchor) !== true;
        })
        .map((link) => `${path}: ${link} leads nowhere`),
    );
  };
}

/** `npm run` in prose names a script of package.json, `npm test --` a check or an option of `test/run.mjs`. */
export function commandRule(scripts: ReadonlySet<string>, checks: ReadonlySet<string>): Rule {
  return (files) =>
    markdownOf(files).flatMap(({ path, text }) => [
      ...unknown(text, /npm run (?:-s |--silent )?([\w:]+)/g, scripts).map(
        (name) => `${path}: there is no script ${name}`,
      ),
      ...unknown(text, /npm (?:-s |--silent )?test -- (\w+)/g, checks).map(
        (name) => `${path}: there is no check ${name}`,
      ),
    ]);
}

function unknown(text: string, pattern: RegExp, names: ReadonlySet<string>): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).filter((name) => !names.has(name));
}
