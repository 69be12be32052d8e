// cspell:ignore beginbfchar nendbfchar findresource begincmap begincodespacerange endcodespacerange endcmap currentdict defineresource procs
// cspell:ignore flate nendobj nstartxref FEFF
import { graphemesOf } from '../../explanations/segmentation.ts';
import { MADE_WITH } from '../drawing/content.ts';
import { type Box, DASHES, type Place, type Shape, type TextShape, type VectorFigure } from '../drawing/figure.ts';
import { channels } from '../colours.ts';

/** Pixels of a canvas; colours are not multiplied by alpha. */
type Pixels = Pick<ImageData, 'width' | 'height' | 'data'>;

/**
 * A figure as a PDF file of one page. Areas and lines are vectors in their exact colours. Text is a picture of high
 * resolution, because the browser does not give access to its fonts, with the same text invisible above it, for search and
 * selection.
 *
 * @param text    the text of the figure on a transparent ground, over its whole area
 * @param photos  pictures by their `href`
 * @source PDF 1.7, ISO 32000-1:2008
 */
export async function pdfOf(
  figure: VectorFigure,
  { text, photos }: { readonly text: Pixels; readonly photos: ReadonlyMap<string, Pixels> },
): Promise<Uint8Array<ArrayBuffer>> {
  const file = createPdfFile();
  const resources: Resources = { images: new Map(), states: new Map() };
  for (const shape of figure.shapes) {
    if (shape.kind === 'box' && shape.opacity !== undefined) addState(file, resources, shape.opacity);
    const photo = shape.kind === 'photo' ? photos.get(shape.href) : undefined;
    if (shape.kind === 'photo' && photo) resources.images.set(shape.href, await addImage(file, photo));
  }
  const textImage = await addImage(file, text);
  const invisible = await addInvisibleText(file, figure);
  const { width, height } = figure;
  const content = [
    `1 0 0 -1 0 ${number(height)} cm`, // from here on lengths go down, as in the figure
    ...figure.shapes.flatMap((shape) => operators(shape, resources)),
    ...placed('Text', { left: 0, top: 0, width, height }),
    ...invisible.content,
  ];
  const images = [...resources.images.values()].map((id) => `/I${id} ${id} 0 R`).join(' ');
  const states = [...resources.states.values()].map((id) => `/G${id} ${id} 0 R`).join(' ');
  const stream = await file.stream('', encoded(content.join('\n')));
  const pages = file.reserve();
  const page = file.object(
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${number(width)} ${number(height)}] /Contents ${stream} 0 R ` +
      `/Resources << /XObject << /Text ${textImage} 0 R ${images} >> /ExtGState << ${states} >> ` +
      `/Font << ${invisible.fonts} >> >> >>`,
  );
  file.define(pages, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  const root = file.object(`<< /Type /Catalog /Pages ${pages} 0 R >>`);
  const info = file.object(`<< /Title ${textString(figure.title)} /Creator ${textString(MADE_WITH)} >>`);
  return file.bytes(root, info);
}

/** Numbers of objects that the page refers to. */
interface Resources {
  /** By `href`. */
  readonly images: Map<string, number>;
  /** By opacity. */
  readonly states: Map<number, number>;
}

function addState(file: PdfFile, { states }: Resources, opacity: number): void {
  if (!states.has(opacity)) states.set(opacity, file.object(`<< /Type /ExtGState /ca ${number(opacity)} >>`));
}

/** A PDF file stores colours and alpha separately. */
async function addImage(file: PdfFile, { width, height, data }: Pixels): Promise<number> {
  const count = width * height;
  const [rgb, alpha] = [new Uint8Array(3 * count), new Uint8Array(count)];
  for (let pixel = 0; pixel < count; pixel++) {
    for (let channel = 0; channel < 3; channel++) rgb[3 * pixel + channel] = data[4 * pixel + channel] ?? 0;
    alpha[pixel] = data[4 * pixel + 3] ?? 0;
  }
  const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = await file.stream(`${size} /ColorSpace /DeviceGray`, alpha);
  return file.stream(`${size} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, rgb);
}

