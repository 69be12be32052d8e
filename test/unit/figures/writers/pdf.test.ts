import { describe, expect, it } from 'vitest';
import type { VectorFigure, TextShape } from '../../../../src/figures/drawing/figure.ts';
import { pdfOf } from '../../../../src/figures/writers/pdf.ts';
import { contentOf, readPdf } from '../../../support/figures/pdf.ts';

const plate = (...rgba: number[]) => ({ width: 1, height: rgba.length / 4, data: Uint8ClampedArray.from(rgba) });
const NO_TEXT = { text: plate(0, 0, 0, 0), photos: new Map() };
const figure = (...shapes: VectorFigure['shapes']): VectorFigure => ({
  width: 200,
  height: 100,
  title: 'Größe — 東京',
  shapes,
});
const words = (text: string, isRtl = false): TextShape => ({
  kind: 'words',
  colour: '#000000',
  baseline: 20,
  isRtl,
  face: { family: 'serif', size: 10, weight: 400, leading: 12 },
  runs: [{ text, left: 30, width: 40, isRtl }],
});
const written = async (shapes: VectorFigure['shapes'], parts = NO_TEXT) =>
  readPdf(await pdfOf(figure(...shapes), parts));

describe('pdfOf', () => {
  it('is one page of the size of the figure, with its title', async () => {
    const { objects, trailer } = await written([]);
    const all = [...objects.values()].map(({ dictionary }) => dictionary);
    expect(all.filter((one) => one.includes('/Type /Page '))).toEqual([
      expect.stringContaining('/MediaBox [0 0 200 100]'),
    ]);
    const info = objects.get(Number(/\/Info (\d+)/.exec(trailer)?.[1]))?.dictionary ?? '';
    expect(info).toContain('/Title <FEFF0047007200F600DF');
  });

  it('has areas and lines in exact colours', async () => {
    const content = contentOf(
      await written([
        { kind: 'box', left: 1, top: 2, width: 3, height: 4, fill: '#ff0000' },
        { kind: 'box', left: 1, top: 2, width: 30, height: 40, fill: '#00ff00', radius: 2, stroke: '#0000ff' },
        { kind: 'rule', left: 5, top: 6, width: 7, thickness: 1.5, colour: '#ffffff', isBroken: true },
      ]),
    );
    expect(content).toMatch(/^1 0 0 -1 0 100 cm\n/);
    expect(content).toContain('q\n1 0 0 rg\n1 2 3 4 re\nf\nQ');
    expect(content).toMatch(/0 1 0 rg\n0 0 1 RG 0\.75 w\n3 2 m .* c h\nB/);
    expect(content).toContain('1 1 1 RG 1.5 w [4 3] 0 d\n5 6 m 12 6 l S');
  });

  it('draws what shines through with its opacity, and pictures upright', async () => {
    const photos = new Map([['data:x', plate(1, 2, 3, 255)]]);
    const pdf = await written(
      [
        { kind: 'photo', left: 10, top: 20, width: 30, height: 40, href: 'data:x' },
        { kind: 'box', left: 0, top: 0, width: 1, height: 1, fill: '#ff0000', opacity: 0.25 },
      ],
      { ...NO_TEXT, photos },
    );
    expect(contentOf(pdf)).toMatch(/30 0 0 -40 10 60 cm\n\/I\d+ Do/);
    expect(contentOf(pdf)).toMatch(/\/G\d+ gs\n1 0 0 rg/);
    expect([...pdf.objects.values()].some(({ dictionary }) => dictionary.includes('/ca 0.25'))).toBe(true);
  });

  it('holds the pixels of its text, colours and alpha apart', async () => {
    const pdf = await written([], { text: plate(1, 2, 3, 4, 5, 6, 7, 8), photos: new Map() });
    const image = (space: string) =>
      [...pdf.objects.values()].find(({ dictionary }) => dictionary.includes(space))?.stream;
    expect(image('/DeviceRGB')).toBe('\u0001\u0002\u0003\u0005\u0006\u0007');
    expect(image('/DeviceGray')).toBe('\u0004\b');
  });

  it('holds the text itself, invisible, in any script', async () => {
    const pdf = await written([words('aba 👧')]);
    expect(contentOf(pdf)).toContain('BT 3 Tr 160 Tz 1 0 0 -1 30 20 Tm\n/F0 10 Tf <0102010304> Tj\nET');
    const table = [...pdf.objects.values()].find(({ stream }) => stream?.includes('beginbfchar'))?.stream;
    expect(table).toContain('4 beginbfchar\n<01> <0061>\n<02> <0062>\n<03> <0020>\n<04> <D83DDC67>\nendbfchar');
  });

  it('has text from right to left in the order in which it is seen', async () => {
    const pdf = await written([words('سلام', true)]);
    const table = [...pdf.objects.values()].find(({ stream }) => stream?.includes('beginbfchar'))?.stream;
    expect(table).toContain('<01> <0645>'); // the last letter stands first
  });

  it('takes another font for every 255 characters', async () => {
    const text = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const pdf = await written([words(text)]);
    expect(contentOf(pdf)).toMatch(/\/F0 10 Tf <01.*ff> Tj\n\/F1 10 Tf <01/);
    expect([...pdf.objects.values()].filter(({ dictionary }) => dictionary.includes('/Subtype /Type3'))).toHaveLength(
      2,
    );
  });
});
