import { hashOfValue, valueInHash } from '../../explain/opening/hash-value.ts';
import { isRecord } from '../../explain/question.ts';
import type { Texts } from '../lessons/asked.ts';
import { CLASS_EXAMPLES, type ExampleId } from './class-examples.ts';
import { CLASS_PREFIX } from './class-link.ts';

/** What a teacher has put together: examples by their names, and questions of their own. */
export interface PreparedSet {
  /** Empty for none. */
  readonly title: string;
  readonly examples: readonly ExampleId[];
  readonly own: readonly Texts[];
}

/** Version of the links. Links of other versions are not read: raise it when a set changes its shape. */
const VERSION = 1;

/** A link holds at most so many of each, and texts of at most so many UTF-16 units: what is longer is no link of ours. */
const MOST_OWN = 24;
const MOST_LETTERS = 8000;

/** The part of a set that a link may hold: title and own questions are text, and stay unless the sender has agreed. */
export function sharedSetOf(set: PreparedSet, { text }: { readonly text: boolean }): PreparedSet {
  return text ? set : { ...set, title: '', own: [] };
}

/** A set as the hash of an address. */
export function hashOfSet({ title, examples, own }: PreparedSet): string {
  return hashOfValue(CLASS_PREFIX, { version: VERSION, title, examples, own });
}

/** The set in a hash; null where it is damaged, of another version, or empty. */
export function setInHash(hash: string): PreparedSet | null {
  const value = valueInHash(CLASS_PREFIX, hash);
  return isRecord(value) && value['version'] === VERSION ? readSet(value) : null;
}

/** The set in a parsed value of unknown origin; null where it is none. Examples of unknown names are left out. */
export function readSet(value: unknown): PreparedSet | null {
  if (!isRecord(value)) return null;
  const { title, examples, own } = value;
  if (!isText(title) || !Array.isArray(examples) || !Array.isArray(own) || own.length > MOST_OWN) return null;
  if (!own.every(isQuestion)) return null;
  const known = CLASS_EXAMPLES.map(({ id }) => id).filter((id) => examples.includes(id));
  const questions = own.map(({ prompt, target }) => ({ prompt, target }));
  return known.length + questions.length === 0 ? null : { title, examples: known, own: questions };
}

function isQuestion(value: unknown): value is Texts {
  return isRecord(value) && isText(value['prompt']) && isText(value['target']);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_LETTERS;
}
