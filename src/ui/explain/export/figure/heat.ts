import { largestIn, marginIn, type Section, scoreIn } from '../../../../state/explain/influence.ts';
import { type Piece, runningText } from '../../../../state/explain/text/running-text.ts';
import { type Content, titleOf } from './content.ts';
import type { Figure, Path, Photo, Shape } from './figure.ts';
import { FACES, framed, FIGURE_WIDTH } from './frame.ts';
import { wholePieces } from './whole-pieces.ts';
import { legend, markShapes } from './legend.ts';
import { COLOURS, markOf } from './palette.ts';
import { type Sheet, shownText, wordsOf } from './sheet.ts';
import type { Face, Line, Typesetter } from './typesetter.ts';

/** A picture in grey, as it lies below its heat map. */
export interface GreyPicture {
  /** A data URL. */
  readonly href: string;
  /** Width divided by height. */
  readonly ratio: number;
}

/** See `heatFigure`. */
export interface HeatOptions {
  readonly typesetter: Typesetter;
  readonly content: Content;
  /** Where the prompt has a picture. */
  readonly picture: GreyPicture | null;
  readonly isBare?: boolean;
}

/** The prompt as it reads, each section in the colour of its influence. */
export function heatFigure({ typesetter, content, picture, isBare = false }: HeatOptions): Figure {
  const title = titleOf('heat', content);
  return framed({ typesetter, content, title, isBare }, (sheet) => {
    if (picture) addPicture(sheet, content, picture);
    if (content.outcome.question.prompt !== '') addText(sheet, content);
  });
}

function addPicture(sheet: Sheet, { outcome, view }: Content, picture: GreyPicture): void {
  const width = Math.min(sheet.width, FIGURE_WIDTH / 2, (FIGURE_WIDTH / 2) * picture.ratio);
  const block = pictureShapes(picture, { tiles: outcome.influence.picture, view, width });
  sheet.add(block.shapes, block.height + 8);
  addLegend(sheet, largestIn(outcome.influence.picture, view));
  sheet.gap(10);
}

/** Of a tile in the full colour: the picture shines through, as on the page. */
export const TILE_OPACITY = 0.64;

/** The picture and its tiles, from the upper left corner. */
export function pictureShapes(
  { href, ratio }: GreyPicture,
  options: { tiles: Content['outcome']['influence']['picture']; view: Content['view']; width: number },
): { shapes: Shape[]; height: number } {
  const { tiles, view, width } = options;
  const height = width / ratio;
  const photo: Photo = { kind: 'photo', left: 0, top: 0, width, height, href };
  const largest = largestIn(tiles, view);
  const marks = tiles.flatMap((tile): Shape[] => {
    const mark = markOf(scoreIn(tile, view) ?? 0, largest);
    if (mark.fill === null) return [];
    const { rect } = tile;
    const place = { left: rect.left * width, top: rect.top * height, width: rect.width * width };
    const [tint, line] = markShapes({ ...place, height: rect.height * height }, mark);
    if (tint?.kind !== 'box' || !line) return [];
    return [{ ...tint, fill: mark.hue, opacity: TILE_OPACITY * mark.weight }, line];
  });
  return { shapes: [photo, ...marks], height };
}

function addText(sheet: Sheet, content: Content): void {
  const block = textShapes(content, { typesetter: sheet.typesetter, face: FACES.text, width: sheet.width });
  sheet.add(block.shapes, block.height + 8);
  addLegend(sheet, largestIn(content.outcome.influence.prompt, content.view));
}

/** The scale below a block. */
export function addLegend(sheet: Sheet, largest: number): void {
  const { shapes, height } = legend({ typesetter: sheet.typesetter, face: FACES.small, largest });
  sheet.add(shapes, height);
}

/** A stretch of the prompt, as it is shown. */
export interface ShownPiece {
  readonly text: string;
  readonly section: Section | null;
}

/** The prompt in whole characters; a section that is a line end is shown as `↵`. */
export function shownPieces({ outcome: { influence, question } }: Content): ShownPiece[] {
  const pieces: Piece[] = runningText(question.prompt, influence.prompt);
  return wholePieces(pieces).map(({ text, section }) => ({
    text: shownText(section && text.includes('\n') && text.trim() === '' ? `↵${text}` : text),
    section,
  }));
}

/** How running text is set. */
export interface TextOptions {
  readonly typesetter: Typesetter;
  readonly face: Face;
  readonly width: number;
  /** Changes the lines before they are drawn. */
  readonly cut?: (lines: readonly Line[]) => readonly Line[];
}

/** The prompt's text with its colours, from the upper left corner. */
export function textShapes(content: Content, options: TextOptions): { shapes: Shape[]; height: number } {
  const { typesetter, face, width, cut = (lines) => lines } = options;
  const pieces = shownPieces(content);
  const texts = pieces.map(({ text }) => text);
  const lines = cut(typesetter.lay(texts, face, width));
  const largest = largestIn(content.outcome.influence.prompt, content.view);
  const marks = lines.flatMap(({ fragments }, index) =>
    fragments.flatMap(({ piece, left, width: length }) => {
      const section = pieces[piece]?.section ?? null;
      const score = section && scoreIn(section, content.view);
      if (score === null) return [];
      const baseline = typesetter.baseline(face) + index * face.leading;
      const drawn = markShapes(sectionPlace({ left, width: length, baseline }, face), markOf(score, largest), {
        ...{ radius: RADIUS, scale: face.size / FACES.text.size },
      });
      const isEstimate = section !== null && marginIn(section, content.view) !== null;
      return isEstimate ? [...drawn, dottedLine({ left, width: length, baseline }, face)] : drawn;
    }),
  );
  const words = wordsOf(lines, { face, colour: COLOURS.ink, typesetter });
  return { shapes: [...marks, ...words], height: lines.length * face.leading };
}

const RADIUS = 2;

/** Below the words of an estimate, as on the page. */
function dottedLine({ left, width, baseline }: { left: number; width: number; baseline: number }, face: Face): Path {
  const top = baseline + face.size * 0.3;
  return {
    ...{ kind: 'path', thickness: 0.06 * face.size, colour: COLOURS.ink, dashes: [1, 2] },
    points: [
      [left, top],
      [left + width, top],
    ],
  };
}

/** The ground of a section around its text; shares of the font's size. */
function sectionPlace({ left, width, baseline }: { left: number; width: number; baseline: number }, { size }: Face) {
  return { left, width, top: baseline - size * 1.08, height: size * 1.62 };
}
