import { expect, it } from 'vitest';
import { UnreadableFile } from '../../../src/files/document.ts';
import { readPlainText } from '../../../src/files/plain-text.ts';
import { readMarkdown } from '../../../src/files/read-markdown.ts';
import { readCsv } from '../../../src/files/table/csv.ts';
import { textOfDocx } from '../../../workers/documents/docx.ts';
import { UnreadableDocument } from '../../../workers/documents/read-zip.ts';
import { seededRandom } from '../../../workers/kernels/seeded-random.ts';
import { mutatedFile, TEXT_KINDS, type TextKind } from '../../support/files/mutated-files.ts';

// `npm run bench -- mutations` reads thousands in Chromium, bombs among them.
const COUNT = 60;

const READERS: Readonly<Record<TextKind, (bytes: Uint8Array<ArrayBuffer>) => unknown>> = {
  word: (bytes) => textOfDocx(bytes, async () => undefined),
  markdown: readMarkdown,
  table: readCsv,
  text: readPlainText,
};

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

it.each(TEXT_KINDS)('a mutated file is read or refused: %s', async (kind) => {
  const random = seededRandom(7);
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= COUNT; seed++) {
    const { bytes } = await mutatedFile(kind, random, { seed, attacks: 0 });
    outcomes.add(await ends(() => READERS[kind](bytes)));
  }
  expect(outcomes).toContain('read');
});
