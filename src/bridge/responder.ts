import { isStream } from '../contract/wire/stream.ts';
import type { FromTab, RequestId, ToTab } from '../protocol/frames/frames.ts';
import { withLongBody } from '../contract/wire/long-body.ts';
import type { Router } from '../router/router.ts';

/** The server takes twice as much. */
const MAX_REASON_LENGTH = 1000;

type RequestFrame = Extract<ToTab, { type: 'request' }>;

/** A request whose body has not come as a whole. */
interface Unfinished {
  readonly frame: RequestFrame;
  readonly parts: string[];
}

/** The way back to a transport. */
export interface Line {
  /** @throws where the frame cannot be sent */
  post(frame: FromTab): void;
  /** Ends the line, of which its other end learns in another way: nothing can be sent any more. */
  cut(reason: string): void;
}

/** Runs the requests of one line in the page's router. */
export interface Responder {
  receive(frame: ToTab): void;
  /** The line is closed: aborts what is still running. */
  dispose(): void;
}

/**
 * A responder on one line. Every request is accepted at once and settled exactly once, unless it is cancelled; no frame
 * follows then. An answer that cannot be sent becomes `broken`; where that cannot be sent either, the line is cut.
 *
 * @param origin  the page's own, such as `http://localhost:5448`: paths are put behind it
 */
export function createResponder(router: Router, origin: string, line: Line): Responder {
  const running = new Map<RequestId, AbortController>();
  const unfinished = new Map<RequestId, Unfinished>();
  const answer = async ({ frame, parts }: Unfinished) => {
    const { id } = frame;
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    const postUnlessCancelled = (each: FromTab) => {
      if (!signal.aborted) line.post(each);
    };
    try {
      const request = requestOf(frame, origin, signal);
      const response = await router.fetch(parts.length > 0 ? withLongBody(request, parts) : request);
      await pass(id, response, postUnlessCancelled);
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (!signal.aborted) postOrCut(line, { type: 'broken', id, reason: reason.slice(0, MAX_REASON_LENGTH) });
      controller.abort(); // whatever still runs: a stream may have been broken off in the middle
    } finally {
      running.delete(id);
    }
  };
  const begin = (frame: RequestFrame) => {
    if (!postOrCut(line, { type: 'accepted', id: frame.id })) return;
    if (frame.parts === undefined) void answer({ frame, parts: [] });
    else unfinished.set(frame.id, { frame, parts: [] });
  };
  const add = (id: RequestId, text: string) => {
    const request = unfinished.get(id);
    if (!request) return; // it was cancelled
    request.parts.push(text);
    if (request.parts.length !== request.frame.parts) return;
    unfinished.delete(id);
    void answer(request);
  };
  return {
    receive(frame) {
      if (frame.type === 'request') return begin(frame);
      if (frame.type === 'part') return add(frame.id, frame.text);
      unfinished.delete(frame.id);
      running.get(frame.id)?.abort();
    },
    dispose() {
      unfinished.clear();
      running.forEach((controller) => controller.abort());
    },
  };
}

/** @returns whether the frame was sent */
export function postOrCut(line: Line, frame: FromTab): boolean {
  try {
    line.post(frame);
    return true;
  } catch (error) {
    const reason = `The tab cannot send its answer: ${String(error)}`;
    console.warn(reason);
    line.cut(reason);
    return false;
  }
}

function requestOf({ method, path, headers, body }: RequestFrame, origin: string, signal: AbortSignal): Request {
  return new Request(`${origin}${operationPath(path)}`, { method, headers, body, signal });
}

/** `/api/v1/embed?nice=true` and `/api/embed?nice=true` both name the router's `/embed?nice=true`. */
function operationPath(path: string): string {
  return path.replace(/^\/api(\/v1)?(?=[/?]|$)/, '').replace(/^(?!\/)/, '/');
}

/** A streamed answer goes on piece by piece, any other in one. */
async function pass(id: RequestId, response: Response, post: (frame: FromTab) => void): Promise<void> {
  const head = { status: response.status, headers: Object.fromEntries(response.headers) };
  if (!response.body || !isStream(response)) return post({ type: 'answer', id, ...head, body: await response.text() });
  post({ type: 'begin', id, ...head });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return post({ type: 'end', id });
    post({ type: 'chunk', id, text: value });
  }
}
