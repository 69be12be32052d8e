import { codePointMap, type Span } from '../contract/code-points.ts';
import { targetWords, wholeCharactersIn } from './segmentation.ts';
import type { Explanation, ImageScore, PartialExplanation, TextScore } from '../contract/explain.ts';

/** A smaller score is noise: rounding and the wording of the prompt change scores as much. Nats. */
export const NEUTRAL_NATS = 0.1;

/** The part of the target that is shown: all of it, one word by index, or several in ascending order. */
export type ScoreView = 'whole' | number | readonly number[];

interface Scored {
  /** Stays the same while partial results grow. */
  readonly id: string;
  /** Support for each target word, nats, negative where it opposes; null where this section has no score for the word. */
  readonly scores: readonly (number | null)[];
  /** Support for the whole target, nats: cross entropy adds up over tokens. */
  readonly total: number;
  /** Margin of each word's score, nats; absent for exact scores. */
  readonly margins?: readonly number[];
  /** An attention sink is not a reason, so colours and bars are scaled without it; absent for others. */
  readonly isSink?: true;
}

/** A section of the prompt's text, or a target token that is context of later ones. */
export interface TextSection extends Scored, Numbered {
  readonly part: 'prompt' | 'target';
  /** Code points of the prompt, or of the target. */
  readonly start: number;
  readonly length: number;
  /** In whole characters: the text of a token within an emoji is the emoji. */
  readonly text: string;
}

/** An explained rectangle of the picture. */
export interface Tile extends Scored {
  readonly part: 'picture';
  /** 0 … 1 of the picture's width and height. */
  readonly rect: ImageScore['rect'];
}

/** Anything that has scores. */
export type Section = TextSection | Tile;

/** Every explanation of one answer, transposed: a row for each section, a column for each target word. */
export interface Influence {
  /** The words of the target, with their leading spaces. */
  readonly targets: readonly string[];
  /** Factor from a score to support: −1 where sections are strengthened, since cross entropy falls with support. */
  readonly turn: 1 | -1;
  /** Row by row; empty when there is no picture. */
  readonly picture: readonly Tile[];
  /** The prompt's text, in order. */
  readonly prompt: readonly TextSection[];
  /** Earlier target tokens, in target order; empty when the target is one token long. */
  readonly target: readonly TextSection[];
  /** The whole prompt: the picture, then the text. */
  readonly sections: readonly Section[];
}

/**
 * Joins explanations made with `target_granularity: "token"` and without `normalize` to the texts they are about.
 *
 * @param explanations  one for each target token; partial ones may lack sections
 * @param question      its texts; `isStrengthened`: the factor of the request is above 1; `sinks`: ids of attention sinks
 */
export function influenceOf(
  explanations: readonly (Explanation | PartialExplanation)[],
  question: {
    readonly prompt: string;
    readonly target: string;
    readonly isStrengthened: boolean;
    readonly sinks?: readonly string[];
  },
): Influence {
  const { prompt, target, isStrengthened, sinks = [] } = question;
  const turn: Influence['turn'] = isStrengthened ? -1 : 1;
  const words = targetWords(
    explanations.map((one) => one.target),
    target,
  );
  const [tiles, ofPrompt, ofTarget] = [createRows<Pick<Tile, 'rect'>>(), createRows<Span>(), createRows<Span>()];
  for (const [token, { items }] of explanations.entries()) {
    const word = words.findIndex(({ first, count }) => token < first + count);
    const place = { word, count: words.length, turn };
    for (const item of items) {
      if (item.type === 'text') addTexts(ofPrompt, 'prompt', item.scores, place, item.margins);
      else if (item.type === 'target') addTexts(ofTarget, 'target', item.scores, place);
      else if (item.type === 'image')
        for (const { rect, score } of item.scores) tiles.add(tileId(rect), { rect }, score, place);
    }
  }
  const picture = tiles
    .all()
    .map(([id, tile]) => ({ id, part: 'picture' as const, ...tile, total: sum(tile.scores) }))
    .sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left);
  const texts = textSections(ofPrompt, 'prompt', prompt).map((section) =>
    sinks.includes(section.id) ? { ...section, isSink: true as const } : section,
  );
  return {
    targets: words.map(({ text }) => text),
    turn,
    picture,
    prompt: texts,
    target: textSections(ofTarget, 'target', target),
    sections: [...picture, ...texts],
  };
}

/** Where a score goes: the index of a word of the target, and how many there are. */
interface Column {
  readonly word: number;
  readonly count: number;
  readonly turn: Influence['turn'];
}

