import { z } from './zod.ts';
import { PartialExplanation } from './explain.ts';

/**
 * How far a request has come. `partial` holds only what was explained since the last progress, before normalisation;
 * a listener that wants the whole joins them.
 */
export const Progress = z
  .object({
    phase: z.enum(['queue', 'download', 'compile', 'run']),
    done: z.number(),
    total: z.number(),
    partial: z.array(PartialExplanation).optional(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;

/**
 * An extension that a plain client never notices: a request with `Accept: application/x-ndjson` gets lines of
 * JSON, any number of `progress`, then exactly one `response` or `failure`. The status is 200 as soon as the request is
 * accepted, so the failure names its own.
 */
export const STREAM_TYPE = 'application/x-ndjson';

/** One line of a streamed answer. */
export type StreamLine<Response> =
  | { readonly progress: Progress }
  | { readonly response: Response }
  | { readonly failure: { readonly status: number; readonly error: string; readonly code: string } };
