import { z } from 'zod';
import { Explanation } from './explain.ts';

/**
 * An extension that a plain client never notices: a request with `Accept: application/x-ndjson` is answered by lines of
 * JSON, any number of `progress`, then exactly one `response` or `failure`. The status is 200 as soon as the request is
 * accepted, so the failure names its own.
 */
export const STREAM_TYPE = 'application/x-ndjson';

/** How far a request has come; `partial` holds the sections explained so far, before normalisation. */
export const Progress = z.object({
  phase: z.enum(['queue', 'download', 'compile', 'run']),
  done: z.number(),
  total: z.number(),
  partial: z.array(Explanation).optional(),
});
export type Progress = z.infer<typeof Progress>;

/** One line of a streamed answer. */
export type StreamLine<Response> =
  | { readonly progress: Progress }
  | { readonly response: Response }
  | { readonly failure: { readonly status: number; readonly error: string; readonly code: string } };
