import { codePointMap } from '../../contract/code-points.ts';
import { wholeCharactersIn } from './text/graphemes.ts';
import { type Numbered, numbered } from './text/numbered.ts';
import { type TargetWord, targetWords } from './text/target-words.ts';
import type { Explanation, ImageScore, PartialExplanation, TextScore } from '../../contract/explain.ts';

/** Below this a score says nothing: rounding and the wording of the prompt move scores as much. Nats. */
export const NEUTRAL_NATS = 0.1;

/** The part of the target that is shown: all of it, or one word by index. */
export type View = 'whole' | number;

/** A suppressed section and its scores. */
interface Scored {
  /** Stays the same while partial results grow. */
  readonly id: string;
  /** Support for each target word in nats, negative where it opposes; null where the word was not explained by this section. */
  readonly scores: readonly (number | null)[];
  /** Support for the whole target, nats: cross entropy adds up over tokens. */
  readonly total: number;
  /** Of estimates: how far each word's score may be off, nats. Left out: the scores are exact. */
  readonly margins?: readonly number[];
}

/** An explained stretch of the prompt's text, or a target token that later ones can look back at. */
export interface Stretch extends Scored, Numbered {
  readonly part: 'prompt' | 'target';
  /** Code points of the prompt, or of the target. */
  readonly start: number;
  readonly length: number;
  /** In whole characters: that of a token within an emoji is the emoji. */
  readonly text: string;
}

/** An explained rectangle of the picture. */
export interface Tile extends Scored {
  readonly part: 'picture';
  /** 0 … 1 of the picture's width and height. */
  readonly rect: ImageScore['rect'];
}

/** Anything that has scores. */
export type Section = Stretch | Tile;

/** Every explanation of one answer, transposed: a row for each section, a column for each target word. */
export interface Influence {
  /** The words of the target, as they stand in it. */
  readonly targets: readonly string[];
  /**
   * What a score of the contract is multiplied by to become support: −1 where sections are strengthened, because then the
   * cross entropy falls where a section supports the target.
   */
  readonly turn: 1 | -1;
  /** Row by row; empty when there is no picture. */
  readonly picture: readonly Tile[];
  /** The prompt's text, in order. */
  readonly prompt: readonly Stretch[];
  /** Earlier target tokens, in target order; empty when the target is one token long. */
  readonly target: readonly Stretch[];
  /** The whole prompt: the picture, then the text. */
  readonly sections: readonly Section[];
}

/**
 * Joins explanations made with `target_granularity: "token"` and without `normalize` to the texts they are about.
 *
 * @param explanations  one for each target token; sections may still be missing from partial ones
 * @param asked         the texts, and whether the factor of the request is above 1
 */
export function influenceOf(
  explanations: readonly (Explanation | PartialExplanation)[],
  { prompt, target, isStrengthened }: { prompt: string; target: string; isStrengthened: boolean },
): Influence {
  const turn: Influence['turn'] = isStrengthened ? -1 : 1;
  const words = targetWords(
    explanations.map((one) => one.target),
    target,
  );
  const columns = { words, turn };
  const ofPicture = createTiles(columns);
  const ofPrompt = createRows('prompt', prompt, columns);
  const ofTarget = createRows('target', target, columns);
  for (const [column, { items }] of explanations.entries()) {
    for (const item of items) {
      if (item.type === 'text') ofPrompt.add(column, item.scores, item.margins);
      else if (item.type === 'target') ofTarget.add(column, item.scores);
      else if (item.type === 'image') ofPicture.add(column, item.scores);
    }
  }
  const [tiles, stretches] = [ofPicture.sections(), ofPrompt.sections()];
  const targets = words.map(({ text }) => text);
  return {
    targets,
    turn,
    picture: tiles,
    prompt: stretches,
    target: ofTarget.sections(),
    sections: [...tiles, ...stretches],
  };
}

/** The words that a section has a score for, and the sign of its support. */
interface Columns {
  readonly words: readonly TargetWord[];
  readonly turn: Influence['turn'];
}

/** A row as it grows. */
interface TextRow {
  readonly start: number;
  readonly length: number;
  readonly scores: (number | null)[];
  margins?: readonly number[];
}

/** Margins add up over the tokens of a word: that covers the sum at least as often as each. */
function addedMargin(margins: readonly number[], word: number, margin: number): readonly number[] {
  return margins.map((sum, at) => (at === word ? sum + margin : sum));
}