/** Rows of scores by the id of their section. */
type Rows<Place> = ReturnType<typeof createRows<Place>>;

/**
 * No rows. Scores and margins add up over the tokens of a word: cross entropy does so, and a sum of margins covers the sum of
 * their scores at least as often as each of them.
 */
function createRows<Place>() {
  type Row = Place & { readonly scores: (number | null)[]; readonly margins?: number[] };
  const rows = new Map<string, Row>();
  return {
    add(id: string, at: Place, score: number, { word, count, turn }: Column, margin: number | null = null): void {
      const known: Row = rows.get(id) ?? { ...at, scores: Array.from<number | null>({ length: count }).fill(null) };
      const row: Row = margin === null ? known : { margins: Array.from<number>({ length: count }).fill(0), ...known };
      row.scores[word] = (row.scores[word] ?? 0) + (turn === 1 ? score : 0 - score); // never −0
      if (margin !== null && row.margins) row.margins[word] = (row.margins[word] ?? 0) + margin;
      rows.set(id, row);
    },
    all: () => [...rows],
  };
}

function addTexts(
  rows: Rows<Span>,
  part: TextSection['part'],
  scores: readonly TextScore[],
  column: Column,
  margins: readonly (number | null)[] = [],
): void {
  const seen = new Map<string, number>(); // pieces of one character share its span
  for (const [at, { start, length, score }] of scores.entries()) {
    const span = `${part}-${start}-${length}`;
    const nth = seen.get(span) ?? 0;
    seen.set(span, nth + 1);
    rows.add(nth === 0 ? span : `${span}-${nth}`, { start, length }, score, column, margins[at]);
  }
}

function tileId({ left, top, width, height }: Tile['rect']): string {
  return `picture-${[left, top, width, height].map((share) => share.toFixed(4)).join('-')}`;
}

function textSections(rows: Rows<Span>, part: TextSection['part'], text: string): TextSection[] {
  const map = codePointMap(text);
  const whole = wholeCharactersIn(text);
  const sorted = rows.all().sort(([, a], [, b]) => a.start - b.start || a.length - b.length);
  const shown = sorted.map(([, row]) => {
    const span = whole(map.toUtf16(row));
    return { ...span, text: text.slice(span.start, span.start + span.length) };
  });
  const numbers = numbered(shown);
  return sorted.map(([id, row], at) => {
    const words = { text: shown[at]?.text ?? '', nth: null, ...numbers[at] };
    return { id, part, ...row, ...words, total: sum(row.scores) };
  });
}

function sum(scores: readonly (number | null)[]): number {
  return scores.reduce<number>((total, score) => total + (score ?? 0), 0);
}

/** Score of a section in a view, nats; null where there is none. */
export function scoreIn(section: Section, view: ScoreView): number | null {
  return view === 'whole' ? section.total : sumOver(section.scores, view);
}

/** Sum over the words of a view; null where none of them has a value. */
function sumOver(values: readonly (number | null)[], view: number | readonly number[]): number | null {
  const known = [view].flat().flatMap((index) => values[index] ?? []);
  return known.length === 0 ? null : sum(known);
}

/** Margin of an estimate in a view, nats; null for an exact score. */
export function marginIn({ margins }: Section, view: ScoreView): number | null {
  if (!margins) return null;
  return view === 'whole' ? sum(margins) : sumOver(margins, view);
}

/** Largest absolute score of a view, attention sinks aside; 0 when there is none. */
export function largestIn(sections: readonly Section[], view: ScoreView): number {
  return sections.reduce((largest, section) => Math.max(largest, strengthIn(section, view)), 0);
}

/** Absolute score, nats; 0 where there is none, and of an attention sink. */
function strengthIn(section: Section, view: ScoreView): number {
  return section.isSink ? 0 : Math.abs(scoreIn(section, view) ?? 0);
}

/** Largest absolute score of any section on any single target token, attention sinks aside; 0 when there is none. */
export function largestCell({ sections, target }: Pick<Influence, 'sections' | 'target'>): number {
  let largest = 0;
  for (const { scores, isSink } of [...sections, ...target]) {
    if (!isSink) for (const score of scores) largest = Math.max(largest, Math.abs(score ?? 0));
  }
  return largest;
}

/** Sections with a score in the view, the strongest first, whatever their sign, and attention sinks last; ties keep their order in the text. */
export function rankedIn<Kind extends Section>(sections: readonly Kind[], view: ScoreView): Kind[] {
  return sections
    .filter((one) => scoreIn(one, view) !== null)
    .sort((a, b) => strengthIn(b, view) - strengthIn(a, view));
}

