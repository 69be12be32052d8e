import { resultWords } from '../../../../words/en/explain/result.ts';
import { largestCell, marginIn, rankedIn, type Section } from '../../../../state/explain/influence.ts';
import { sectionName, visibleText } from '../../texts.ts';
import { type Content, cutText, promptFact, scoreLabel, titleOf } from './content.ts';
import type { Figure, Shape } from './figure.ts';
import { FACES, framed, heading, note } from './frame.ts';
import { addLegend } from './heat.ts';
import { markShapes } from './legend.ts';
import { COLOURS, markOf } from './palette.ts';
import { label, type Sheet } from './sheet.ts';
import type { Typesetter } from './typesetter.ts';

/** More rows than this are for the CSV file. */
const MOST_ROWS = 24;
const ROW_HEIGHT = 20;
/** Between cells, points. */
const GAP = 2;
const LEAST_CELL = 50;
const LARGEST_CELL = 96;

/** See `matrixFigure`. */
export interface MatrixOptions {
  readonly typesetter: Typesetter;
  readonly content: Content;
  readonly isBare?: boolean;
}

/** Sections by target words. Words that do not fit beside each other go on below. */
export function matrixFigure({ typesetter, content, isBare = false }: MatrixOptions): Figure {
  const { influence } = content.outcome;
  const ranked = rankedIn(influence.sections, 'whole');
  const rows = ranked.slice(0, MOST_ROWS);
  const names = namesWidth([...rows, ...influence.target], typesetter);
  const title = titleOf('matrix', content);
  return framed({ typesetter, content, title, isBare, facts: [promptFact(content)] }, (sheet) => {
    for (const columns of panels(influence.targets, sheet.width - names)) {
      const panel: Panel = { columns, names, content, cell: cellWidth(columns.length, sheet.width - names) };
      addHead(sheet, panel);
      addRows(sheet, rows, panel);
      const before = influence.target.filter(({ scores }) =>
        columns.some((column) => typeof scores[column] === 'number'),
      );
      if (before.length > 0) {
        heading(sheet, resultWords().matrix.previous);
        addRows(sheet, before, panel);
      }
      sheet.gap(8);
    }
    addLegend(sheet, largestCell(influence));
    const cut = cutText(rows.length, ranked.length);
    if (cut) sheet.add(note(cut, typesetter), FACES.small.leading);
  });
}

/** Longest name of a section, characters. */
const NAME_LENGTH = 24;

function namesWidth(rows: readonly Section[], typesetter: Typesetter): number {
  return 10 + Math.max(50, ...rows.map((row) => typesetter.width(sectionName(row, NAME_LENGTH), FACES.name)));
}

/** Columns of the table that stand beside each other. */
interface Panel {
  readonly columns: readonly number[];
  /** Width of the names of rows, and of a cell with its gap, points. */
  readonly names: number;
  readonly cell: number;
  readonly content: Content;
}

function panels(targets: readonly string[], width: number): number[][] {
  const most = Math.max(1, Math.floor(width / LEAST_CELL));
  const count = Math.ceil(targets.length / most);
  const each = Math.ceil(targets.length / count);
  return Array.from({ length: count }, (_, panel) => [...targets.keys()].slice(panel * each, (panel + 1) * each));
}

function cellWidth(columns: number, width: number): number {
  return Math.min(LARGEST_CELL, width / columns);
}

function addHead(sheet: Sheet, { columns, names, cell, content }: Panel): void {
  const { typesetter } = sheet;
  const baseline = typesetter.baseline(FACES.name);
  const { targets } = content.outcome.influence;
  const heads = columns.map((column, index) => {
    const text = fitting(visibleText(targets[column] ?? ''), cell - 2 * GAP, typesetter);
    return label(text, { middle: names + (index + 0.5) * cell, baseline }, { face: FACES.name, typesetter });
  });
  sheet.add(heads, FACES.name.leading + 4);
}

/** The text if it fits, else its beginning. */
function fitting(text: string, width: number, typesetter: Typesetter): string {
  if (typesetter.width(text, FACES.name) <= width) return text;
  const characters = [...text];
  const isFitting = (count: number) => typesetter.width(`${characters.slice(0, count).join('')}…`, FACES.name) <= width;
  const most = [...characters.keys()].findLast(isFitting) ?? 1;
  return `${characters.slice(0, most).join('')}…`;
}

function addRows(sheet: Sheet, rows: readonly Section[], panel: Panel): void {
  for (const row of rows) sheet.add(rowShapes(row, panel, sheet.typesetter), ROW_HEIGHT);
  sheet.gap(4);
}

function rowShapes(section: Section, { columns, names, cell, content }: Panel, typesetter: Typesetter): Shape[] {
  const baselineOf = (face: (typeof FACES)[keyof typeof FACES]) =>
    (ROW_HEIGHT - face.leading) / 2 + typesetter.baseline(face);
  const largest = largestCell(content.outcome.influence);
  const name = label(
    sectionName(section, NAME_LENGTH),
    { left: 0, baseline: baselineOf(FACES.name) },
    { face: FACES.name, typesetter },
  );
  const cells = columns.flatMap((column, index) => {
    const score = section.scores[column] ?? null;
    const left = names + index * cell;
    const style = { face: FACES.number, typesetter, colour: score === null ? COLOURS.inkSoft : COLOURS.ink };
    const middle = { middle: left + cell / 2, baseline: baselineOf(FACES.number) };
    if (score === null) return [label('–', middle, style)];
    const place = { left, top: GAP / 2, width: cell - GAP, height: ROW_HEIGHT - GAP };
    return [
      ...markShapes(place, markOf(score, largest), { radius: 2 }),
      label(scoreLabel(score, marginIn(section, column)), middle, style),
    ];
  });
  return [name, ...cells];
}
