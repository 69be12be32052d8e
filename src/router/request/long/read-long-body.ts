import { FailureError } from '../../../contract/failure.ts';
import type { BodyPieces } from '../../../contract/wire/long-body.ts';
import { nextTask, type Pause } from '../../pause.ts';
import type { CutFiles } from '../files-reader.ts';
import { cutStrings, type Left } from './cut-strings.ts';
import { unescaped } from './unescape.ts';

/** Characters of a body without its files: some four thousand pages, parsed in a fraction of a task that is felt. */
const MOST_BESIDE_FILES = 8 * 2 ** 20;

/** Values in lists and objects, whose check takes long: more than any model reads. */
const MOST_VALUES = 100_000;

type Parent = Record<string, unknown> | unknown[];

/** A long string that was cut out, and where it stood. */
interface Place {
  readonly parent: Parent;
  readonly key: string | number;
  readonly pieces: BodyPieces;
}

/**
 * The value of a long body, read without a long task: files in base64 stay in pieces, the rest is parsed at once.
 *
 * @throws {FailureError} PAYLOAD_TOO_LARGE when that rest is too long to be parsed at once; PAYLOAD_ERROR when the body is no JSON
 */
export async function readLongBody(pieces: BodyPieces, pause: Pause): Promise<{ value: unknown; files: CutFiles }> {
  const { text, cut } = await cutStrings(pieces, pause, checkLeft);
  await nextTask();
  const value = restOf(text, pieces);
  await nextTask();
  const files = new Map<string, BodyPieces>();
  let characters = text.length;
  for (const { parent, key, pieces: string } of placesIn(value, cut)) {
    const plain = await unescaped(string, pause);
    if (isFile(parent, key)) files.set(String(Reflect.get(parent, key)), plain);
    else {
      characters += plain.reduce((sum, { length }) => sum + length, 0);
      checkLeft({ characters, commas: 0 });
      Reflect.set(parent, key, plain.join(''));
    }
  }
  await nextTask();
  return { value, files };
}

/** A parser's own words would name a place in the rest, which nobody has seen. */
function restOf(text: string, pieces: BodyPieces): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const characters = pieces.reduce((sum, { length }) => sum + length, 0);
    throw new FailureError('PAYLOAD_ERROR', `body: expected JSON, got ${characters} characters that are none`);
  }
}

function checkLeft({ characters, commas }: Left): void {
  if (characters > MOST_BESIDE_FILES)
    throw tooLarge(`at most ${MOST_BESIDE_FILES} characters beside its files, got ${characters} or more`);
  if (commas > MOST_VALUES) throw tooLarge(`at most ${MOST_VALUES} values, got ${commas} or more`);
}

/** Where the short strings stand. Values may be nested deeper than functions can be. */
function* placesIn(value: unknown, cut: ReadonlyMap<string, BodyPieces>): Generator<Place> {
  const open: unknown[] = [value];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (!isParent(parent)) continue;
    for (const [key, child] of Object.entries(parent)) {
      const pieces = typeof child === 'string' ? cut.get(child) : undefined;
      if (pieces) yield { parent, key, pieces };
      else if (typeof child === 'object') open.push(child);
    }
  }
}

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null;
}

/** The fields that hold a file in base64. */
function isFile(parent: Parent, key: string | number): boolean {
  return key === 'docx' || (key === 'data' && Reflect.get(parent, 'type') === 'image');
}

function tooLarge(expected: string): FailureError {
  return new FailureError('PAYLOAD_TOO_LARGE', `body: expected ${expected}`);
}