function createRows(part: Stretch['part'], text: string, { words, turn }: Columns) {
  const rows = new Map<string, TextRow>();
  const add = (column: number, scores: readonly TextScore[], margins: readonly (number | null)[] = []) => {
    const word = wordAt(words, column);
    const seen = new Map<string, number>(); // pieces of one character share its span
    for (const [at, { start, length, score }] of scores.entries()) {
      const span = `${part}-${start}-${length}`;
      const nth = seen.get(span) ?? 0;
      seen.set(span, nth + 1);
      const id = nth === 0 ? span : `${span}-${nth}`;
      const row = rows.get(id) ?? { start, length, scores: noScores(words.length) };
      addTo(row.scores, word, turned(score, turn));
      const margin = margins[at] ?? null;
      if (margin !== null) row.margins = addedMargin(row.margins ?? words.map(() => 0), word, margin);
      rows.set(id, row);
    }
  };
  const sections = (): Stretch[] => {
    const map = codePointMap(text);
    const whole = wholeCharactersIn(text);
    const sorted = [...rows].sort(([, a], [, b]) => a.start - b.start || a.length - b.length);
    const shown = sorted.map(([, row]) => {
      const span = whole(map.toUtf16(row));
      return { ...span, text: text.slice(span.start, span.start + span.length) };
    });
    const numbers = numbered(shown);
    return sorted.map(([id, row], at) => {
      const words = { text: shown[at]?.text ?? '', nth: null, ...numbers[at] };
      return { id, part, ...row, ...words, total: sum(row.scores) };
    });
  };
  return { add, sections };
}

function createTiles({ words, turn }: Columns) {
  const tiles = new Map<string, { rect: Tile['rect']; scores: (number | null)[] }>();
  const add = (column: number, scores: readonly ImageScore[]) => {
    const word = wordAt(words, column);
    for (const { rect, score } of scores) {
      const id = `picture-${[rect.left, rect.top, rect.width, rect.height].map((share) => share.toFixed(4)).join('-')}`;
      const tile = tiles.get(id) ?? { rect, scores: noScores(words.length) };
      addTo(tile.scores, word, turned(score, turn));
      tiles.set(id, tile);
    }
  };
  const sections = (): Tile[] =>
    [...tiles]
      .map(([id, tile]) => ({ id, part: 'picture' as const, ...tile, total: sum(tile.scores) }))
      .sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left);
  return { add, sections };
}

/** Index of the word that a token belongs to. */
function wordAt(words: readonly TargetWord[], token: number): number {
  return words.findIndex(({ first, count }) => token < first + count);
}

/** Cross entropy adds up over the tokens of a word. */
function addTo(scores: (number | null)[], word: number, score: number): void {
  scores[word] = (scores[word] ?? 0) + score;
}

/** Never −0. */
function turned(score: number, turn: Influence['turn']): number {
  return turn === 1 ? score : 0 - score;
}

function noScores(count: number): (number | null)[] {
  return Array.from<number | null>({ length: count }).fill(null);
}

function sum(scores: readonly (number | null)[]): number {
  return scores.reduce<number>((total, score) => total + (score ?? 0), 0);
}

/** Score of a section in a view, nats; null where there is none. */
export function scoreIn(section: Section, view: View): number | null {
  return view === 'whole' ? section.total : (section.scores[view] ?? null);
}

/** How far an estimate may be off in a view, nats; null for an exact score. */
export function marginIn({ margins }: Section, view: View): number | null {
  if (!margins) return null;
  return view === 'whole' ? sum(margins) : (margins[view] ?? null);
}

/** Largest absolute score of a view; 0 when there is none. */
export function largestIn(sections: readonly Section[], view: View): number {
  return sections.reduce((largest, section) => Math.max(largest, Math.abs(scoreIn(section, view) ?? 0)), 0);
}

/** Largest absolute score of any section on any single target token; 0 when there is none. */
export function largestCell({ sections, target }: Influence): number {
  let largest = 0;
  for (const { scores } of [...sections, ...target]) {
    for (const score of scores) largest = Math.max(largest, Math.abs(score ?? 0));
  }
  return largest;
}

/** Sections with a score in the view, the strongest first, whatever their sign; ties keep their order in the text. */
export function rankedIn<Kind extends Section>(sections: readonly Kind[], view: View): Kind[] {
  const strength = (section: Kind) => Math.abs(scoreIn(section, view) ?? 0);
  return sections.filter((one) => scoreIn(one, view) !== null).sort((a, b) => strength(b) - strength(a));
}

/** The view if the answer has it, else the whole target, because another answer may have fewer tokens. */
export function viewIn({ targets }: Influence, view: View): View {
  return view !== 'whole' && view < targets.length ? view : 'whole';
}

/** The section of that id, wherever it is. */
export function sectionOf({ sections, target }: Influence, id: string | null): Section | undefined {
  return id === null ? undefined : (sections.find((one) => one.id === id) ?? target.find((one) => one.id === id));
}

/** Row and column of a tile, counted from 1; null for one that is the whole picture. */
export function gridPlace({ rect: { left, top, width, height } }: Pick<Tile, 'rect'>): GridPlace | null {
  if (width === 1 && height === 1) return null;
  return { row: Math.round(top / height) + 1, column: Math.round(left / width) + 1 };
}

/** See `gridPlace`. */
interface GridPlace {
  readonly row: number;
  readonly column: number;
}
