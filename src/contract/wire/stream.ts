import type { Progress } from '../progress.ts';

/**
 * An extension that a plain client never notices: a request with `Accept: application/x-ndjson` gets lines of
 * JSON, any number of `progress`, then exactly one `response` or `failure`. The status is 200 as soon as the request is
 * accepted, so the failure names its own.
 */
export const STREAM_TYPE = 'application/x-ndjson';

/** Of answers as server-sent events, which some requests ask for in their body. */
export const EVENTS_TYPE = 'text/event-stream';

/** Whether an answer is written while it comes. */
export function isStream(answer: Response): boolean {
  const type = answer.headers.get('Content-Type') ?? '';
  return [STREAM_TYPE, EVENTS_TYPE].some((each) => type.startsWith(each));
}

/** One line of a streamed answer. */
export type StreamLine<Response> =
  | { readonly progress: Progress }
  | { readonly response: Response }
  | { readonly failure: { readonly status: number; readonly error: string; readonly code: string } };
