import { graphemesOf } from '../../explanations/segmentation.ts';
import { COLOURS } from '../colours.ts';
import { hasRtl } from '../texts.ts';

/** A drawing as data for SVG, PNG and PDF. Lengths are points from the upper left corner, colours `#rrggbb`. */
export interface VectorFigure {
  readonly width: number;
  readonly height: number;
  /** One line, for readers that show no picture. */
  readonly title: string;
  /** In drawing order; text is above everything else. */
  readonly shapes: readonly Shape[];
}

/** What a figure consists of. */
export type Shape = Box | Rule | Path | TextShape | Photo;

/** Where a shape is, points. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A filled rectangle. */
export interface Box extends Place {
  readonly kind: 'box';
  readonly fill: string;
  /** 0 … 1; default 1. */
  readonly opacity?: number;
  /** Of its corners; default 0. */
  readonly radius?: number;
  /** Colour of its outline; default none. */
  readonly stroke?: string;
}

/** A horizontal line, solid or dashed; `top` is its middle. */
interface Rule extends Omit<Place, 'height'> {
  readonly kind: 'rule';
  readonly thickness: number;
  readonly colour: string;
  readonly isBroken: boolean;
}

/** A line through at least two points. */
interface Path {
  readonly kind: 'path';
  readonly points: readonly (readonly [left: number, top: number])[];
  readonly thickness: number;
  readonly colour: string;
  /** Dashes and gaps in turn; empty for a solid line. */
  readonly dashes: readonly number[];
}

/** Dashes and gaps of a dashed rule. */
export const DASHES = [4, 3] as const;

/** One line of text. */
export interface TextShape {
  readonly kind: 'words';
  readonly face: Face;
  readonly colour: string;
  readonly baseline: number;
  /** Whether the line as a whole runs from right to left. */
  readonly isRtl: boolean;
  /** In the order of the text, without white space at the end of the line; not empty. */
  readonly runs: readonly Run[];
}

/** A picture; `href` is a data URL. */
interface Photo extends Place {
  readonly kind: 'photo';
  readonly href: string;
}

/** The same shapes at another place. */
export function moved(shapes: readonly Shape[], right: number, down: number): Shape[] {
  return shapes.map((shape) => {
    if (shape.kind === 'path')
      return { ...shape, points: shape.points.map(([left, top]) => [left + right, top + down] as const) };
    if (shape.kind !== 'words') return { ...shape, left: shape.left + right, top: shape.top + down };
    const runs = shape.runs.map((run) => ({ ...run, left: run.left + right }));
    return { ...shape, baseline: shape.baseline + down, runs };
  });
}

/** A font and the height of its lines. */
export interface Face {
  readonly family: 'serif' | 'sans';
  /** Points. */
  readonly size: number;
  readonly weight: 400 | 600;
  /** From one baseline to the next, points. */
  readonly leading: number;
}

/** Font families for style sheets and attributes: those of the page. */
export const FAMILIES: Readonly<Record<Face['family'], string>> = {
  serif:
    "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', Charter, Georgia, 'Liberation Serif', serif",
  sans: "-apple-system, 'Segoe UI', Roboto, Ubuntu, Cantarell, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif",
};

/** Faces of figures for print. */
export const FACES = {
  lead: { family: 'serif', size: 20, weight: 600, leading: 26 },
  text: { family: 'serif', size: 15, weight: 400, leading: 29 },
  name: { family: 'serif', size: 13, weight: 400, leading: 18 },
  body: { family: 'sans', size: 12, weight: 400, leading: 18 },
  number: { family: 'sans', size: 11, weight: 400, leading: 15 },
  small: { family: 'sans', size: 10, weight: 400, leading: 15 },
  strong: { family: 'sans', size: 10, weight: 600, leading: 15 },
} as const satisfies Record<string, Face>;

/** Width of the figures for print, points. */
export const FIGURE_WIDTH = 640;

interface Run {
  /** Whole graphemes. */
  readonly text: string;
  /** Points from the left edge of the text. */
  readonly left: number;
  readonly width: number;
  readonly isRtl: boolean;
}

/** Part of a line that comes from the piece of the text with index `piece`. */
interface Fragment extends Run {
  readonly piece: number;
}

interface TextLine {
  /** Whether its paragraph runs from right to left. */
  readonly isRtl: boolean;
  /** In the order of the text; empty for an empty line. White space at the end of the line is left out. */
  readonly fragments: readonly Fragment[];
}

/** Lays out text. The page's one uses the browser, which supports all scripts; the tests' one counts characters. */
export interface Typesetter {
  /** Width on a line of its own, points. */
  width(text: string, face: Face): number;
  /** From the top of a line to its baseline, points. */
  baseline(face: Face): number;
  /**
   * Lines of text that wraps between words, or anywhere in a word that is longer than a line. A line end in the text ends
   * a paragraph, and each paragraph has the direction of its first letter.
   *
   * @param pieces  concatenate to the text
   * @param width   of the lines, points
   */
  lay(pieces: readonly string[], face: Face, width: number): readonly TextLine[];
}

