import { MADE_WITH } from '../figure/content.ts';
import { type Box, DASHES, type Figure, type Path, type Photo, type Rule, type Shape } from '../figure/figure.ts';
import { channels } from '../figure/palette.ts';
import { createPdfFile, number, type PdfFile, textString } from './pdf-file.ts';
import { addInvisibleText } from './pdf-text.ts';

/** Pixels as a canvas gives them. */
export interface Plate {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row; colours are not multiplied by alpha. */
  readonly rgba: Uint8ClampedArray;
}

/** What a browser has to draw for a PDF file. */
export interface PdfParts {
  /** The text of the figure on nothing, over its whole area. */
  readonly text: Plate;
  /** Pictures by their `href`. */
  readonly photos: ReadonlyMap<string, Plate>;
}

/**
 * A figure as a PDF file of one page. Areas and lines are vectors in their exact colours. Text is a picture of high
 * resolution, because the browser does not give away its fonts, with the same text invisible above it, for search and
 * selection.
 *
 * @source PDF 1.7, ISO 32000-1:2008
 */
export async function pdfOf(figure: Figure, { text, photos }: PdfParts): Promise<Uint8Array<ArrayBuffer>> {
  const file = createPdfFile();
  const resources: Resources = { images: new Map(), states: new Map() };
  for (const shape of figure.shapes) {
    if (shape.kind === 'box' && shape.opacity !== undefined) addState(file, resources, shape.opacity);
    const plate = shape.kind === 'photo' ? photos.get(shape.href) : undefined;
    if (shape.kind === 'photo' && plate) resources.images.set(shape.href, await addImage(file, plate));
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
  const stream = await file.stream('', bytesOf(content.join('\n')));
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

/** Colours and alpha lie apart in a PDF file. */
async function addImage(file: PdfFile, { width, height, rgba }: Plate): Promise<number> {
  const count = width * height;
  const [rgb, alpha] = [new Uint8Array(3 * count), new Uint8Array(count)];
  for (let pixel = 0; pixel < count; pixel++) {
    for (let channel = 0; channel < 3; channel++) rgb[3 * pixel + channel] = rgba[4 * pixel + channel] ?? 0;
    alpha[pixel] = rgba[4 * pixel + 3] ?? 0;
  }
  const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = await file.stream(`${size} /ColorSpace /DeviceGray`, alpha);
  return file.stream(`${size} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, rgb);
}

function operators(shape: Shape, resources: Resources): string[] {
  switch (shape.kind) {
    case 'box':
      return box(shape, resources);
    case 'rule':
      return rule(shape);
    case 'path':
      return path(shape);
    case 'photo':
      return photo(shape, resources);
    case 'words':
      return [];
  }
}

function box(shape: Box, { states }: Resources): string[] {
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

/** How far the control points of a quarter circle lie from its ends, in radii. */
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

function rule({ left, top, width, thickness, colour: ink, isBroken }: Rule): string[] {
  const dashes = isBroken ? `[${DASHES.join(' ')}] 0 d` : '[] 0 d';
  const [from, to, y] = [left, left + width, top].map(number);
  return ['q', `${colour(ink)} RG ${number(thickness)} w ${dashes}`, `${from} ${y} m ${to} ${y} l S`, 'Q'];
}

function path({ points, thickness, colour: ink, dashes }: Path): string[] {
  const line = points.map(([left, top], index) => `${number(left)} ${number(top)} ${index === 0 ? 'm' : 'l'}`);
  return ['q', `${colour(ink)} RG ${number(thickness)} w [${dashes.join(' ')}] 0 d 1 j`, `${line.join(' ')} S`, 'Q'];
}

function photo({ href, ...place }: Photo, { images }: Resources): string[] {
  const id = images.get(href);
  return id === undefined ? [] : placed(`I${id}`, place);
}

/** An image is one unit high and wide, and stands upright where lengths go up. */
function placed(name: string, { left, top, width, height }: Omit<Photo, 'kind' | 'href'>): string[] {
  const matrix = [width, 0, 0, -height, left, top + height].map(number).join(' ');
  return ['q', `${matrix} cm`, `/${name} Do`, 'Q'];
}

function colour(value: string): string {
  return channels(value).map(number).join(' ');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
