import { readFileSync } from 'node:fs';
import { exportedNames } from './exports.ts';
import type { Fault, SourceFile } from './source.ts';
import { parse } from './syntax.ts';

/** Words that this project once used where the field has others. */
export const OLD_WORDS: ReadonlySet<string> = new Set(
  [
    'asked desk desks goodbye hear keep keeper keepers keeping keeps kept lamp lamps lend lends lent lives pace patience',
    'patiently room rooms sheet stranger strangers stretch stretches telling thing things unheard',
  ].flatMap((line) => line.split(' ')),
);

/** Those of them that plain English has no need of; the spell checker refuses them in documents. */
export const FLAGGED_WORDS: ReadonlySet<string> = readFlaggedWords();

/** Exported names, names of files and comments with an old word in them. */
export function oldWordFaults(files: readonly SourceFile[]): Fault[] {
  return [...nameFaults(files), ...commentFaults(files)];
}

function nameFaults(files: readonly SourceFile[]): Fault[] {
  const names = new Map<string, string>();
  for (const file of files)
    for (const name of [file.path.split('/').at(-1) ?? '', ...exportedNames(file)]) names.set(name, file.path);
  return [...names].flatMap(([key, path]) => {
    const old = wordsOf(key).filter((word) => OLD_WORDS.has(word));
    return old.length === 0 ? [] : [{ key, message: `${path} uses ${old.join(' and ')}` }];
  });
}

/** A word is named once, with the first file that has it in a comment. */
function commentFaults(files: readonly SourceFile[]): Fault[] {
  const places = new Map<string, string>();
  for (const file of files)
    for (const { value } of parse(file).comments)
      for (const word of value.toLowerCase().match(/[a-z]+/g) ?? [])
        if (FLAGGED_WORDS.has(word) && !places.has(word)) places.set(word, file.path);
  return [...places].map(([word, path]) => ({ key: `comment: ${word}`, message: `used in ${path}` }));
}

/** `word->suggestions` in the configuration of cspell, without the suggestions. */
function readFlaggedWords(): ReadonlySet<string> {
  const text = readFileSync(new URL('prose/cspell.json', import.meta.url), 'utf8');
  const { overrides } = JSON.parse(text) as {
    readonly overrides: readonly { readonly flagWords?: readonly string[] }[];
  };
  return new Set(overrides.flatMap(({ flagWords = [] }) => flagWords.map((entry) => entry.replace(/->.*/, ''))));
}

/** `keptModels`, `STORED_MODELS_FOLDER` and `kept-models.ts` alike: `kept` and `models`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
