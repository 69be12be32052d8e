import {
  type Box,
  DASHES,
  type Figure,
  type Path,
  type Photo,
  type Rule,
  type Shape,
  type Words,
} from '../figure/figure.ts';
import { FAMILIES, hasRtl } from '../figure/typesetter.ts';
import { escaped } from './escape.ts';

/** A figure as an SVG file without scripts, styles or references. */
export function svgOf({ width, height, title, shapes }: Figure): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const body = [`<title>${escaped(title)}</title>`, ...shapes.filter(isNoText).map(shapeOf), ...shapes.flatMap(textOf)];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n${body.join('\n')}\n</svg>\n`;
}

/** The text of a figure alone, on nothing. */
export function svgOfText(figure: Figure): string {
  return svgOf({ ...figure, shapes: figure.shapes.filter((shape) => !isNoText(shape)) });
}

type NoText = Exclude<Shape, Words>;

function isNoText(shape: Shape): shape is NoText {
  return shape.kind !== 'words';
}

function shapeOf(shape: NoText): string {
  switch (shape.kind) {
    case 'box':
      return boxOf(shape);
    case 'rule':
      return ruleOf(shape);
    case 'path':
      return pathOf(shape);
    case 'photo':
      return photoOf(shape);
  }
}

function boxOf({ left, top, width, height, fill, opacity, radius, stroke }: Box): string {
  return element('rect', {
    ...{ x: left, y: top, width, height, fill },
    ...(radius && { rx: radius }),
    ...(opacity !== undefined && { 'fill-opacity': opacity }),
    ...(stroke && { stroke, 'stroke-width': 0.75 }),
  });
}

function ruleOf({ left, top, width, thickness, colour, isBroken }: Rule): string {
  return element('line', {
    ...{ x1: left, y1: top, x2: left + width, y2: top, stroke: colour, 'stroke-width': thickness },
    ...(isBroken && { 'stroke-dasharray': DASHES.join(' ') }),
  });
}

function pathOf({ points, thickness, colour, dashes }: Path): string {
  return element('polyline', {
    ...{ points: points.map((point) => point.map(valueOf).join(',')).join(' '), fill: 'none' },
    ...{ stroke: colour, 'stroke-width': thickness, 'stroke-linejoin': 'round' },
    ...(dashes.length > 0 && { 'stroke-dasharray': dashes.join(' ') }),
  });
}

function photoOf({ left, top, width, height, href }: Photo): string {
  return element('image', { x: left, y: top, width, height, href });
}

function textOf(shape: Shape): string[] {
  return shape.kind === 'words' ? [wordsOf(shape)] : [];
}

/**
 * A line of text. One that runs from left to right throughout is placed word by word, so that it stays on its colours when
 * another font takes the place of this one. Any other is one piece, because its order follows from the whole line.
 */
function wordsOf(words: Words): string {
  const { face, colour, baseline, isRtl, runs } = words;
  const style = {
    ...{ 'font-family': FAMILIES[face.family], 'font-size': face.size, 'font-weight': face.weight, fill: colour },
    style: 'white-space:pre',
  };
  const text = runs.map((run) => run.text).join('');
  if (!isRtl && !hasRtl(text)) return element('text', { ...style, y: baseline }, placed(runs).map(wordOf).join(''));
  const left = Math.min(...runs.map((run) => run.left));
  const right = Math.max(...runs.map((run) => run.left + run.width));
  return element(
    'text',
    {
      ...style,
      ...{ x: isRtl ? right : left, y: baseline, direction: isRtl ? 'rtl' : 'ltr' },
      ...{ textLength: right - left, lengthAdjust: 'spacingAndGlyphs' },
    },
    escaped(text),
  );
}

function wordOf({ text, left }: { text: string; left: number }): string {
  return element('tspan', { x: left }, escaped(text));
}

/** Joins runs within a word, so that its letters stay connected. */
function placed(runs: Words['runs']): { text: string; left: number }[] {
  const words: { text: string; left: number }[] = [];
  for (const { text, left } of runs) {
    const last = words.at(-1);
    if (last && !/\s$/.test(last.text) && !/^\s/.test(text)) last.text += text;
    else words.push({ text, left });
  }
  return words;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(valueOf(value))}"`);
  return content === undefined ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${content}</${name}>`;
}

/** Hundredths of a point are finer than any printer. */
function valueOf(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.round(value * 100) / 100);
}
