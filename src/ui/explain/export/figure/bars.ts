import { figuresWords } from '../../../../words/en/explain/figures.ts';
import { rankedIn } from '../../../../state/explain/influence.ts';
import { barDomain, type BarRow, barRows, BARS_LIMIT } from '../../../charts/influence-series.ts';
import { type Content, cutText, promptFact, scoreLabel, titleOf } from './content.ts';
import type { Figure, Shape } from './figure.ts';
import { FACES, framed, heading, note } from './frame.ts';
import { COLOURS, markOf } from './palette.ts';
import { label } from './sheet.ts';
import type { Typesetter } from './typesetter.ts';

const ROW_HEIGHT = 22;
const BAR_HEIGHT = 13;
/** Between a bar and the text beside it, points. */
const GAP = 6;
/** Room for the number beside the longest bar, points. */
const NUMBER_WIDTH = 58;

/** See `barsFigure`. */
export interface BarsOptions {
  readonly typesetter: Typesetter;
  readonly content: Content;
  readonly isBare?: boolean;
}

/** The strongest sections as bars around zero: to the right supports, to the left opposes. */
export function barsFigure({ typesetter, content, isBare = false }: BarsOptions): Figure {
  const { outcome, view } = content;
  const ranked = rankedIn(outcome.influence.sections, view);
  const rows = barRows(ranked.slice(0, BARS_LIMIT), view);
  const title = titleOf('bars', content);
  const words = figuresWords();
  return framed({ typesetter, content, title, isBare, facts: [promptFact(content)] }, (sheet) => {
    heading(sheet, words.strongest);
    sheet.add(barShapes(rows, { typesetter, width: sheet.width }), rows.length * ROW_HEIGHT + 4);
    const ends = [
      label(words.opposesArrow, { left: 0, baseline: typesetter.baseline(FACES.small) }, smallStyle(typesetter)),
      label(
        words.supportsArrow,
        { right: sheet.width, baseline: typesetter.baseline(FACES.small) },
        smallStyle(typesetter),
      ),
    ];
    sheet.add(ends, FACES.small.leading);
    const cut = cutText(rows.length, ranked.length);
    if (cut) sheet.add(note(cut, typesetter), FACES.small.leading);
  });
}

function smallStyle(typesetter: Typesetter) {
  return { face: FACES.small, typesetter, colour: COLOURS.inkSoft };
}

function barShapes(rows: readonly BarRow[], { typesetter, width }: { typesetter: Typesetter; width: number }): Shape[] {
  const names = Math.max(0, ...rows.map(({ name }) => typesetter.width(name, FACES.name)));
  const [low, high] = barDomain(rows);
  const start = names + 2 * GAP + (low < 0 ? NUMBER_WIDTH : 0);
  const scale = (width - start - (high > 0 ? NUMBER_WIDTH : 0)) / (high - low);
  const zero = start - low * scale;
  const axis: Shape = {
    ...{ kind: 'box', left: zero - 0.375, top: 0, width: 0.75 },
    ...{ height: rows.length * ROW_HEIGHT, fill: COLOURS.lineStrong },
  };
  const largest = Math.max(0, ...rows.map(({ score }) => Math.abs(score)));
  return [axis, ...rows.flatMap((row, index) => barOf(row, { index, names, zero, scale, largest, typesetter }))];
}

/** Where a bar stands. */
interface BarPlace {
  readonly index: number;
  /** Width of the names, points. */
  readonly names: number;
  readonly zero: number;
  /** Points for each nat. */
  readonly scale: number;
  readonly largest: number;
  readonly typesetter: Typesetter;
}

function barOf({ name, score, margin }: BarRow, { index, names, zero, scale, largest, typesetter }: BarPlace): Shape[] {
  const middle = (index + 0.5) * ROW_HEIGHT;
  const length = Math.max(1, Math.abs(score) * scale);
  const left = score < 0 ? zero - length : zero;
  const { hue, edge } = markOf(score, largest);
  const beside = score < 0 ? { right: left - GAP } : { left: left + length + GAP };
  const baselineOf = (face: (typeof FACES)[keyof typeof FACES]) =>
    middle - face.leading / 2 + typesetter.baseline(face);
  return [
    {
      ...{ kind: 'box', left, top: middle - BAR_HEIGHT / 2, width: length, height: BAR_HEIGHT },
      ...{ fill: hue, stroke: edge, radius: 1.5 },
    },
    label(name, { right: names, baseline: baselineOf(FACES.name) }, { face: FACES.name, typesetter }),
    label(
      scoreLabel(score, margin),
      { ...beside, baseline: baselineOf(FACES.number) },
      { face: FACES.number, typesetter },
    ),
  ];
}
