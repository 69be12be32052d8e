import {
  type Influence,
  largestIn,
  marginIn,
  NEUTRAL_NATS,
  runningText,
  scoreIn,
  type ScoreView,
  type Section,
} from '../../explanations/influence.ts';
import { graphemesOf } from '../../explanations/segmentation.ts';
import { numberText } from '../../words/language.ts';
import { COLOURS, type Mark, markOf } from '../colours.ts';
import { fullColour } from '../scale.ts';
import { quoted } from '../texts.ts';
import { figuresWords, resultWords } from '../words.en.ts';
import { type Content, type FigureOptions, framed, MADE_WITH, titleOf } from './content.ts';
import {
  backgroundBox,
  DASHES,
  type Face,
  FACES,
  FIGURE_WIDTH,
  type FigurePage,
  label,
  moved,
  type Place,
  type Shape,
  shortened,
  shownText,
  textShapes,
  type Typesetter,
  type VectorFigure,
} from './figure.ts';

/** A picture in grey, as it is drawn below its heat map. */
export interface GreyPicture {
  /** A data URL. */
  readonly href: string;
  /** Width divided by height. */
  readonly ratio: number;
}

/** What a heat map is drawn from; `picture` is null if the prompt has none. */
export interface HeatOptions extends FigureOptions {
  readonly picture: GreyPicture | null;
}

/** A text and its scores, to be drawn in colours. */
export interface DrawnText {
  readonly outcome: {
    readonly influence: Pick<Influence, 'prompt'>;
    readonly question: { readonly prompt: string };
  };
  readonly view: ScoreView;
  /** Of the scores, which are nats by default; `share`: of the largest. */
  readonly unit?: 'nats' | 'share';
}

type Lines = ReturnType<Typesetter['lay']>;

/** Shapes from their upper left corner, and the height of all of them, points. */
interface Block {
  readonly shapes: Shape[];
  readonly height: number;
}

/** The prompt as it reads, each section in the colour of its influence. */
export function heatFigure(options: HeatOptions): VectorFigure {
  const { content, picture } = options;
  const { influence, question } = content.outcome;
  return framed('heat', options, (page) => {
    if (picture) {
      const width = Math.min(page.width, FIGURE_WIDTH / 2, (FIGURE_WIDTH / 2) * picture.ratio);
      const { shapes, height } = pictureBlock(picture, content, width);
      page.add(shapes, height + 8);
      addLegend(page, largestIn(influence.picture, content.view));
      page.gap(10);
    }
    if (question.prompt === '') return;
    const { shapes, height } = textBlock(content, { typesetter: page.typesetter, face: FACES.text, width: page.width });
    page.add(shapes, height + 8);
    addLegend(page, largestIn(influence.prompt, content.view));
  });
}

/** Opacity of a tile in the full colour: the picture shines through, as on the page. */
export const TILE_OPACITY = 0.64;

function pictureBlock({ href, ratio }: GreyPicture, { outcome, view }: Content, width: number): Block {
  const tiles = outcome.influence.picture;
  const height = width / ratio;
  const photo: Shape = { kind: 'photo', left: 0, top: 0, width, height, href };
  const largest = largestIn(tiles, view);
  const marks = tiles.flatMap((tile): Shape[] => {
    const { rect } = tile;
    const mark = markOf(scoreIn(tile, view) ?? 0, largest);
    const [left, top] = [rect.left * width, rect.top * height];
    const [tint, line] = markShapes({ left, top, width: rect.width * width, height: rect.height * height }, mark);
    if (tint?.kind !== 'box' || !line) return [];
    return [{ ...tint, fill: mark.hue, opacity: TILE_OPACITY * mark.weight }, line];
  });
  return { shapes: [photo, ...marks], height };
}

/** A part of the prompt, as it is shown. */
export interface ShownPiece {
  readonly text: string;
  readonly section: Section | null;
}

/** The prompt in whole characters; a section that is a line end is shown as `↵`. */
export function shownPieces({ outcome: { influence, question } }: DrawnText): ShownPiece[] {
  return wholePieces(runningText(question.prompt, influence.prompt)).map(({ text, section }) => ({
    text: shownText(section && text.includes('\n') && text.trim() === '' ? `↵${text}` : text),
    section,
  }));
}

/**
 * Pieces that begin and end between graphemes. A grapheme that several pieces share is shown by the first of them; a piece
 * that has none of its own is left out.
 *
 * @param pieces  concatenate to a text
 */
export function wholePieces(pieces: ReturnType<typeof runningText>): ReturnType<typeof runningText> {
  const text = pieces.map((piece) => piece.text).join('');
  let [at, start, graphemeEnd, next] = [0, 0, 0, 0];
  const ends = graphemesOf(text).map((grapheme) => (graphemeEnd += grapheme.length));
  return pieces.flatMap((piece) => {
    at += piece.text.length;
    while ((ends[next] ?? at) < at) next++;
    const end = ends[next] ?? text.length;
    if (end <= start) return [];
    const whole = { ...piece, at: start, text: text.slice(start, end) };
    start = end;
    return [whole];
  });
}

