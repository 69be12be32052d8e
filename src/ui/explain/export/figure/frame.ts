import type { Content, Fact } from './content.ts';
import type { Figure, Shape } from './figure.ts';
import { COLOURS } from './palette.ts';
import { createSheet, label, type Sheet, wordsOf } from './sheet.ts';
import type { Face, Typesetter } from './typesetter.ts';

/** Width of the figures for print, points. */
export const FIGURE_WIDTH = 640;

/** Around everything in a figure that stands by itself, points. */
const MARGIN = 24;

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

/** How a figure is framed. */
export interface FrameOptions {
  readonly typesetter: Typesetter;
  readonly content: Content;
  readonly title: string;
  /** Without headline and facts, for a page that has them already. */
  readonly isBare?: boolean;
  /** Below the body, in front of the facts that all figures have. */
  readonly facts?: readonly Fact[];
}

/** A figure for print: the headline, what `draw` adds, and the facts that a reader needs to trust it. */
export function framed(options: FrameOptions, draw: (sheet: Sheet) => void): Figure {
  const { typesetter, content, title, isBare = false, facts = [] } = options;
  const sheet = createSheet(typesetter, { width: FIGURE_WIDTH, margin: isBare ? 0 : MARGIN });
  if (!isBare) {
    sheet.text(content.lead, FACES.lead);
    sheet.gap(4);
    sheet.text(content.detail, FACES.body, { colour: COLOURS.inkSoft });
    sheet.gap(14);
  }
  if (content.partial) {
    sheet.text(content.partial, FACES.strong);
    sheet.gap(8);
  }
  draw(sheet);
  if (!isBare) addFacts(sheet, [...facts, ...content.facts]);
  return sheet.figure(title);
}

/** Where the text of a fact begins at least, points right of where its name does. */
const FACT_INDENT = 76;
/** Between the longest name and the texts, points. */
const FACT_GAP = 8;
/** Lines of a fact at most: a prompt can be long. */
const FACT_LINES = 6;

function addFacts(sheet: Sheet, facts: readonly Fact[]): void {
  sheet.gap(12);
  sheet.add([{ kind: 'box', left: 0, top: 0, width: sheet.width, height: 0.75, fill: COLOURS.line }], 8);
  const names = facts.map(({ name }) => sheet.typesetter.width(name, FACES.strong));
  const indent = Math.max(FACT_INDENT, ...names.map((width) => width + FACT_GAP));
  for (const { name, text } of facts) {
    const style = { face: FACES.strong, typesetter: sheet.typesetter, colour: COLOURS.inkSoft };
    sheet.add([label(name, { left: 0, baseline: sheet.typesetter.baseline(FACES.strong) }, style)], 0);
    sheet.text(text, FACES.small, { colour: COLOURS.inkSoft, indent, lines: FACT_LINES });
  }
}

/** A small heading inside a figure. */
export function heading(sheet: Sheet, text: string): void {
  sheet.text(text, FACES.strong, { colour: COLOURS.inkSoft });
  sheet.gap(2);
}

/** One line of small text, from the upper left corner. */
export function note(text: string, typesetter: Typesetter): Shape[] {
  return wordsOf(typesetter.lay([text], FACES.small, FIGURE_WIDTH), {
    face: FACES.small,
    colour: COLOURS.inkSoft,
    typesetter,
  });
}
