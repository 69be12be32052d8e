import { describe, expect, it, vi } from 'vitest';
import { UnreadableFile } from '../../../src/files/document.ts';
import { readWord } from '../../../src/files/read-word.ts';
import type { WorkerPort } from '../../../src/scheduler/spawn.ts';
import { deflated, docxFiles, paragraph, table } from '../../support/files/docx.ts';
import { zipOf } from '../../support/files/write-zip.ts';
import { documentsPort } from '../../support/fakes/page.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A paragraph with properties. */
const styled = (properties: string, text: string) =>
  paragraph(text).replace('<w:p>', `<w:p><w:pPr>${properties}</w:pPr>`);

const entry = (level: number, text: string) =>
  styled(`<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`, text);

const NUMBERING = deflated(
  'word/numbering.xml',
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>` +
    '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
);

async function read(body: string, more: Parameters<typeof docxFiles>[1] = []) {
  const { text, layout } = await readWord(zipOf(docxFiles(body, more)), {}, documentsPort);
  if (layout.type !== 'blocks') throw new TypeError('expected blocks');
  return { text, blocks: layout.blocks };
}

describe('readWord', () => {
  it('says what each block is, and where it stands', async () => {
    const body =
      styled('<w:pStyle w:val="Heading2"/>', 'Rent') +
      paragraph('It is due.') +
      entry(0, 'one') +
      entry(1, 'deep') +
      entry(0, 'two');
    const { text, blocks } = await read(body, [NUMBERING]);
    expect(blocks.map(({ start, length, ...rest }) => [text.slice(start, start + length), rest])).toEqual([
      ['Rent', { kind: 'heading', level: 2 }],
      ['It is due.', { kind: 'paragraph' }],
      ['1. one', { kind: 'paragraph' }],
      ['deep', { kind: 'item', level: 1 }],
      ['2. two', { kind: 'paragraph' }],
    ]);
  });

  it('says where the cells of a table stand', async () => {
    const { text, blocks } = await read(
      paragraph('Flats') +
        table([
          ['A | B', '900'],
          ['C', ''],
        ]),
    );
    expect(text).toBe('Flats\n\nA | B | 900\nC | ');
    const cells = blocks[1]?.rows?.map((row) => row.map(({ start, length }) => text.slice(start, start + length)));
    expect(cells).toEqual([
      ['A | B', '900'],
      ['C', ''],
    ]);
  });

  it('refuses what is no Word file, with the reason', async () => {
    await expect(readWord(new TextEncoder().encode('PK no'), {}, documentsPort)).rejects.toThrow(UnreadableFile);
  });

  it('fails when the worker is lost', async () => {
    const port: WorkerPort = {
      onmessage: null,
      onlost: null,
      terminate: () => undefined,
      postMessage() {
        port.onlost?.('out of memory');
      },
    };
    await expect(readWord(Uint8Array.of(1), {}, () => port)).rejects.toThrow(
      'damaged: the worker was lost: out of memory',
    );
  });

  it('ends the worker of a small file that takes long', async () => {
    vi.useFakeTimers();
    const ended: string[] = [];
    const port: WorkerPort = {
      onmessage: null,
      onlost: null,
      postMessage: () => undefined,
      terminate: () => ended.push('ended'),
    };
    const reading = readWord(new Uint8Array(2 ** 20), {}, () => port).catch(String);
    await vi.advanceTimersByTimeAsync(37_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([await reading, ended]).toEqual(['UnreadableFile: too_slow: out of time', ['ended']]);
    vi.useRealTimers();
  });

  it('ends the worker when it is aborted', async () => {
    const ended: string[] = [];
    const port: WorkerPort = {
      onmessage: null,
      onlost: null,
      postMessage: () => controller.abort(new Error('enough')),
      terminate: () => ended.push('ended'),
    };
    const controller = new AbortController();
    await expect(readWord(Uint8Array.of(1), { signal: controller.signal }, () => port)).rejects.toThrow('enough');
    expect(ended).toEqual(['ended']);
  });
});
