import { largestCell, marginIn, rankedIn, type Section } from '../../explanations/influence.ts';
import { numberText, visibleText } from '../../words/language.ts';
import { barDomain, type BarRow, barRows, BARS_LIMIT } from '../influence-series.ts';
import { sectionName } from '../texts.ts';
import { figuresWords, resultWords } from '../words.en.ts';
import { type Content, type FigureOptions, framed, scoreLabel } from './content.ts';
import {
  type Face,
  FACES,
  FIGURE_WIDTH,
  type FigurePage,
  heading,
  label,
  type Shape,
  textShapes,
  type Typesetter,
  type VectorFigure,
} from './figure.ts';
import { addLegend, markShapes } from './heat.ts';
import { COLOURS, markOf } from '../colours.ts';

const BAR_ROW_HEIGHT = 22;
const BAR_HEIGHT = 13;
/** Between a bar and the text beside it, points. */
const BAR_GAP = 6;
/** Room for the number beside the longest bar, points. */
const NUMBER_WIDTH = 58;

/** The strongest sections as bars around zero: to the right supports, to the left opposes. */
export function barsFigure(options: FigureOptions): VectorFigure {
  const { typesetter, content } = options;
  const ranked = rankedIn(content.outcome.influence.sections, content.view);
  const reasons = ranked.filter(({ isSink }) => !isSink);
  const rows = barRows(reasons.slice(0, BARS_LIMIT), content.view);
  const words = figuresWords();
  return framed('bars', options, (page) => {
    heading(page, words.strongest);
    page.add(barShapes(rows, page), rows.length * BAR_ROW_HEIGHT + 4);
    const style = { face: FACES.small, typesetter, colour: COLOURS.inkSoft };
    const baseline = typesetter.baseline(FACES.small);
    const ends = [
      label(words.opposesArrow, { left: 0, baseline }, style),
      label(words.supportsArrow, { right: page.width, baseline }, style),
    ];
    page.add(ends, FACES.small.leading);
    addCutText(page, rows.length, ranked.length);
  });
}

/** Says that more sections are in the CSV file, if not all are shown. */
function addCutText(page: FigurePage, shown: number, all: number): void {
  if (shown >= all) return;
  const { typesetter } = page;
  const text = figuresWords().cut(numberText(shown), numberText(all));
  const lines = typesetter.lay([text], FACES.small, FIGURE_WIDTH);
  page.add(textShapes(lines, { face: FACES.small, colour: COLOURS.inkSoft, typesetter }), FACES.small.leading);
}

function barShapes(rows: readonly BarRow[], { typesetter, width }: FigurePage): Shape[] {
  const names = Math.max(0, ...rows.map(({ name }) => typesetter.width(name, FACES.name)));
  const [low, high] = barDomain(rows);
  const start = names + 2 * BAR_GAP + (low < 0 ? NUMBER_WIDTH : 0);
  const scale = (width - start - (high > 0 ? NUMBER_WIDTH : 0)) / (high - low);
  const zero = start - low * scale;
  const height = rows.length * BAR_ROW_HEIGHT;
  const axis: Shape = { kind: 'box', left: zero - 0.375, top: 0, width: 0.75, height, fill: COLOURS.lineStrong };
  const largest = Math.max(0, ...rows.map(({ score }) => Math.abs(score)));
  const bars = rows.flatMap(({ name, score, margin }, index): Shape[] => {
    const top = index * BAR_ROW_HEIGHT;
    const length = Math.max(1, Math.abs(score) * scale);
    const left = score < 0 ? zero - length : zero;
    const { hue, edge } = markOf(score, largest);
    const beside = score < 0 ? { right: left - BAR_GAP } : { left: left + length + BAR_GAP };
    const baselineOf = (face: Face) => top + BAR_ROW_HEIGHT / 2 - face.leading / 2 + typesetter.baseline(face);
    const place = { left, top: top + (BAR_ROW_HEIGHT - BAR_HEIGHT) / 2, width: length, height: BAR_HEIGHT };
    const number = { ...beside, baseline: baselineOf(FACES.number) };
    return [
      { kind: 'box', ...place, fill: hue, stroke: edge, radius: 1.5 },
      label(name, { right: names, baseline: baselineOf(FACES.name) }, { face: FACES.name, typesetter }),
      label(scoreLabel(score, margin), number, { face: FACES.number, typesetter }),
    ];
  });
  return [axis, ...bars];
}

