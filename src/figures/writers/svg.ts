import { type Box, DASHES, FAMILIES, type Shape, type TextShape, type VectorFigure } from '../drawing/figure.ts';
import { escaped } from './html-page.ts';
import { dataUrl, type Picture } from '../../explanations/question.ts';
import type { GreyPicture } from '../drawing/heat.ts';
import { hasRtl } from '../texts.ts';

/** A figure as an SVG file without scripts, styles or references. */
export function svgOf({ width, height, title, shapes }: VectorFigure): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const areas = shapes.flatMap((shape) => (shape.kind === 'words' ? [] : [areaOf(shape)]));
  const texts = shapes.flatMap((shape) => (shape.kind === 'words' ? [textOf(shape)] : []));
  const body = [`<title>${escaped(title)}</title>`, ...areas, ...texts];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n${body.join('\n')}\n</svg>\n`;
}

/** A figure as a picture of the page. @throws {DOMException} when the browser cannot draw it */
export function imageOf(figure: VectorFigure): Promise<HTMLImageElement> {
  return loaded(svgUrl(figure));
}

/** A figure as the source of an image. */
export function svgUrl(figure: VectorFigure): string {
  return `data:image/svg+xml,${encodeURIComponent(svgOf(figure))}`;
}

function areaOf(shape: Exclude<Shape, TextShape>): string {
  switch (shape.kind) {
    case 'box':
      return boxOf(shape);
    case 'rule':
      return element('line', {
        x1: shape.left,
        y1: shape.top,
        x2: shape.left + shape.width,
        y2: shape.top,
        stroke: shape.colour,
        'stroke-width': shape.thickness,
        ...(shape.isBroken && { 'stroke-dasharray': DASHES.join(' ') }),
      });
    case 'path':
      return element('polyline', {
        points: shape.points.map((point) => point.map(valueOf).join(',')).join(' '),
        fill: 'none',
        stroke: shape.colour,
        'stroke-width': shape.thickness,
        'stroke-linejoin': 'round',
        ...(shape.dashes.length > 0 && { 'stroke-dasharray': shape.dashes.join(' ') }),
      });
    case 'photo': {
      const { left, top, width, height, href } = shape;
      return element('image', { x: left, y: top, width, height, href });
    }
  }
}

function boxOf({ left, top, width, height, fill, opacity, radius, stroke }: Box): string {
  return element('rect', {
    x: left,
    y: top,
    width,
    height,
    fill,
    ...(radius && { rx: radius }),
    ...(opacity !== undefined && { 'fill-opacity': opacity }),
    ...(stroke && { stroke, 'stroke-width': 0.75 }),
  });
}

/** A line of text: word by word where it runs left to right, to stay on its colours in any font; else one piece. */
function textOf({ face, colour, baseline, isRtl, runs }: TextShape): string {
  const style = {
    'font-family': FAMILIES[face.family],
    'font-size': face.size,
    'font-weight': face.weight,
    fill: colour,
    style: 'white-space:pre',
  };
  const text = runs.map((run) => run.text).join('');
  if (!isRtl && !hasRtl(text)) return element('text', { ...style, y: baseline }, wordsOf(runs));
  const left = Math.min(...runs.map((run) => run.left));
  const right = Math.max(...runs.map((run) => run.left + run.width));
  const place = { x: isRtl ? right : left, y: baseline, direction: isRtl ? 'rtl' : 'ltr', textLength: right - left };
  return element('text', { ...style, ...place, lengthAdjust: 'spacingAndGlyphs' }, escaped(text));
}

/** Joins runs within a word, so that its letters stay connected. */
function wordsOf(runs: TextShape['runs']): string {
  const words: { text: string; left: number }[] = [];
  for (const { text, left } of runs) {
    const last = words.at(-1);
    if (last && !/\s$/.test(last.text) && !/^\s/.test(text)) last.text += text;
    else words.push({ text, left });
  }
  return words.map(({ text, left }) => element('tspan', { x: left }, escaped(text))).join('');
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(valueOf(value))}"`);
  return content === undefined ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${content}</${name}>`;
}

/** Hundredths of a point are finer than any printer. */
function valueOf(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.round(value * 100) / 100);
}

/** Most pixels of a canvas: above this mobile browsers draw nothing. */
const MAX_PIXELS = 16e6;

/** Pixels per point of a PNG file, so that a print stays sharp. */
const PNG_SCALE = 2;

/** A figure as a file. @throws {DOMException} when the browser cannot draw it */
export async function fileOfFigure(figure: VectorFigure, format: 'svg' | 'png'): Promise<Blob> {
  return format === 'png' ? pngOf(figure) : new Blob([svgOf(figure)], { type: 'image/svg+xml' });
}

/** @param scale  pixels per point; fewer for too large a canvas @throws {DOMException} when it cannot be drawn */
export async function pngOf(figure: VectorFigure, scale = PNG_SCALE): Promise<Blob> {
  const { width, height } = figure;
  const exact = Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)));
  const size = { width: Math.round(width * exact), height: Math.round(height * exact) };
  const { canvas } = onCanvas(await imageOf(figure), size);
  // `toBlob` waits until the browser is idle: while other work ran, Chromium took 1 to 7 s for 10 ms of encoding.
  const [head, data = ''] = canvas.toDataURL('image/png').split(',');
  if (head !== 'data:image/png;base64') throw new DOMException('empty drawing', 'EncodingError');
  return new Blob([bytesOf(atob(data))], { type: 'image/png' });
}

/** One byte per character. `Uint8Array.from` takes six times as long, and longer than encoding does. */
function bytesOf(characters: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** Longest side of a picture below its heat map, pixels. */
const LONGEST_SIDE = 1024;
/** Opacity of the grey picture, as on the page. */
const GREY_OPACITY = 0.8;
/** Red, green and blue of a grey. @source Filter Effects 1, `grayscale()` */
const LUMINANCE = [0.2126, 0.7152, 0.0722] as const;

/** The picture of a prompt in grey: a colour on it is influence. @throws {DOMException} when it cannot be decoded */
export async function greyPicture(source: Picture): Promise<GreyPicture> {
  const { canvas, context } = await picture(dataUrl(source));
  const pixels = pixelsOf({ canvas, context });
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const grey = LUMINANCE.reduce((sum, share, channel) => sum + share * (data[at + channel] ?? 0), 0);
    const pale = 255 - GREY_OPACITY * (255 - grey);
    for (let channel = 0; channel < 3; channel++) data[at + channel] = pale;
  }
  context.putImageData(pixels, 0, 0);
  return { href: canvas.toDataURL('image/png'), ratio: canvas.width / canvas.height };
}

interface Drawn {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

/** A picture on white: transparent pixels are white to the model. */
async function picture(href: string): Promise<Drawn> {
  const image = await loaded(href);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  const width = Math.max(1, Math.round(image.naturalWidth * scale));
  const height = Math.max(1, Math.round(image.naturalHeight * scale));
  const { canvas, context } = onCanvas(image, { width, height });
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  return { canvas, context };
}

async function loaded(source: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = source;
  await image.decode();
  return image;
}

function onCanvas(image: HTMLImageElement, { width, height }: { width: number; height: number }): Drawn {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new DOMException('no canvas to draw on', 'NotSupportedError');
  context.drawImage(image, 0, 0, width, height);
  return { canvas, context };
}

function pixelsOf({ canvas, context }: Drawn): ImageData {
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
