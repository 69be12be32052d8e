import { type Figure, moved, type Shape, type Words } from './figure.ts';
import { graphemesOf } from '../../../../state/explain/text/graphemes.ts';
import { COLOURS } from './palette.ts';
import { type Face, hasRtl, isRtlParagraph, type Line, type Typesetter } from './typesetter.ts';

/** A page that grows downwards. */
export interface Sheet {
  readonly typesetter: Typesetter;
  /** Between the margins, points. */
  readonly width: number;
  /** A paragraph over the whole width, or right of `indent`. */
  text(text: string, face: Face, options?: TextOptions): void;
  /** Shapes of a block, from its own upper left corner. */
  add(shapes: readonly Shape[], height: number): void;
  gap(height: number): void;
  /** Everything so far on white. */
  figure(title: string): Figure;
}

/** See `Sheet.text`. */
export interface TextOptions {
  readonly colour?: string;
  readonly indent?: number;
  /** Lines at most; the last one then ends with an ellipsis. */
  readonly lines?: number;
}

/** An empty page of that width; `margin` stays free around everything. Points. */
export function createSheet(typesetter: Typesetter, { width, margin }: { width: number; margin: number }): Sheet {
  const shapes: Shape[] = [];
  let y = margin;
  const inner = width - 2 * margin;
  const sheet: Sheet = {
    typesetter,
    width: inner,
    text(text, face, { colour = COLOURS.ink, indent = 0, lines: most = Infinity } = {}) {
      const lines = shortened(typesetter.lay([shownText(text)], face, inner - indent), most);
      sheet.add(moved(wordsOf(lines, { face, colour, typesetter }), indent, 0), lines.length * face.leading);
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
      const ground = { kind: 'box', left: 0, top: 0, ...size, fill: COLOURS.ground } as const;
      return { ...size, title, shapes: [ground, ...shapes] };
    },
  };
  return sheet;
}

/** Lines as shapes, from the upper left corner of the first one. */
export function wordsOf(
  lines: readonly Line[],
  { face, colour, typesetter }: { face: Face; colour: string; typesetter: Typesetter },
): Words[] {
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
): Words {
  const shown = shownText(text);
  const width = typesetter.width(shown, face);
  const left = 'left' in at ? at.left : 'right' in at ? at.right - width : at.middle - width / 2;
  const words = { kind: 'words', face, colour, baseline: at.baseline, isRtl: isRtlParagraph(shown) } as const;
  // Only text that turns around needs a look at its parts, which costs the browser a layout.
  const line = hasRtl(shown) ? typesetter.lay([shown], face, ROOM)[0] : undefined;
  const fragments = line?.fragments ?? [{ text: shown, left: 0, width, isRtl: false }];
  const first = Math.min(...fragments.map((one) => one.left));
  return { ...words, runs: fragments.map((one) => ({ ...one, left: left + one.left - first })) };
}

/** Wide enough for any label, points. */
const ROOM = 4000;

/** Text as it can be drawn: a tab is four spaces wide. */
export function shownText(text: string): string {
  return text.replaceAll('\t', '    ');
}

/** Ends at `most` lines; where there were more, with an ellipsis in place of the last characters. */
export function shortened(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  const last = kept.at(-1);
  const end = last?.fragments.at(-1);
  if (!last || !end) return kept;
  const fragments = [
    ...last.fragments.slice(0, -1),
    { ...end, text: `${graphemesOf(end.text).slice(0, -2).join('')}…` },
  ];
  return [...kept.slice(0, -1), { ...last, fragments }];
}
