import { z } from 'zod';
import type { FromTab } from './frames.ts';

/**
 * Frames that the server accepts from a tab. Any page of this origin can open the line, so a frame is checked for all that Node
 * refuses with an exception and all that a client cannot read. The server alone imports this file: page and service
 * worker trust what sends to them, and load no validation for it.
 */

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

/** One row per type; a frame without a row does not compile. */
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

/** A frame from a tab. */
export const FROM_TAB = z.discriminatedUnion('type', [
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
