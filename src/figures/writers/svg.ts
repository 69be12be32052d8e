import {
  type Box,
  DASHES,
  FAMILIES,
  hasRtl,
  type Shape,
  type TextShape,
  type VectorFigure,
} from '../drawing/figure.ts';
import { escaped } from './html-page.ts';

/** A figure as an SVG file without scripts, styles or references. */
export function svgOf({ width, height, title, shapes }: VectorFigure): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const areas = shapes.flatMap((shape) => (shape.kind === 'words' ? [] : [areaOf(shape)]));
  const texts = shapes.flatMap((shape) => (shape.kind === 'words' ? [textOf(shape)] : []));
  const body = [`<title>${escaped(title)}</title>`, ...areas, ...texts];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n${body.join('\n')}\n</svg>\n`;
}

/** The text of a figure alone, on a transparent ground. */
export function svgOfText(figure: VectorFigure): string {
  return svgOf({ ...figure, shapes: figure.shapes.filter(({ kind }) => kind === 'words') });
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

/**
 * A line of text. One that runs from left to right throughout is placed word by word, so that it stays on its colours when
 * another font replaces this one. Any other is one piece, because its order follows from the whole line.
 */
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
