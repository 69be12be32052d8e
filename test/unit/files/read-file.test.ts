import { describe, expect, it } from 'vitest';
import { joinLines } from '../../../src/files/document.ts';
import { MAX_BYTES, readFile } from '../../../src/files/read-file.ts';

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);
const problemOf = (read: Promise<unknown>) =>
  read.then(
    () => null,
    ({ problem }: { problem: string }) => problem,
  );

describe('readFile', () => {
  it('reads a text as paragraphs, its lines as they are', async () => {
    const { kind, text, layout } = await readFile(file('note.txt', 'a\r\nb\r\n\r\n  \r\nc'));
    expect([kind, text]).toEqual(['text', 'a\nb\n\n  \nc']);
    const blocks = layout.type === 'blocks' ? layout.blocks : [];
    expect(blocks.map(({ start, length }) => text.slice(start, start + length))).toEqual(['a\nb', 'c']);
  });

  it('joins lines that were broken at the width of a page, without moving anything', async () => {
    const line = 'The tenant pays the rent in advance, by the third day';
    const document = await readFile(file('note.txt', `A\nB\n\n${line}\n${line}\nof it.\n\nC\n`));
    expect(joinLines(document)).toBe(`A\nB\n\n${line} ${line} of it.\n\nC\n`);
    expect(joinLines({ ...document, kind: 'markdown' })).toBe(document.text);
  });

  it.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa4]],
    ['UTF-16, little end first', [0xff, 0xfe, 0xe4, 0]],
    ['UTF-16, big end first', [0xfe, 0xff, 0, 0xe4]],
    ['UTF-16 without a mark', [0xe4, 0, 0x20, 0, 0xe4, 0]],
    ["Windows' Western encoding", [0xe4]],
  ])('reads %s', async (_name, bytes) => {
    expect((await readFile(file('a.txt', Uint8Array.from(bytes)))).text).toMatch(/^ä(?: ä)?$/);
  });

  it('reads a file in UTF-8 that was cut within a character, and counts the characters that may be others', async () => {
    const bytes = new TextEncoder().encode('Müller heizt für 20 €');
    const cut = await readFile(file('a.txt', bytes.slice(0, -1)));
    expect(cut.text).toBe('Müller heizt für 20 \uFFFD');
    expect(cut.unread).toEqual([{ kind: 'character', count: 1 }]);
    const western = Uint8Array.from('Müller heizt für 20', (letter) => letter.charCodeAt(0));
    for (const name of ['a.txt', 'a.md']) {
      const { text, unread } = await readFile(file(name, western));
      expect(text).toBe('Müller heizt für 20');
      expect(unread).toEqual([{ kind: 'character', count: 2 }]);
    }
  });

  it('knows a file without an ending by its media type', async () => {
    expect((await readFile(new File(['# a'], 'README', { type: 'text/markdown' }))).text).toBe('a');
  });

  it.each([
    ['a picture', file('a.png', 'x'), 'unknown_kind'],
    ['a file of Word 97', file('a.doc', 'x'), 'old_word'],
    ['an encrypted Word file', file('a.docx', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)), 'old_word'],
    ['an empty file', file('a.txt'), 'empty'],
    ['a file of blanks', file('a.md', ' \n'), 'empty'],
    ['a program named as a text', file('a.txt', 'a\0b'), 'damaged'],
    ['a damaged PDF', file('a.pdf', 'x'), 'damaged'],
    ['a file that is too large', { ...file('a.txt'), name: 'a.txt', size: MAX_BYTES + 1 } as File, 'too_large'],
    ['a text that is too long', file('a.txt', 'a'.repeat(5_000_001)), 'too_long'],
    ['a line that is far too long', file('a.txt', 'a'.repeat(40_000_000)), 'too_long'],
    ['a Markdown text that is too long', file('a.md', '# a\n'.repeat(2_000_000)), 'too_long'],
    [
      'a folder',
      Object.assign(file('a.txt', 'x'), { arrayBuffer: () => Promise.reject(new Error('a folder')) }),
      'unavailable',
    ],
  ])('refuses %s', async (_name, wrong, problem) => {
    expect(await problemOf(readFile(wrong))).toBe(problem);
  });
});
