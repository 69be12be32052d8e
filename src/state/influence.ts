import { codePointMap } from '../contract/code-points.ts';
import type { Explanation, TextScore } from '../contract/explain.ts';

/** What is looked at: the whole target, or one of its tokens by index. */
export type View = 'whole' | number;

/** An explained stretch of the prompt, or a target token that later ones can look back at. */
export interface Section {
  /** Stays the same while partial results grow. */
  readonly id: string;
  readonly part: 'prompt' | 'target';
  /** Code points of the prompt, or of the target. */
  readonly start: number;
  readonly length: number;
  readonly text: string;
  /** Influence on each target token in nats; null where the token was not explained by this section. */
  readonly scores: readonly (number | null)[];
  /** Influence on the whole target, nats: cross entropy adds up over tokens. */
  readonly total: number;
}

/** Every explanation of one answer, turned around: a row for each section, a column for each target token. */
export interface Influence {
  readonly targets: readonly string[];
  /** In prompt order. */
  readonly prompt: readonly Section[];
  /** Earlier target tokens, in target order; empty when the target is one token long. */
  readonly target: readonly Section[];
}

/**
 * Joins explanations made with `target_granularity: "token"` and without `normalize` to the texts they are about.
 *
 * @param explanations  one for each target token; sections may still be missing from partial ones
 */
export function influenceOf(explanations: readonly Explanation[], prompt: string, target: string): Influence {
  const count = explanations.length;
  const ofPrompt = createRows('prompt', prompt, count);
  const ofTarget = createRows('target', target, count);
  for (const [column, { items }] of explanations.entries()) {
    for (const item of items) {
      if (item.type === 'text') ofPrompt.add(column, item.scores);
      else if (item.type === 'target') ofTarget.add(column, item.scores);
    }
  }
  return { targets: explanations.map((one) => one.target), prompt: ofPrompt.sections(), target: ofTarget.sections() };
}

function createRows(part: Section['part'], text: string, columns: number) {
  const rows = new Map<string, { start: number; length: number; scores: (number | null)[] }>();
  const add = (column: number, scores: readonly TextScore[]) => {
    const seen = new Map<string, number>(); // pieces of one character share its span
    for (const { start, length, score } of scores) {
      const span = `${part}-${start}-${length}`;
      const nth = seen.get(span) ?? 0;
      seen.set(span, nth + 1);
      const id = nth === 0 ? span : `${span}-${nth}`;
      const row = rows.get(id) ?? { start, length, scores: Array.from<number | null>({ length: columns }).fill(null) };
      row.scores[column] = score;
      rows.set(id, row);
    }
  };
  const sections = (): Section[] => {
    const map = codePointMap(text);
    return [...rows]
      .map(([id, row]) => {
        const { start, length } = map.toUtf16(row);
        return { id, part, ...row, text: text.slice(start, start + length), total: sum(row.scores) };
      })
      .sort((a, b) => a.start - b.start || a.length - b.length);
  };
  return { add, sections };
}

function sum(scores: readonly (number | null)[]): number {
  return scores.reduce<number>((total, score) => total + (score ?? 0), 0);
}

/** Score of a section in a view, nats; null where there is none. */
export function scoreIn(section: Section, view: View): number | null {
  return view === 'whole' ? section.total : (section.scores[view] ?? null);
}

/** Largest absolute score of a view; 0 when there is none. */
export function largestIn(sections: readonly Section[], view: View): number {
  return sections.reduce((largest, section) => Math.max(largest, Math.abs(scoreIn(section, view) ?? 0)), 0);
}

/** Largest absolute score of any section on any single target token; 0 when there is none. */
export function largestCell({ prompt, target }: Influence): number {
  let largest = 0;
  for (const { scores } of [...prompt, ...target]) {
    for (const score of scores) largest = Math.max(largest, Math.abs(score ?? 0));
  }
  return largest;
}

/** Sections with a score in the view, the strongest first, whatever their sign; ties keep their order in the text. */
export function rankedIn(sections: readonly Section[], view: View): Section[] {
  const strength = (section: Section) => Math.abs(scoreIn(section, view) ?? 0);
  return sections.filter((one) => scoreIn(one, view) !== null).sort((a, b) => strength(b) - strength(a));
}

/** The view if the answer has it, else the whole target: another answer may have fewer tokens. */
export function viewIn({ targets }: Influence, view: View): View {
  return view !== 'whole' && view < targets.length ? view : 'whole';
}

/** The section of that id, wherever it is. */
export function sectionOf({ prompt, target }: Influence, id: string | null): Section | undefined {
  return id === null ? undefined : (prompt.find((one) => one.id === id) ?? target.find((one) => one.id === id));
}