function operators(shape: Shape, { images, states }: Resources): string[] {
  switch (shape.kind) {
    case 'box': {
      const { fill, stroke, opacity } = shape;
      const state = opacity === undefined ? undefined : states.get(opacity);
      return [
        'q',
        ...(state === undefined ? [] : [`/G${state} gs`]),
        `${colour(fill)} rg`,
        ...(stroke ? [`${colour(stroke)} RG 0.75 w`] : []),
        outline(shape),
        stroke ? 'B' : 'f',
        'Q',
      ];
    }
    case 'rule': {
      const dashes = shape.isBroken ? `[${DASHES.join(' ')}] 0 d` : '[] 0 d';
      const [from, to, y] = [shape.left, shape.left + shape.width, shape.top].map(number);
      const pen = `${colour(shape.colour)} RG ${number(shape.thickness)} w ${dashes}`;
      return ['q', pen, `${from} ${y} m ${to} ${y} l S`, 'Q'];
    }
    case 'path': {
      const line = shape.points.map(([left, top], at) => `${number(left)} ${number(top)} ${at === 0 ? 'm' : 'l'}`);
      const pen = `${colour(shape.colour)} RG ${number(shape.thickness)} w [${shape.dashes.join(' ')}] 0 d 1 j`;
      return ['q', pen, `${line.join(' ')} S`, 'Q'];
    }
    case 'photo': {
      const id = images.get(shape.href);
      return id === undefined ? [] : placed(`I${id}`, shape);
    }
    case 'words':
      return [];
  }
}

/** How far the control points of a quarter circle are from its ends, in radii. */
const QUARTER = 0.5523;

function outline({ left, top, width, height, radius = 0 }: Box): string {
  if (radius === 0) return `${[left, top, width, height].map(number).join(' ')} re`;
  const [r, c] = [radius, radius * (1 - QUARTER)];
  const [right, bottom] = [left + width, top + height];
  const path: [operator: string, ...numbers: number[]][] = [
    ['m', left + r, top],
    ['l', right - r, top],
    ['c', right - c, top, right, top + c, right, top + r],
    ['l', right, bottom - r],
    ['c', right, bottom - c, right - c, bottom, right - r, bottom],
    ['l', left + r, bottom],
    ['c', left + c, bottom, left, bottom - c, left, bottom - r],
    ['l', left, top + r],
    ['c', left, top + c, left + c, top, left + r, top],
  ];
  return [...path.map(([operator, ...numbers]) => `${numbers.map(number).join(' ')} ${operator}`), 'h'].join(' ');
}

/** An image is one unit high and wide, and upright where lengths go up. */
function placed(name: string, { left, top, width, height }: Place): string[] {
  const matrix = [width, 0, 0, -height, left, top + height].map(number).join(' ');
  return ['q', `${matrix} cm`, `/${name} Do`, 'Q'];
}

function colour(value: string): string {
  return channels(value).map(number).join(' ');
}

/** Codes of one font: one byte each, without 0. */
const CODES = 255;
/** Width of every glyph, thousandths of the font's size. */
const GLYPH_WIDTH = 500;

/**
 * The text of a figure at its place, in a font of empty glyphs. A code represents a grapheme of any script, and the
 * table of the font says which. Returns operators, and entries of the page's dictionary of fonts.
 */
async function addInvisibleText(
  file: PdfFile,
  { shapes }: VectorFigure,
): Promise<{ readonly content: readonly string[]; readonly fonts: string }> {
  const codes = new Map<string, number>();
  const content = shapes.flatMap((shape) => {
    if (shape.kind !== 'words') return [];
    const { baseline, face } = shape;
    return shape.runs.flatMap((run) => invisibleRun(run, { baseline, size: face.size, codes }));
  });
  const graphemes = [...codes.keys()];
  const fonts: string[] = [];
  for (let first = 0; first < graphemes.length; first += CODES) {
    const id = await addFont(file, graphemes.slice(first, first + CODES));
    fonts.push(`/F${first / CODES} ${id} 0 R`);
  }
  return { content, fonts: fonts.join(' ') };
}

