import { PIECE } from '../../src/contract/wire/long-body.ts';
import { FROM_TAB } from '../../src/protocol/frames/frame-schema.ts';
import type { FromTab } from '../../src/protocol/frames/frames.ts';

/** Bytes of a text of the longest piece in JSON, where a control character takes six, and of a head. */
export const MAX_FRAME_BYTES = 6 * PIECE + 64 * 1024;

/** UTF-16 units of a frame without a body: a hundred allowed origins take 30,000. */
const MAX_SHORT_FRAME = 64 * 1024;

/** Of objects and lists: a frame has fields, among them headers or origins. */
const MAX_DEPTH = 2;

/** Far more than an answer has headers, and a presence origins. */
const MAX_VALUES = 500;

/**
 * A frame from a tab, checked, because any page of this origin can connect. Its structure is checked before it is parsed:
 * nested lists of one megabyte would take a second and more.
 *
 * @returns  a text says what is wrong with it
 */
export function readFrame(text: string): FromTab | string {
  const problem = structureProblem(text);
  if (problem !== undefined) return problem;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'expected a frame in JSON';
  }
  const { success, data: frame, error } = FROM_TAB.safeParse(value);
  if (!success) {
    const [issue] = error.issues;
    return `${issue?.path.map(String).join('.') || 'frame'}: ${issue?.message}`;
  }
  const mayBeLong = frame.type === 'answer' || frame.type === 'chunk';
  return mayBeLong || text.length <= MAX_SHORT_FRAME
    ? frame
    : `${frame.type}: expected at most ${MAX_SHORT_FRAME} characters, got ${text.length}`;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether a text is nested deeper, or has more values, than a frame. Strings are skipped; whether it is JSON is not checked. */
function structureProblem(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at + 1);
    else if (unit === COMMA) values += 1;
    else if (OPENING.has(unit)) depth += 1;
    else if (CLOSING.has(unit)) depth -= 1;
    if (depth > MAX_DEPTH) return `frame: expected at most ${MAX_DEPTH} levels of objects and lists, got more`;
    if (values > MAX_VALUES) return `frame: expected at most ${MAX_VALUES} values, got more`;
  }
  return undefined;
}

/** Where the quote is that ends a string. */
function stringEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
