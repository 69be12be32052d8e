import { expect, it } from 'vitest';
import { UnreadableFile } from '../../../src/files/document.ts';
import { readMarkdown } from '../../../src/files/read-markdown.ts';
import { readCsv } from '../../../src/files/table/csv.ts';
import { textOfDocx } from '../../../workers/documents/docx.ts';
import { UnreadableDocument } from '../../../workers/documents/read-zip.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import {
  csvFileWithFacts,
  docxFilesWith,
  markdownFileWithFacts,
  wordPartsWithFacts,
} from '../../support/files/facts.ts';
import { zipOf } from '../../support/files/write-zip.ts';

const COUNT = Number(process.env['MUTATIONS'] ?? 60);

/** A text with a part missing, a part twice, other characters, or its end missing. */
function mutated(text: string, random: () => number): string {
  const below = (count: number) => Math.floor(random() * count);
  const from = below(text.length);
  const to = from + below(200);
  const marks = [
    '<',
    '>',
    '&',
    '"',
    '\0',
    '\n',
    '---\n',
    '| ',
    '`'.repeat(3),
    '<w:p>',
    '</w:p>',
    '<w:tbl><w:tr>',
    '\uFFFF',
    ']]>',
  ];
  return (
    [
      text.slice(0, from),
      text.slice(0, from) + text.slice(to),
      text.slice(0, to) + text.slice(from),
      text.slice(0, from) + (marks[below(marks.length)] ?? '').repeat(1 + below(40)) + text.slice(from),
      text.replaceAll(/w:\w+/g, (name) => (random() < 0.02 ? 'w:ruby' : name)),
    ][below(5)] ?? text
  );
}

function mutatedBytes(bytes: Uint8Array<ArrayBuffer>, random: () => number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice(0, random() < 0.3 ? Math.floor(random() * bytes.length) : undefined);
  for (let i = 0; i < 5; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

/** Reads a file that may be damaged; any other error than that fails the test. */
async function ends(read: () => unknown): Promise<'read' | 'refused'> {
  try {
    await read();
    return 'read';
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof UnreadableDocument) return 'refused';
    throw error;
  }
}

/** Reads files, each mutated by its number, and counts on both outcomes. */
async function expectEnds(read: (random: () => number, seed: number) => unknown): Promise<void> {
  const random = seededRandom(7);
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= COUNT; seed++) outcomes.add(await ends(() => read(random, seed)));
  expect(outcomes).toContain('read');
}

const encoded = (text: string) => new TextEncoder().encode(text);

it('a mutated Word file is read or refused', () =>
  expectEnds((random, seed) => {
    const { parts } = wordPartsWithFacts(seed);
    const entries = Object.entries(parts);
    const at = Math.floor(random() * entries.length);
    const changed = entries.map(([name, xml], index) => [name, index === at ? mutated(xml, random) : xml]);
    const bytes = zipOf(docxFilesWith(Object.fromEntries(changed)));
    return textOfDocx(random() < 0.3 ? mutatedBytes(bytes, random) : bytes, async () => undefined);
  }));

it('a mutated Markdown file is read or refused', () =>
  expectEnds(async (random, seed) => {
    const text = mutated(await markdownFileWithFacts(seed).file.text(), random);
    readMarkdown(random() < 0.3 ? mutatedBytes(encoded(text), random) : encoded(text));
  }));

it('a mutated table is read or refused', () =>
  expectEnds(async (random, seed) => {
    const text = mutated(await csvFileWithFacts(seed).file.text(), random);
    readCsv(random() < 0.3 ? mutatedBytes(encoded(text), random) : encoded(text));
  }));
