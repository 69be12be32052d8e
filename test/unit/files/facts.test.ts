import { expect, it } from 'vitest';
import type { UnreadPart } from '../../../src/contract/qa.ts';
import { readFile } from '../../../src/files/read-file.ts';
import { readWord } from '../../../src/files/read-word.ts';
import { readCsv } from '../../../src/files/table/csv.ts';
import {
  csvFileWithFacts,
  type FileWithFacts,
  markdownFileWithFacts,
  wordFileWithFacts,
} from '../../support/files/facts.ts';
import { documentsPort } from '../../support/fakes/page.ts';

type Content = { readonly text: string; readonly unread: readonly UnreadPart[] };

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());

async function readTable(file: File): Promise<Content> {
  const { rows, unread } = readCsv(await bytesOf(file));
  return { text: rows.flat().join('\n'), unread };
}

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1);

it.each<[kind: string, files: FileWithFacts[], read: (file: File) => Promise<Content>]>([
  ['Word', seeds(20).map(wordFileWithFacts), async (file) => readWord(await bytesOf(file), {}, documentsPort)],
  ['Markdown', seeds(60).map(markdownFileWithFacts), async (file) => readFile(file)],
  ['CSV', seeds(60).map(csvFileWithFacts), readTable],
])('every fact of a %s file is read, or its place is reported', async (_, files, read) => {
  for (const { file, facts } of files) {
    const { text, unread } = await read(file);
    for (const { place, fact, expected } of facts) {
      const came = text.includes(fact) ? 'read' : (unread.find(({ kind }) => kind === expected)?.kind ?? 'lost');
      expect([file.name, place, came]).toEqual([file.name, place, expected]);
    }
  }
});