const RADIUS = 2;

/** The prompt's text with its colours; `cut` changes the lines before they are drawn. */
export function textBlock(
  content: DrawnText,
  options: {
    readonly typesetter: Typesetter;
    readonly face: Face;
    readonly width: number;
    readonly cut?: (lines: Lines) => Lines;
  },
): Block {
  const { typesetter, face, width, cut = (lines) => lines } = options;
  const pieces = shownPieces(content);
  const texts = pieces.map(({ text }) => text);
  const lines = cut(typesetter.lay(texts, face, width));
  const largest = largestIn(content.outcome.influence.prompt, content.view);
  const style = { radius: RADIUS, scale: face.size / FACES.text.size };
  const marks = lines.flatMap(({ fragments }, index) =>
    fragments.flatMap(({ piece, left, width: length }) => {
      const section = pieces[piece]?.section;
      const score = section ? scoreIn(section, content.view) : null;
      if (!section || score === null) return [];
      const baseline = typesetter.baseline(face) + index * face.leading;
      const place = { left, width: length, top: baseline - face.size * 1.08, height: face.size * 1.62 };
      const drawn = markShapes(place, markOf(score, largest, section.isSink), style);
      const isEstimate = marginIn(section, content.view) !== null;
      return isEstimate ? [...drawn, dottedLine(place, baseline, face)] : drawn;
    }),
  );
  const words = textShapes(lines, { face, colour: COLOURS.ink, typesetter });
  return { shapes: [...marks, ...words], height: lines.length * face.leading };
}

/** Below the words of an estimate, as on the page. */
function dottedLine({ left, width }: Place, baseline: number, { size }: Face): Shape {
  const top = baseline + size * 0.3;
  const points = [left, left + width].map((x) => [x, top] as const);
  return { kind: 'path', thickness: 0.06 * size, colour: COLOURS.ink, dashes: [1, 2], points };
}

/** The scale of colours below a block. */
export function addLegend(page: FigurePage, largest: number, unit?: DrawnText['unit']): void {
  const { shapes, height } = legend({ typesetter: page.typesetter, face: FACES.small, largest, ...(unit && { unit }) });
  page.add(shapes, height);
}

/** Steps from no colour to the full one. */
const STEPS = 10;

/** Width of a step at a font of 10 points: whole dashes. */
const STEP_WIDTH = 2 * (DASHES[0] + DASHES[1]);

/**
 * The scale from full blue over nothing to full amber, with the numbers at its ends.
 *
 * @param options  `largest`: largest absolute score on the scale, nats; `hasNumbers`: false if several scales share the colours
 */
export function legend(options: {
  readonly typesetter: Typesetter;
  readonly face: Face;
  readonly largest: number;
  readonly hasNumbers?: boolean;
  readonly unit?: DrawnText['unit'];
}): Block {
  const { typesetter, face, largest, hasNumbers = true, unit = 'nats' } = options;
  const full = fullColour(largest);
  const scale = Math.round(face.size / 10);
  const [step, height] = [STEP_WIDTH * scale, face.size * 1.2];
  const baseline = typesetter.baseline(face);
  const top = (face.leading - height) / 2;
  const gap = face.size * 0.6;
  const words = resultWords().heat;
  const opposes = hasNumbers ? `${words.opposes}  −${numberText(full)}` : words.opposes;
  const supports = hasNumbers ? `+${numberText(full)}  ${words.supports}` : words.supports;
  const left = typesetter.width(opposes, face) + gap;
  const right = left + 2 * STEPS * step;
  const steps = Array.from({ length: 2 * STEPS }, (_, index) => {
    const score = ((index + 0.5 - STEPS) / STEPS) * full; // in the middle of the step
    return markShapes({ left: left + index * step, top, width: step, height }, markOf(score, full), { scale });
  });
  const outline = [top, top + height].map((y): Shape => ({
    kind: 'box',
    left,
    top: y - 0.375,
    width: right - left,
    height: 0.75,
    fill: COLOURS.line,
  }));
  const style = { face, typesetter };
  const end = right + 3 * gap + typesetter.width(supports, face);
  const isLong = unit === 'share';
  const note = (isLong ? words.share : words.unit)(numberText(NEUTRAL_NATS));
  const place = isLong ? { left: 0, baseline: baseline + face.leading } : { left: end, baseline };
  const labels = [
    label(opposes, { left: 0, baseline }, style),
    label(supports, { left: right + gap, baseline }, style),
    label(note, place, { ...style, colour: COLOURS.inkSoft }),
  ];
  return { shapes: [...steps.flat(), ...outline, ...labels], height: face.leading * (isLong ? 2 : 1) };
}