/** More rows than this are for the CSV file. */
const MAX_ROWS = 24;
const ROW_HEIGHT = 20;
/** Between cells, points. */
const CELL_GAP = 2;
const MIN_CELL = 50;
const MAX_CELL = 96;

/** Sections by target words. Words that do not fit beside each other continue below. */
export function matrixFigure(options: FigureOptions): VectorFigure {
  const { influence } = options.content.outcome;
  const ranked = rankedIn(influence.sections, 'whole');
  const rows = ranked.slice(0, MAX_ROWS);
  const names = namesWidth([...rows, ...influence.target], options.typesetter);
  return framed('matrix', options, (page) => {
    for (const columns of panels(influence.targets, page.width - names)) {
      const cell = Math.min(MAX_CELL, (page.width - names) / columns.length);
      const panel: Panel = { columns, names, cell, content: options.content };
      addHead(page, panel);
      addRows(page, rows, panel);
      const before = influence.target.filter(({ scores }) =>
        columns.some((column) => typeof scores[column] === 'number'),
      );
      if (before.length > 0) {
        heading(page, resultWords().matrix.previous);
        addRows(page, before, panel);
      }
      page.gap(8);
    }
    addLegend(page, largestCell(influence));
    addCutText(page, rows.length, ranked.length);
  });
}

/** Longest name of a section, characters. */
const NAME_LENGTH = 24;

function namesWidth(rows: readonly Section[], typesetter: Typesetter): number {
  return 10 + Math.max(50, ...rows.map((row) => typesetter.width(sectionName(row, NAME_LENGTH), FACES.name)));
}

interface Panel {
  readonly columns: readonly number[];
  /** Width of the names of rows, and of a cell with its gap, points. */
  readonly names: number;
  readonly cell: number;
  readonly content: Content;
}

function panels(targets: readonly string[], width: number): number[][] {
  const maximum = Math.max(1, Math.floor(width / MIN_CELL));
  const count = Math.ceil(targets.length / maximum);
  const size = Math.ceil(targets.length / count);
  return Array.from({ length: count }, (_, panel) => [...targets.keys()].slice(panel * size, (panel + 1) * size));
}

function addHead(page: FigurePage, { columns, names, cell, content }: Panel): void {
  const { typesetter } = page;
  const baseline = typesetter.baseline(FACES.name);
  const { targets } = content.outcome.influence;
  const heads = columns.map((column, index) => {
    const text = fitting(visibleText(targets[column] ?? ''), cell - 2 * CELL_GAP, typesetter);
    return label(text, { middle: names + (index + 0.5) * cell, baseline }, { face: FACES.name, typesetter });
  });
  page.add(heads, FACES.name.leading + 4);
}

function fitting(text: string, width: number, typesetter: Typesetter): string {
  if (typesetter.width(text, FACES.name) <= width) return text;
  const characters = [...text];
  const cut = (count: number) => `${characters.slice(0, count).join('')}…`;
  return cut([...characters.keys()].findLast((count) => typesetter.width(cut(count), FACES.name) <= width) ?? 1);
}

function addRows(page: FigurePage, rows: readonly Section[], panel: Panel): void {
  for (const row of rows) page.add(rowShapes(row, panel, page.typesetter), ROW_HEIGHT);
  page.gap(4);
}

function rowShapes(section: Section, { columns, names, cell, content }: Panel, typesetter: Typesetter): Shape[] {
  const baselineOf = (face: Face) => (ROW_HEIGHT - face.leading) / 2 + typesetter.baseline(face);
  const largest = largestCell(content.outcome.influence);
  const place = { left: 0, baseline: baselineOf(FACES.name) };
  const name = label(sectionName(section, NAME_LENGTH), place, { face: FACES.name, typesetter });
  const cells = columns.flatMap((column, index) => {
    const score = section.scores[column] ?? null;
    const left = names + index * cell;
    const style = { face: FACES.number, typesetter, colour: score === null ? COLOURS.inkSoft : COLOURS.ink };
    const middle = { middle: left + cell / 2, baseline: baselineOf(FACES.number) };
    if (score === null) return [label('–', middle, style)];
    const box = { left, top: CELL_GAP / 2, width: cell - CELL_GAP, height: ROW_HEIGHT - CELL_GAP };
    return [
      ...markShapes(box, markOf(score, largest, section.isSink), { radius: 2 }),
      label(scoreLabel(score, marginIn(section, column)), middle, style),
    ];
  });
  return [name, ...cells];
}