/** Whether a paragraph runs from right to left: as its first letter does. */
export function isRtlParagraph(text: string): boolean {
  return hasRtl(/\p{L}/u.exec(text)?.[0] ?? '');
}

/** A page that grows downwards. */
export interface FigurePage {
  readonly typesetter: Typesetter;
  /** Between the margins, points. */
  readonly width: number;
  /** A paragraph over the whole width, or to the right of `indent`; more than `lines` lines end with an ellipsis. */
  text(
    text: string,
    face: Face,
    options?: { readonly colour?: string; readonly indent?: number; readonly lines?: number },
  ): void;
  /** Shapes of a block, from its own upper left corner. */
  add(shapes: readonly Shape[], height: number): void;
  gap(height: number): void;
  /** Everything so far on white. */
  figure(title: string): VectorFigure;
}

/** An empty page of that width, with `margin` free on all sides. Points. */
export function createFigurePage(
  typesetter: Typesetter,
  { width, margin }: { width: number; margin: number },
): FigurePage {
  const shapes: Shape[] = [];
  let y = margin;
  const inner = width - 2 * margin;
  const page: FigurePage = {
    typesetter,
    width: inner,
    text(text, face, { colour = COLOURS.ink, indent = 0, lines: maximum = Infinity } = {}) {
      const lines = shortened(typesetter.lay([shownText(text)], face, inner - indent), maximum);
      page.add(moved(textShapes(lines, { face, colour, typesetter }), indent, 0), lines.length * face.leading);
    },
    add(block, blockHeight) {
      for (const shape of moved(block, margin, y)) shapes.push(shape);
      y += blockHeight;
    },
    gap(points) {
      y += points;
    },
    figure(title) {
      const size = { width, height: Math.ceil(y + margin) };
      return { ...size, title, shapes: [backgroundBox(size), ...shapes] };
    },
  };
  return page;
}

/** White over the whole figure. */
export function backgroundBox(size: { readonly width: number; readonly height: number }): Box {
  return { kind: 'box', left: 0, top: 0, ...size, fill: COLOURS.ground };
}

/** A small heading inside a figure. */
export function heading(page: FigurePage, text: string): void {
  page.text(text, FACES.strong, { colour: COLOURS.inkSoft });
  page.gap(2);
}

/** Lines as shapes, from the upper left corner of the first one. */
export function textShapes(
  lines: readonly TextLine[],
  { face, colour, typesetter }: { face: Face; colour: string; typesetter: Typesetter },
): TextShape[] {
  const first = typesetter.baseline(face);
  return lines.flatMap(({ isRtl, fragments }, index) =>
    fragments.length === 0
      ? []
      : [{ kind: 'words' as const, face, colour, baseline: first + index * face.leading, isRtl, runs: fragments }],
  );
}

/** A text on one line, with its left edge at `left`, or its right one at `right`, or its middle at `middle`. */
export function label(
  text: string,
  at: { baseline: number } & ({ left: number } | { right: number } | { middle: number }),
  { face, colour = COLOURS.ink, typesetter }: { face: Face; colour?: string; typesetter: Typesetter },
): TextShape {
  const shown = shownText(text);
  const width = typesetter.width(shown, face);
  const left = 'left' in at ? at.left : 'right' in at ? at.right - width : at.middle - width / 2;
  // Only text with letters from right to left needs its runs, which cost the browser a layout.
  const line = hasRtl(shown) ? typesetter.lay([shown], face, MAX_LABEL_WIDTH)[0] : undefined;
  const fragments = line?.fragments ?? [{ text: shown, left: 0, width, isRtl: false }];
  const first = Math.min(...fragments.map((one) => one.left));
  const runs = fragments.map((one) => ({ ...one, left: left + one.left - first }));
  return { kind: 'words', face, colour, baseline: at.baseline, isRtl: isRtlParagraph(shown), runs };
}

/** Wide enough for any label, points. */
const MAX_LABEL_WIDTH = 4000;

/** Text as it can be drawn: a tab is four spaces wide. */
export function shownText(text: string): string {
  return text.replaceAll('\t', '    ');
}

/** At most `maximum` lines; where there were more, an ellipsis replaces the last characters. */
export function shortened(lines: readonly TextLine[], maximum: number): readonly TextLine[] {
  if (lines.length <= maximum) return lines;
  const shown = lines.slice(0, maximum);
  const last = shown.at(-1);
  const end = last?.fragments.at(-1);
  if (!last || !end) return shown;
  const text = `${graphemesOf(end.text).slice(0, -2).join('')}…`;
  return [...shown.slice(0, -1), { ...last, fragments: [...last.fragments.slice(0, -1), { ...end, text }] }];
}