/** The view if the answer has it, else the whole target, because another answer may have fewer tokens. */
export function viewIn({ targets }: Pick<Influence, 'targets'>, view: ScoreView): ScoreView {
  return view !== 'whole' && [view].flat().every((index) => index < targets.length) ? view : 'whole';
}

/** Whether a word of the target is one of those that a view names; the whole target names none. */
export function namesWord(view: ScoreView, index: number): boolean {
  return view !== 'whole' && [view].flat().includes(index);
}

/** The text of a view; words that do not follow each other are joined by an ellipsis. */
export function textIn({ targets }: Influence, view: ScoreView): string {
  if (view === 'whole') return targets.join('');
  const indices = [view].flat();
  return indices
    .map((index, at) => (at > 0 && indices[at - 1] !== index - 1 ? ' …' : '') + (targets[index] ?? ''))
    .join('');
}

/** The section with that id. */
export function sectionOf(
  { sections, target }: Pick<Influence, 'sections' | 'target'>,
  id: string | null,
): Section | undefined {
  return id === null ? undefined : (sections.find((one) => one.id === id) ?? target.find((one) => one.id === id));
}

/** Row and column of a tile, counted from 1; null for one that is the whole picture. */
export function gridPlace({ rect }: Pick<Tile, 'rect'>): { readonly row: number; readonly column: number } | null {
  const { left, top, width, height } = rect;
  if (width === 1 && height === 1) return null;
  return { row: Math.round(top / height) + 1, column: Math.round(left / width) + 1 };
}

/** Distinguishes sections with the same words. */
interface Numbered {
  /** Index among the places with these words, from 1; null for the only one. */
  readonly nth: number | null;
  /** Index among the sections that are parts of the same characters, from 1; absent for the only one. */
  readonly piece?: number;
}

/**
 * Numbers sections with the same words. Sections of one place, such as the tokens that make up one emoji, are its parts.
 *
 * @param sections  in the order of the text, each widened to whole characters
 */
export function numbered(sections: readonly (Span & { readonly text: string })[]): Numbered[] {
  const places: { words: string; count: number }[] = [];
  for (const [at, { start, length, text }] of sections.entries()) {
    const before = sections[at - 1];
    const last = places.at(-1);
    if (last && before?.start === start && before.length === length) last.count++;
    else places.push({ words: text.trim(), count: 1 });
  }
  const totals = new Map<string, number>();
  for (const { words } of places) totals.set(words, (totals.get(words) ?? 0) + 1);
  const seen = new Map<string, number>();
  return places.flatMap(({ words, count }) => {
    const place = (seen.get(words) ?? 0) + 1;
    seen.set(words, place);
    const nth = (totals.get(words) ?? 1) > 1 ? place : null;
    return Array.from({ length: count }, (_, part) => ({ nth, ...(count > 1 && { piece: part + 1 }) }));
  });
}

/** Scores this near to zero are listed in one line, nats. */
export const WEAK_NATS = 0.01;

/** Sections with a score in a view; `weak` are within `WEAK_NATS` of zero, none if it is only one: that is a line. */
export function splitByStrength(sections: readonly Section[], view: ScoreView) {
  const scored = sections.filter((section) => scoreIn(section, view) !== null);
  const isWeak = (section: Section) => Math.abs(scoreIn(section, view) ?? 0) <= WEAK_NATS;
  const weak = scored.filter(isWeak);
  return weak.length < 2 ? { strong: scored, weak: [] } : { strong: scored.filter((one) => !isWeak(one)), weak };
}

/** A part of a running text; `section` is null for text between sections, such as spaces. */
interface TextPiece {
  /** UTF-16 offset in the text; unique among the pieces. */
  readonly at: number;
  readonly text: string;
  readonly section: TextSection | null;
}

/**
 * Cuts `text` into pieces that concatenate to it. Where sections share characters (the bytes of one emoji),
 * the first one shows them.
 *
 * @param sections  sorted by start, spans in code points of `text`
 */
export function runningText(text: string, sections: readonly TextSection[]): TextPiece[] {
  const map = codePointMap(text);
  const pieces: TextPiece[] = [];
  let at = 0;
  const push = (end: number, section: TextSection | null) => {
    if (end <= at) return;
    pieces.push({ at, text: text.slice(at, end), section });
    at = end;
  };
  for (const section of sections) {
    const { start, length } = map.toUtf16(section);
    push(start, null);
    push(start + length, section);
  }
  push(text.length, null);
  return pieces;
}
