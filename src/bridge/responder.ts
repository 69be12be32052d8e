import type { FromTab, RequestId, ToTab } from '../protocol/frames/frames.ts';
import type { Router } from '../router/router.ts';
import { isStream } from '../contract/wire/stream.ts';
import { PIECE, piecesOf, withLongBody } from '../contract/wire/long-body.ts';
import { nextTask } from '../contract/pause.ts';

/** The server allows twice as much. */
const MAX_REASON_LENGTH = 1000;

type RequestFrame = Extract<ToTab, { type: 'request' }>;

interface Unfinished {
  readonly frame: RequestFrame;
  readonly parts: string[];
}

/** Sends frames to a transport. */
export interface FrameChannel {
  /** @throws where the frame cannot be sent */
  post(frame: FromTab): void;
  /** Closes the channel in another way, because nothing can be sent any more. */
  cut(reason: string): void;
}

/**
 * Runs the requests of one channel in the page's router. Every request is accepted at once and settled exactly once, unless it
 * is cancelled; no frame follows then. An answer that cannot be sent becomes `broken`; where that cannot be sent either, the
 * channel is cut.
 *
 * @param origin  the page's own, such as `http://localhost:5448`: paths are appended to it
 */
export function createResponder(router: Router, origin: string, channel: FrameChannel) {
  const running = new Map<RequestId, AbortController>();
  const unfinished = new Map<RequestId, Unfinished>();
  const answer = async ({ frame, parts }: Unfinished) => {
    const { id } = frame;
    const controller = new AbortController();
    const { signal } = controller;
    running.set(id, controller);
    const postUnlessCancelled = (each: FromTab) => {
      if (!signal.aborted) channel.post(each);
    };
    try {
      const request = requestOf(frame, origin, signal);
      const response = await router.fetch(parts.length > 0 ? withLongBody(request, parts.join('')) : request);
      await pass(id, response, postUnlessCancelled);
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (!signal.aborted) postOrCut(channel, { type: 'broken', id, reason: reason.slice(0, MAX_REASON_LENGTH) });
      controller.abort(); // whatever still runs: a stream may have been broken off in the middle
    } finally {
      running.delete(id);
    }
  };
  const begin = (frame: RequestFrame) => {
    if (!postOrCut(channel, { type: 'accepted', id: frame.id })) return;
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
    receive(frame: ToTab): void {
      if (frame.type === 'request') return begin(frame);
      if (frame.type === 'part') return add(frame.id, frame.text);
      unfinished.delete(frame.id);
      running.get(frame.id)?.abort();
    },
    /** The channel is closed: aborts what is still running. */
    dispose(): void {
      unfinished.clear();
      running.forEach((controller) => controller.abort());
    },
  };
}

/** Sends a frame, or cuts the channel. @returns whether the frame was sent */
export function postOrCut(channel: FrameChannel, frame: FromTab): boolean {
  try {
    channel.post(frame);
    return true;
  } catch (error) {
    const reason = `The tab cannot send its answer: ${String(error)}`;
    console.warn(reason);
    channel.cut(reason);
    return false;
  }
}

function requestOf({ method, path, headers, body }: RequestFrame, origin: string, signal: AbortSignal): Request {
  return new Request(`${origin}${operationPath(path)}`, { method, headers, body, signal });
}

/** `/api/v1/embed?nice=true` and `/api/embed?nice=true` both name the router's `/embed?nice=true`. OpenAI's `/v1/…` stays. */
function operationPath(path: string): string {
  return path.replace(/^\/api(\/v1)?(?=[/?]|$)/, '').replace(/^(?!\/)/, '/');
}

/** Sends an answer: streamed as it comes, a long one in pieces, since the server takes no long frames. */
async function pass(id: RequestId, response: Response, post: (frame: FromTab) => void): Promise<void> {
  const head = { status: response.status, headers: Object.fromEntries(response.headers) };
  const postPieces = async (text: string) => {
    for (const piece of piecesOf(text)) {
      post({ type: 'chunk', id, text: piece });
      if (piece.length < text.length) await nextTask();
    }
  };
  if (!response.body || !isStream(response)) {
    const body = await response.text();
    if (body.length <= PIECE) return post({ type: 'answer', id, ...head, body });
    post({ type: 'begin', id, ...head });
    await postPieces(body);
    return post({ type: 'end', id });
  }
  post({ type: 'begin', id, ...head });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return post({ type: 'end', id });
    await postPieces(value);
  }
}
