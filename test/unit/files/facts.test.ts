import { expect, it } from 'vitest';
import type { UnreadPart } from '../../../src/contract/qa.ts';
import { readFile } from '../../../src/files/read-file.ts';
import { readWord } from '../../../src/files/read-word.ts';
import { readCsv } from '../../../src/files/table/csv.ts';
import { markdownFileWithFacts } from '../../support/files/facts/markdown.ts';
import { csvFileWithFacts } from '../../support/files/facts/table.ts';
import { textFileWithFacts } from '../../support/files/facts/text.ts';
import { wordFileWithFacts } from '../../support/files/facts/word.ts';
import type { FileWithFacts } from '../../support/files/facts/writing.ts';
import { documentsPort } from '../../support/fakes/page.ts';

type Content = { readonly text: string; readonly unread: readonly UnreadPart[] };

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

async function readTable(file: File): Promise<Content> {
  const { names, rows, unread } = readCsv(await bytesOf(file));
  return { text: [names, ...rows].flat().join('\n'), unread };
}

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1);

it.each<[kind: string, files: FileWithFacts[], read: (file: File) => Promise<Content>]>([
  [
    'Word',
    seeds(20).map((seed) => wordFileWithFacts(seed)),
    async (file) => readWord(await bytesOf(file), {}, documentsPort),
  ],
  ['Markdown', seeds(60).map((seed) => markdownFileWithFacts(seed)), async (file) => readFile(file)],
  ['CSV', seeds(60).map((seed) => csvFileWithFacts(seed)), readTable],
  ['text', seeds(20).map((seed) => textFileWithFacts(seed)), async (file) => readFile(file)],
])('every fact of a %s file is read, or its place is reported', async (_, files, read) => {
  for (const { file, facts } of files) {
    const { text, unread } = await read(file);
    const flat = text.replaceAll(/\s+/g, ' ');
    for (const { place, fact, expected } of facts) {
      const came = flat.includes(fact) ? 'read' : (unread.find(({ kind }) => kind === expected)?.kind ?? 'lost');
      expect([file.name, place, came]).toEqual([file.name, place, expected]);
    }
    const counts = Object.fromEntries(unread.map(({ kind, count }) => [kind, count]));
    for (const { expected } of facts)
      if (expected !== 'read')
        expect([file.name, expected, counts[expected]]).toEqual([
          file.name,
          expected,
          facts.filter((each) => each.expected === expected).length,
        ]);
  }
});