/** Thickness of the line below a section with the full colour, points; `scale` makes it fit a larger font. */
const FULL_RULE = 3;

/** A section in its colour, and the line below it that shows sign and size without colour. */
export function markShapes(
  place: Place,
  { fill, edge, sign, weight }: Mark,
  { radius = 0, scale = 1 }: { radius?: number; scale?: number } = {},
): Shape[] {
  const { left, top, width, height } = place;
  if (fill === null || width <= 0) return [];
  const thickness = weight * FULL_RULE * scale;
  const line = { left, top: top + height - thickness / 2, width, thickness, colour: edge };
  return [
    { kind: 'box', left, top, width, height, fill, radius },
    { kind: 'rule', ...line, isBroken: sign === 'opposes' },
  ];
}

/** Size of the picture that sites show beside a link, pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** Around everything, points. */
const INSET = 56;
const WIDTH = SHARE_SIZE.width - 2 * INSET;
const LEAD_SIZES = [46, 38, 30] as const;
const LEAD_LINES = 2;
const TEXT_SIZES = [42, 34, 28, 24] as const;
const SMALL: Face = { family: 'sans', size: 20, weight: 400, leading: 32 };
/** Where the heat map ends and the legend begins, points from the top. */
const BODY_END = 486;

/** The headline and as much of the heat map as fits, for a post or a slide. */
export function shareFigure({ typesetter, content, picture }: Omit<HeatOptions, 'isBare'>): VectorFigure {
  const lead = shareLead(content, typesetter);
  const top = INSET + lead.height + 20;
  const height = BODY_END - top;
  const photoWidth = picture ? Math.min(WIDTH / 3, height * picture.ratio) : 0;
  const photo = picture ? pictureBlock(picture, content, photoWidth).shapes : [];
  const left = picture ? photoWidth + INSET / 2 : 0;
  const text = content.outcome.question.prompt === '' ? [] : fittingText(content, typesetter, WIDTH - left, height);
  const shapes = [
    backgroundBox(SHARE_SIZE),
    ...moved(lead.shapes, INSET, INSET),
    ...moved([...photo, ...moved(text, left, 0)], INSET, top),
    ...moved(shareFoot(content, typesetter), INSET, BODY_END + 8),
  ];
  return { ...SHARE_SIZE, title: titleOf('heat', content), shapes };
}

/** The headline, as large as fits on two lines. */
function shareLead({ lead }: Content, typesetter: Typesetter): Block {
  const settings = LEAD_SIZES.map((size) => {
    const face: Face = { family: 'serif', size, weight: 600, leading: size * 1.25 };
    return { face, lines: typesetter.lay([lead], face, WIDTH) };
  });
  const setting = settings.find(({ lines }) => lines.length <= LEAD_LINES) ?? settings.at(-1);
  if (!setting) return { shapes: [], height: 0 };
  const { face } = setting;
  const lines = shortened(setting.lines, LEAD_LINES);
  return { shapes: textShapes(lines, { face, colour: COLOURS.ink, typesetter }), height: lines.length * face.leading };
}

/** The text as large as fits; in the smallest size, its first lines. */
function fittingText(content: Content, typesetter: Typesetter, width: number, height: number): Shape[] {
  let shapes: Shape[] = [];
  for (const size of TEXT_SIZES) {
    const face: Face = { family: 'serif', size, weight: 400, leading: size * 1.85 };
    const maximum = Math.max(1, Math.floor(height / face.leading));
    let isWhole = true;
    const cut = (lines: Lines) => {
      isWhole = lines.length <= maximum;
      return shortened(lines, maximum);
    };
    ({ shapes } = textBlock(content, { typesetter, face, width, cut }));
    if (isWhole) break;
  }
  return shapes;
}

/** The legend, the target, and the program that made the picture. */
function shareFoot({ outcome, view, model, partial }: Content, typesetter: Typesetter): Shape[] {
  const { prompt, picture } = outcome.influence;
  const [text, tiles] = [largestIn(prompt, view), largestIn(picture, view)];
  const hasBoth = prompt.length > 0 && picture.length > 0;
  const scale = legend({ typesetter, face: SMALL, largest: Math.max(text, tiles), hasNumbers: !hasBoth });
  const words = figuresWords();
  const scales = words.scales(numberText(fullColour(tiles)), numberText(fullColour(text)));
  const target = words.target(quoted(outcome.question.target, 48));
  const foot = [partial, hasBoth ? scales : null, target, model, MADE_WITH].filter((one) => one !== null).join(' · ');
  const lines = shortened(typesetter.lay([foot], SMALL, WIDTH), 1);
  const facts = textShapes(lines, { face: SMALL, colour: COLOURS.inkSoft, typesetter });
  return [...scale.shapes, ...moved(facts, 0, scale.height + 6)];
}
