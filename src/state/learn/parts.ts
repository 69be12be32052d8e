import { SET_PART } from './class/class-link.ts';

/** The five lessons, in the order in which they are read. */
export const LESSONS = ['tokens', 'attention', 'granularity', 'layers', 'limits'] as const;
export type Lesson = (typeof LESSONS)[number];

/** What the Learn page has beside its lessons: examples, a link for a class, and the set of such a link. */
export const CLASS_PARTS = ['examples', 'teacher', SET_PART] as const;
export type ClassPart = (typeof CLASS_PARTS)[number];

/** A part of the Learn page. */
export type LearnPart = Lesson | ClassPart;

/** The part that an address names; the first lesson where it names none. */
export function learnPartIn(part: string | null): LearnPart {
  return [...LESSONS, ...CLASS_PARTS].find((one) => one === part) ?? LESSONS[0];
}
