import { STATUS, type Result } from '../../contract/failure.ts';
import type { Progress } from '../../contract/progress.ts';
import { STREAM_TYPE, type StreamLine } from '../../contract/wire/stream.ts';
import { jsonText } from './json-text.ts';
import { bodyOf, respond } from './respond.ts';

/** A started piece of work: tells its progress, then its result. */
export type Work<Value> = (onProgress: (progress: Progress) => void) => Promise<Result<Value>>;

/** How an answer is written while it comes. */
export interface StreamForm<Value> {
  /** Media type. */
  readonly type: string;
  /** What is written of a progress; '' for nothing. The answer begins with the first that is not empty. */
  progress(progress: Progress): string;
  last(result: Result<Value>): Promise<string>;
  /** Also used for a success that came without progress; otherwise such an answer is plain. */
  readonly isAlwaysUsed: boolean;
}

/** true when the caller asked for progress lines. */
export function wantsStream(request: Request): boolean {
  return request.headers.get('Accept')?.includes(STREAM_TYPE) ?? false;
}

/** Lines of JSON: any number of `progress`, then a `response` or a `failure`. */
export const JSON_LINES: StreamForm<unknown> = {
  type: STREAM_TYPE,
  isAlwaysUsed: false,
  progress: (progress) => `${JSON.stringify({ progress } satisfies StreamLine<unknown>)}\n`,
  last: async (result) => `${await lastLine(result)}\n`,
};

/**
 * The work's answer, streamed from its first progress on. Work that settles before gets a plain response, so a bad request
 * keeps its status.
 *
 * @param form     how, which is known once the work tells or settles; null: the answer is plain
 * @param abandon  called when the reader goes away
 */
export async function respondStreaming<Value>(
  work: Work<Value>,
  form: () => StreamForm<Value> | null,
  abandon: () => void,
): Promise<Response> {
  const pieces = new TransformStream<string, string>(undefined, undefined, { highWaterMark: Infinity });
  const writer = pieces.writable.getWriter();
  const write = (piece: string) => void writer.write(piece).catch(abandon);
  let begun: (value: null) => void;
  const firstPiece = new Promise<null>((resolve) => (begun = resolve));
  const result = work((progress) => {
    const piece = form()?.progress(progress) ?? '';
    if (piece === '') return;
    write(piece);
    begun(null);
  });
  const early = await Promise.race([result, firstPiece]);
  const used = form();
  if (used === null || (early !== null && !(early.ok && used.isAlwaysUsed))) return respond(await result);
  void result.then(
    async (settled) => {
      write(await used.last(settled));
      await writer.close();
    },
    (reason: unknown) => writer.abort(reason),
  );
  return new Response(pieces.readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': used.type },
  });
}

async function lastLine<Value>(result: Result<Value>): Promise<string> {
  if (result.ok) return `{"response":${await jsonText(result.value)}}`;
  const failure = { status: STATUS[result.failure.code], ...bodyOf(result.failure) };
  return JSON.stringify({ failure } satisfies StreamLine<Value>);
}
