import type { Colouring } from './colouring.ts';
import { pileLevels, pileScale, pixelsOf, wholeView } from './view.ts';
import type { Face, Shape, TextShape, Typesetter, VectorFigure } from '../../../figures/drawing/figure.ts';
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
const PADDING = 24;
const TITLE: Face = { family: 'serif', size: 16, weight: 600, leading: 24 };
const TEXT: Face = { family: 'sans', size: 10, weight: 400, leading: 15 };

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
  const top = PADDING + TITLE.leading;
  const legend = colouring.entries.map(({ hue, name, size }) => ({ hue, text: `${name ?? other} (${size})` }));
  const bottom = top + MAP.height + PADDING / 2;
  const shapes: Shape[] = [
    words(title, PADDING, PADDING, TITLE, typesetter),
    ...dots(points, colouring, top),
    ...legend.flatMap(({ hue, text }, line) => [
      dot(PADDING + 4, bottom + line * TEXT.leading + TEXT.leading / 2, 4, hue),
      words(text, PADDING + 16, bottom + line * TEXT.leading, TEXT, typesetter),
    ]),
    ...notes.map((note, line) =>
      words(note, PADDING, bottom + (legend.length + line) * TEXT.leading + 6, TEXT, typesetter),
    ),
  ];
  const height = bottom + (legend.length + notes.length) * TEXT.leading + PADDING;
  const width = MAP.width + 2 * PADDING;
  return { width, height, title, shapes: [box({ left: 0, top: 0, width, height, fill: COLOURS.ground }), ...shapes] };
}

function dots(points: Float32Array, { hues }: Colouring, top: number): Shape[] {
  const pixels = pixelsOf(points, wholeView(MAP), MAP);
  const radius = hues.length < 200 ? 4 : hues.length < 2000 ? 2.5 : 1.2;
  const levels = pileLevels(pixels, radius);
  return Array.from(hues, (hue, point) => {
    const scaled = radius * pileScale(levels[point] ?? 0);
    return dot(PADDING + (pixels[2 * point] ?? 0), top + (pixels[2 * point + 1] ?? 0), scaled, hue);
  });
}

function dot(x: number, y: number, radius: number, hue: number): Shape {
  const fill = GROUP_COLOURS[hue] ?? COLOURS.lineStrong;
  return { ...box({ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius, fill }), radius };
}

function box(place: { left: number; top: number; width: number; height: number; fill: string }) {
  return { kind: 'box' as const, ...place };
}

function words(text: string, left: number, top: number, face: Face, typesetter: Typesetter): TextShape {
  const runs = [{ text, left, width: typesetter.width(text, face), isRtl: false }];
  return { kind: 'words', face, colour: COLOURS.ink, baseline: top + typesetter.baseline(face), isRtl: false, runs };
}