/** Adds new graphemes to `codes`. */
function invisibleRun(
  { text, left, width, isRtl }: TextShape['runs'][number],
  { baseline, size, codes }: { baseline: number; size: number; codes: Map<string, number> },
): string[] {
  const graphemes = graphemesOf(text);
  if (graphemes.length === 0 || width <= 0) return [];
  // Readers expect glyphs in visual order, from left to right, and reverse them themselves.
  const visual = isRtl ? graphemes.toReversed() : graphemes;
  const scale = (100 * width * 1000) / (graphemes.length * GLYPH_WIDTH * size);
  const place = `1 0 0 -1 ${number(left)} ${number(baseline)} Tm`;
  const strings = byFont(visual, codes).map(
    ({ font, bytes }) => `/F${font} ${number(size)} Tf <${bytes.map(hexByte).join('')}> Tj`,
  );
  return [`BT 3 Tr ${number(scale)} Tz ${place}`, ...strings, 'ET'];
}

/** Neighbours of one font together; a new grapheme gets the next code. */
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
  const glyph = await file.stream('', encoded(`${GLYPH_WIDTH} 0 d0`));
  const table = await file.stream('', encoded(unicodeTable(graphemes)));
  const count = graphemes.length;
  return file.object(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -250 ${GLYPH_WIDTH} 750] /FontMatrix [0.001 0 0 0.001 0 0] ` +
      `/CharProcs << /empty ${glyph} 0 R >> /Resources << >> ` +
      `/Encoding << /Type /Encoding /Differences [1 ${'/empty '.repeat(count)}] >> ` +
      `/FirstChar 1 /LastChar ${count} /Widths [${`${GLYPH_WIDTH} `.repeat(count)}] /ToUnicode ${table} 0 R >>`,
  );
}

const BLOCK = 100;

function unicodeTable(graphemes: readonly string[]): string {
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

type PdfFile = ReturnType<typeof createPdfFile>;

function createPdfFile() {
  const objects: Uint8Array<ArrayBuffer>[] = [];
  return {
    /** A number for an object that others refer to before `define`. */
    reserve: () => objects.push(new Uint8Array()),
    define(id: number, body: string): void {
      objects[id - 1] = encoded(body);
    },
    object: (body: string) => objects.push(encoded(body)),
    async stream(dictionary: string, data: Uint8Array<ArrayBuffer>): Promise<number> {
      const packed = await deflated(data);
      const head = `<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
      return objects.push(joined([encoded(head), packed, encoded('\nendstream')]));
    },
    bytes: (root: number, info: number) => fileOf(objects, `/Root ${root} 0 R /Info ${info} 0 R`),
  };
}

/** The second line tells programs that the file is binary. */
const HEAD = Uint8Array.of(...encoded('%PDF-1.7\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a);

function fileOf(objects: readonly Uint8Array<ArrayBuffer>[], trailer: string): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [HEAD];
  const offsets: string[] = [];
  let length = HEAD.length;
  for (const [index, body] of objects.entries()) {
    offsets.push(`${String(length).padStart(10, '0')} 00000 n \n`);
    const part = joined([encoded(`${index + 1} 0 obj\n`), body, encoded('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  parts.push(encoded(`${table}trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`));
  return joined(parts);
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function deflated(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([data]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A number without an exponent, which PDF does not support. */
function number(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** A text in any script. */
function textString(text: string): string {
  return `<FEFF${utf16(text)}>`;
}

/** UTF-16 units, four hexadecimal digits each. */
function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0'),
  ).join('');
}
