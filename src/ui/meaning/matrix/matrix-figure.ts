import { numberText } from '../../../words/numbers.ts';
import type { Figure, Shape } from '../../explain/export/figure/figure.ts';
import { FACES, FIGURE_WIDTH } from '../../explain/export/figure/frame.ts';
import { COLOURS, mixed } from '../../explain/export/figure/palette.ts';
import { createSheet, label } from '../../explain/export/figure/sheet.ts';
import type { Typesetter } from '../../explain/export/figure/typesetter.ts';

/** What the figure of a matrix shows. */
export interface MatrixFigureOptions {
  readonly title: string;
  readonly texts: readonly string[];
  /** `[texts, texts]` */
  readonly cosines: Float32Array;
  /** Name of the model whose vectors were compared. */
  readonly model: string;
  readonly typesetter: Typesetter;
}

/** Cells of texts that say the same: that of the light theme. `tokens.css` has the same value, and a test compares them. */
export const ALIKE = '#6fae9f';

const MARGIN = 24;
/** Room for the numbers of rows and columns, points. */
const HEAD = 24;
const LARGEST_CELL = 40;
/** In a smaller cell a number of three digits does not fit. */
const LEAST_NUMBERED = 22;
const GAP = 1;

/** The matrix on white, in hundredths where they fit, and its texts by their numbers. */
export function matrixFigure({ title, texts, cosines, model, typesetter }: MatrixFigureOptions): Figure {
  const sheet = createSheet(typesetter, { width: FIGURE_WIDTH, margin: MARGIN });
  sheet.text(title, FACES.lead);
  sheet.gap(10);
  const size = Math.min(LARGEST_CELL, (sheet.width - HEAD) / texts.length);
  sheet.add(
    texts.map((_, column) => number(column + 1, { middle: HEAD + (column + 0.5) * size, baseline: 12 }, typesetter)),
    HEAD - 6,
  );
  for (const row of texts.keys()) {
    const values = cosines.subarray(row * texts.length, (row + 1) * texts.length);
    sheet.add(rowShapes(row, values, { size, typesetter }), size);
  }
  sheet.gap(14);
  texts.forEach((text, row) => sheet.text(`${numberText(row + 1)}  ${text}`, FACES.body, { lines: 2 }));
  sheet.gap(8);
  sheet.text(model, FACES.small, { colour: COLOURS.inkSoft });
  return sheet.figure(title);
}

function rowShapes(
  row: number,
  values: Float32Array,
  { size, typesetter }: { readonly size: number; readonly typesetter: Typesetter },
): Shape[] {
  const baseline = size / 2 + 3.5;
  const cells = [...values].flatMap((value, column): Shape[] => {
    const share = Math.min(1, Math.max(0, value));
    const left = HEAD + column * size;
    const place = { left, top: 0, width: size - GAP, height: size - GAP };
    const box = { kind: 'box', ...place, fill: mixed(ALIKE, COLOURS.ground, share) } as const;
    const middle = { middle: left + (size - GAP) / 2, baseline };
    return size < LEAST_NUMBERED
      ? [box]
      : [
          box,
          label(numberText(Math.round(100 * share)), middle, { face: FACES.small, colour: COLOURS.ink, typesetter }),
        ];
  });
  return [number(row + 1, { right: HEAD - 6, baseline }, typesetter), ...cells];
}

function number(value: number, at: Parameters<typeof label>[1], typesetter: Typesetter): Shape {
  return label(numberText(value), at, { face: FACES.small, colour: COLOURS.inkSoft, typesetter });
}
