// cspell:ignore beginbfchar nendbfchar findresource begincmap begincodespacerange endcodespacerange endcmap currentdict defineresource procs

import type { Figure } from '../figure/figure.ts';
import { graphemesOf } from '../../../../state/explain/text/graphemes.ts';
import type { Run } from '../figure/typesetter.ts';
import { number, type PdfFile, utf16 } from './pdf-file.ts';

/** Codes of one font: one byte each, without 0. */
const CODES = 255;
/** Width of every glyph, thousandths of the font's size. */
const GLYPH_WIDTH = 500;

/** What a page needs for text that is there, and is not drawn. */
export interface InvisibleText {
  readonly content: readonly string[];
  /** Entries of the page's dictionary of fonts. */
  readonly fonts: string;
}

/**
 * The text of a figure where it stands, in a font of empty glyphs. A code stands for a grapheme of any script, and the
 * table of the font says which.
 */
export async function addInvisibleText(file: PdfFile, { shapes }: Figure): Promise<InvisibleText> {
  const codes = new Map<string, number>();
  const content = shapes.flatMap((shape) => {
    if (shape.kind !== 'words') return [];
    const { size } = shape.face;
    return shape.runs.flatMap((run) => shown(run, { baseline: shape.baseline, size, codes }));
  });
  const graphemes = [...codes.keys()];
  const fonts: string[] = [];
  for (let first = 0; first < graphemes.length; first += CODES) {
    const id = await addFont(file, graphemes.slice(first, first + CODES));
    fonts.push(`/F${first / CODES} ${id} 0 R`);
  }
  return { content, fonts: fonts.join(' ') };
}

/** Where a run stands, and the codes of graphemes so far. */
interface Shown {
  readonly baseline: number;
  readonly size: number;
  readonly codes: Map<string, number>;
}

function shown({ text, left, width, isRtl }: Run, { baseline, size, codes }: Shown): string[] {
  const graphemes = graphemesOf(text);
  if (graphemes.length === 0 || width <= 0) return [];
  // Readers expect glyphs from left to right, as they are seen, and turn them around themselves.
  const seen = isRtl ? graphemes.toReversed() : graphemes;
  const scale = (100 * width * 1000) / (graphemes.length * GLYPH_WIDTH * size);
  const place = `1 0 0 -1 ${number(left)} ${number(baseline)} Tm`;
  const strings = byFont(seen, codes).map(
    ({ font, bytes }) => `/F${font} ${number(size)} Tf <${bytes.map(hexByte).join('')}> Tj`,
  );
  return [`BT 3 Tr ${number(scale)} Tz ${place}`, ...strings, 'ET'];
}

/** Neighbours of one font together; a grapheme that is new gets the next code. */
function byFont(graphemes: readonly string[], codes: Map<string, number>): { font: number; bytes: number[] }[] {
  const groups: { font: number; bytes: number[] }[] = [];
  for (const grapheme of graphemes) {
    const code = codes.get(grapheme) ?? codes.size;
    codes.set(grapheme, code);
    const [font, byte] = [Math.floor(code / CODES), (code % CODES) + 1];
    const last = groups.at(-1);
    if (last?.font === font) last.bytes.push(byte);
    else groups.push({ font, bytes: [byte] });
  }
  return groups;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

async function addFont(file: PdfFile, graphemes: readonly string[]): Promise<number> {
  const glyph = await file.stream('', new TextEncoder().encode(`${GLYPH_WIDTH} 0 d0`));
  const table = await file.stream('', new TextEncoder().encode(tableOf(graphemes)));
  const count = graphemes.length;
  return file.object(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -250 ${GLYPH_WIDTH} 750] /FontMatrix [0.001 0 0 0.001 0 0] ` +
      `/CharProcs << /empty ${glyph} 0 R >> /Resources << >> ` +
      `/Encoding << /Type /Encoding /Differences [1 ${'/empty '.repeat(count)}] >> ` +
      `/FirstChar 1 /LastChar ${count} /Widths [${`${GLYPH_WIDTH} `.repeat(count)}] /ToUnicode ${table} 0 R >>`,
  );
}

/** Entries of one block at most. */
const BLOCK = 100;

function tableOf(graphemes: readonly string[]): string {
  const entries = graphemes.map((grapheme, index) => `<${hexByte(index + 1)}> <${utf16(grapheme)}>`);
  const blocks = Array.from({ length: Math.ceil(entries.length / BLOCK) }, (_, index) => {
    const block = entries.slice(index * BLOCK, (index + 1) * BLOCK);
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`;
  });
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CMapName /Graphemes def /CMapType 2 def',
    '1 begincodespacerange <00> <FF> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}
