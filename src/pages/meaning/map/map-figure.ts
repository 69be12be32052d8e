import type { Colouring } from './colouring.ts';
import { pileLevels, pileScale, pixelsOf, wholeView } from './view.ts';
import {
  createFigurePage,
  type Face,
  FACES,
  type Shape,
  type Typesetter,
  type VectorFigure,
} from '../../../figures/drawing/figure.ts';
import { COLOURS } from '../../../figures/colours.ts';

/** Colours of groups and of steps on white, from the light theme; a test compares them with `tokens.css`. */
export const GROUP_COLOURS = [
  '#1f7a68',
  '#8d5aa9',
  '#b3405a',
  '#5d7d1f',
  '#3d55a5',
  '#8c5a33',
  '#a03f96',
  '#3b7391',
  '#8b8577',
  '#888500',
  '#697c02',
  '#4a711e',
  '#2b652a',
  '#015830',
  '#004834',
  '#003930',
  '#002b29',
] as const;

const MAP = { width: 720, height: 540 };
const MARGIN = 24;
const TITLE: Face = { family: 'serif', size: 16, weight: 600, leading: 24 };

/** The whole map with its legend, on white. */
export function mapFigure({
  title,
  points,
  colouring,
  other,
  notes,
  typesetter,
}: {
  readonly title: string;
  /** `[texts, 2]` */
  readonly points: Float32Array;
  readonly colouring: Colouring;
  readonly other: string;
  /** Lines below the legend. */
  readonly notes: readonly string[];
  readonly typesetter: Typesetter;
}): VectorFigure {
  const page = createFigurePage(typesetter, { width: MAP.width + 2 * MARGIN, margin: MARGIN });
  page.text(title, TITLE);
  page.add(dots(points, colouring), MAP.height + MARGIN / 2);
  for (const { hue, name, size } of colouring.entries) {
    page.add([dot(4, FACES.small.leading / 2, 4, hue)], 0);
    page.text(`${name ?? other} (${size})`, FACES.small, { indent: 16 });
  }
  page.gap(6);
  for (const note of notes) page.text(note, FACES.small);
  return page.figure(title);
}

function dots(points: Float32Array, { hues }: Colouring): Shape[] {
  const pixels = pixelsOf(points, wholeView(MAP), MAP);
  const radius = hues.length < 200 ? 4 : hues.length < 2000 ? 2.5 : 1.2;
  const levels = pileLevels(pixels, radius);
  return Array.from(hues, (hue, point) => {
    const scaled = radius * pileScale(levels[point] ?? 0);
    return dot(pixels[2 * point] ?? 0, pixels[2 * point + 1] ?? 0, scaled, hue);
  });
}

function dot(x: number, y: number, radius: number, hue: number): Shape {
  const fill = GROUP_COLOURS[hue] ?? COLOURS.lineStrong;
  return { kind: 'box', left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius, fill, radius };
}
