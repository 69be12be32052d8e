import { isRecord } from '../explain/question.ts';

/** What is wrong with a value of a file, by the path to it: `question.target: expected a text, got 3`. */
export type Problem = string;

/** A part of what the page keeps, as it stands in a file. */
export interface StatePart {
  read(): unknown;
  /** What is wrong with a value; nothing is changed. */
  check(value: unknown): readonly Problem[];
  /** Takes a value over that was checked. @returns what is wrong with it all the same, and nothing is changed; else null */
  take(value: unknown): Problem | null;
}

/** What is no object. */
export function objectProblem(path: string, value: unknown): Problem[] {
  return isRecord(value) ? [] : [`${path}: expected an object, got ${shown(value)}`];
}

/** What is no text. */
export function textProblem(path: string, value: unknown): Problem[] {
  return typeof value === 'string' ? [] : [`${path}: expected a text, got ${shown(value)}`];
}

/** What is none of the values. */
export function choiceProblem(path: string, value: unknown, values: readonly string[]): Problem[] {
  const names = values.map((one) => `"${one}"`).join(', ');
  return values.some((one) => one === value) ? [] : [`${path}: expected one of ${names}, got ${shown(value)}`];
}

/** Fields that nothing reads. */
export function unknownFields(path: string, value: object, known: object): Problem[] {
  return Object.keys(value)
    .filter((field) => !Object.hasOwn(known, field))
    .map((field) => `${path}.${field}: there is no such field`);
}

/** Texts of a list; one of them that is none is named by its place. */
export function listProblem(path: string, value: unknown): Problem[] {
  if (!Array.isArray(value)) return [`${path}: expected a list, got ${shown(value)}`];
  return value.flatMap((one, place) => textProblem(`${path}.${place}`, one));
}

const SHOWN_CHARACTERS = 40;

/** The beginning of a value as JSON. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
