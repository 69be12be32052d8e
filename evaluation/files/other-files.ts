import { csvFileWithFacts } from '../../test/support/files/facts/table.ts';
import { markdownFileWithFacts } from '../../test/support/files/facts/markdown.ts';
import { textFileWithFacts } from '../../test/support/files/facts/text.ts';
import { wordFileWithFacts } from '../../test/support/files/facts/word.ts';
import type { FileWithFacts, Writing } from '../../test/support/files/facts/writing.ts';
import type { MadeFile } from './made-file.ts';
import { officeWriting } from './office.ts';

const WRITERS: Readonly<Record<string, (seed: number, writing: Writing) => FileWithFacts>> = {
  Word: wordFileWithFacts,
  Markdown: markdownFileWithFacts,
  'table of values': csvFileWithFacts,
  text: textFileWithFacts,
};

/** Office documents as Word, Markdown, CSV and text files. @param each  how many of each */
export async function otherFiles(each: number): Promise<MadeFile[]> {
  const made = Object.entries(WRITERS).flatMap(([group, write], kind) =>
    Array.from({ length: each }, async (_, i): Promise<MadeFile> => {
      const seed = 100 * kind + i;
      const { file, facts } = write(seed, officeWriting(seed));
      return {
        name: file.name,
        group,
        bytes: new Uint8Array(await file.arrayBuffer()),
        facts: facts.map(({ place, fact, expected }) => ({
          place,
          words: fact,
          ...(expected !== 'read' && { reportedAs: expected, isUnseen: true }),
        })),
      };
    }),
  );
  return Promise.all(made);
}
