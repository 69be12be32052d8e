import { numberText } from '../../../words/language.ts';
import {
  createFigurePage,
  FACES,
  FIGURE_WIDTH,
  label,
  type Shape,
  type Typesetter,
  type VectorFigure,
} from '../../../figures/drawing/figure.ts';
import { COLOURS, mixed } from '../../../figures/colours.ts';

/** Colour of cells with a cosine of 1, from the light theme; a test compares it with `tokens.css`. */
export const ALIKE = '#6fae9f';

const MARGIN = 24;
/** Space for the numbers of rows and columns, points. */
const HEAD = 24;
const LARGEST_CELL = 40;
/** Smallest cell that a number of three digits fits into. */
const MIN_NUMBERED = 22;
const GAP = 1;

/** The matrix on white, with hundredths if they fit into the cells, and the numbered texts. `cosines`: `[texts, texts]`. */
export function cosineMatrixFigure({
  title,
  texts,
  cosines,
  model,
  typesetter,
}: {
  readonly title: string;
  readonly texts: readonly string[];
  readonly cosines: Float32Array;
  readonly model: string;
  readonly typesetter: Typesetter;
}): VectorFigure {
  const page = createFigurePage(typesetter, { width: FIGURE_WIDTH, margin: MARGIN });
  page.text(title, FACES.lead);
  page.gap(10);
  const size = Math.min(LARGEST_CELL, (page.width - HEAD) / texts.length);
  page.add(
    texts.map((_, column) => number(column + 1, { middle: HEAD + (column + 0.5) * size, baseline: 12 }, typesetter)),
    HEAD - 6,
  );
  for (const row of texts.keys()) {
    const values = cosines.subarray(row * texts.length, (row + 1) * texts.length);
    page.add(rowShapes(row, values, size, typesetter), size);
  }
  page.gap(14);
  texts.forEach((text, row) => page.text(`${numberText(row + 1)}  ${text}`, FACES.body, { lines: 2 }));
  page.gap(8);
  page.text(model, FACES.small, { colour: COLOURS.inkSoft });
  return page.figure(title);
}

function rowShapes(row: number, values: Float32Array, size: number, typesetter: Typesetter): Shape[] {
  const baseline = size / 2 + 3.5;
  const cells = [...values].flatMap((value, column): Shape[] => {
    const share = Math.min(1, Math.max(0, value));
    const left = HEAD + column * size;
    const place = { left, top: 0, width: size - GAP, height: size - GAP };
    const box = { kind: 'box', ...place, fill: mixed(ALIKE, COLOURS.ground, share) } as const;
    const middle = { middle: left + (size - GAP) / 2, baseline };
    if (size < MIN_NUMBERED) return [box];
    const style = { face: FACES.small, colour: COLOURS.ink, typesetter };
    return [box, label(numberText(Math.round(100 * share)), middle, style)];
  });
  return [number(row + 1, { right: HEAD - 6, baseline }, typesetter), ...cells];
}

function number(value: number, at: Parameters<typeof label>[1], typesetter: Typesetter): Shape {
  return label(numberText(value), at, { face: FACES.small, colour: COLOURS.inkSoft, typesetter });
}
