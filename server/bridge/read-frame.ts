import { z } from 'zod';
import { PIECE } from '../../src/contract/wire/long-body.ts';
import type { FromTab } from '../../src/protocol/frames/frames.ts';

/** Node's and most other clients read at most 16 KiB of headers, the server's own among them. */
const MAX_HEADERS_LENGTH = 8192;

/** Far above what the settings allow, and below where `setTimeout` overflows (2³¹ ms). */
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** As many as the settings allow; a host name has at most 253 characters. */
const MAX_ORIGINS = 100;
const MAX_ORIGIN_LENGTH = 300;

/** The tab cuts its reasons to half of it. */
const MAX_REASON_LENGTH = 2000;

/** `token` and `field-value` as Node checks them. @source RFC 9110, sections 5.1 and 5.5 */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/);
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/);

const id = z.int().min(1);

/** No operation redirects, and none answers without a body: a client would wait for it, or take the next answer for it. */
const status = z
  .int()
  .min(200)
  .max(599)
  .refine((code) => (code < 300 || code >= 400) && code !== 204 && code !== 205, 'expected a status that has a body');

const head = {
  id,
  status,
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => lengthOf(headers) <= MAX_HEADERS_LENGTH, `expected at most ${MAX_HEADERS_LENGTH} characters`),
};

/**
 * Frames that the server accepts from a tab. Any page of this origin can open the line, so a frame is checked for all that Node
 * refuses with an exception and all that a client cannot read. A type without a row does not compile.
 */
const FRAMES = {
  presence: z.object({
    type: z.literal('presence'),
    attention: z.enum(['focused', 'visible', 'hidden']),
    allowedOrigins: z.array(z.string().max(MAX_ORIGIN_LENGTH)).max(MAX_ORIGINS),
    timeoutMs: z.number().min(1).max(MAX_TIMEOUT_MS),
    tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  accepted: z.object({ type: z.literal('accepted'), id }),
  answer: z.object({ type: z.literal('answer'), ...head, body: z.string() }),
  begin: z.object({ type: z.literal('begin'), ...head }),
  chunk: z.object({ type: z.literal('chunk'), id, text: z.string() }),
  end: z.object({ type: z.literal('end'), id }),
  broken: z.object({ type: z.literal('broken'), id, reason: z.string().max(MAX_REASON_LENGTH) }),
} satisfies { readonly [Type in FromTab['type']]: z.ZodType<Extract<FromTab, { type: Type }>> };

const FROM_TAB = z.discriminatedUnion('type', [
  FRAMES.presence,
  FRAMES.accepted,
  FRAMES.answer,
  FRAMES.begin,
  FRAMES.chunk,
  FRAMES.end,
  FRAMES.broken,
]) satisfies z.ZodType<FromTab>;

function lengthOf(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

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

function stringEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
