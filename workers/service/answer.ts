import { STATUS, type FailureCode } from '../../src/contract/failure.ts';
import type { AnswerHead, FromTab } from '../../src/protocol/frames/frames.ts';

/** The failures of the way. */
type WayFailure = Extract<FailureCode, 'NO_TAB' | 'TIMEOUT' | 'INTERNAL'>;

/** Frames that make up an answer. */
export type AnswerFrame = Extract<FromTab, { type: 'answer' | 'begin' | 'chunk' | 'end' | 'broken' }>;

/** A response in the making. */
export interface Answer {
  /** Settled once, by whatever comes first. */
  readonly response: Promise<Response>;
  /** Takes what the tab says; true when that was all of it. */
  take(frame: AnswerFrame): boolean;
  /** Puts a failure in place of an answer, or of its rest. */
  fail(code: WayFailure, message: string): void;
  /** The caller has aborted. */
  abort(reason: unknown): void;
}

/** @param onCancel  told when the reader of a streamed body goes away */
export function createAnswer(onCancel: () => void): Answer {
  let resolve: (response: Response) => void;
  let reject: (reason: unknown) => void;
  let body: ReadableStreamDefaultController<Uint8Array> | null = null;
  const response = new Promise<Response>((onResponse, onReason) => ([resolve, reject] = [onResponse, onReason]));
  response.catch(() => undefined); // nobody waits for it where the tab did not accept
  const encoder = new TextEncoder();
  const fail = (code: WayFailure, message: string) => {
    if (body) body.error(new Error(message));
    else resolve(failed(code, message));
  };
  return {
    response,
    fail,
    abort(reason) {
      body?.error(reason);
      reject(reason);
    },
    take(frame) {
      switch (frame.type) {
        case 'answer':
          resolve(new Response(frame.body === '' ? null : frame.body, initOf(frame)));
          return true;
        case 'begin': {
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => void (body = controller),
            cancel: onCancel,
          });
          resolve(new Response(stream, initOf(frame)));
          return false;
        }
        case 'chunk':
          body?.enqueue(encoder.encode(frame.text));
          return false;
        case 'end':
          body?.close();
          return true;
        case 'broken':
          fail('INTERNAL', frame.reason);
          return true;
      }
    },
  };
}

function initOf({ status, headers }: AnswerHead): ResponseInit {
  return { status, headers };
}

function failed(code: WayFailure, error: string): Response {
  return Response.json(
    { error, code },
    { status: STATUS[code], headers: code === 'NO_TAB' ? { 'Retry-After': '1' } : {} },
  );
}
