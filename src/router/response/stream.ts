import { STATUS, type Result } from '../../contract/failure.ts';
import type { Progress } from '../../contract/progress.ts';
import { STREAM_TYPE, type StreamLine } from '../../contract/wire/stream.ts';
import { jsonText } from './json-text.ts';
import { bodyOf, respond } from './respond.ts';

/** A started piece of work: tells its progress, then its result. */
export type Work<Value> = (onProgress: (progress: Progress) => void) => Promise<Result<Value>>;

/** true when the caller asked for progress lines. */
export function wantsStream(request: Request): boolean {
  return request.headers.get('Accept')?.includes(STREAM_TYPE) ?? false;
}

/** Whether an answer has progress lines. */
export function isStream(answer: Response): boolean {
  return answer.headers.get('Content-Type')?.startsWith(STREAM_TYPE) ?? false;
}

/**
 * The work's answer, streamed as lines from its first progress on. Work that settles before gets a plain response, so a
 * bad request keeps its status.
 *
 * @param abandon  called when the reader goes away
 */
export async function respondStreaming<Value>(work: Work<Value>, abandon: () => void): Promise<Response> {
  const lines = new TransformStream<string, string>(undefined, undefined, { highWaterMark: Infinity });
  const writer = lines.writable.getWriter();
  const write = (line: string) => void writer.write(`${line}\n`).catch(abandon);
  let begun: (value: null) => void;
  const firstProgress = new Promise<null>((resolve) => (begun = resolve));
  const result = work((progress) => {
    write(JSON.stringify({ progress } satisfies StreamLine<Value>));
    begun(null);
  });
  const early = await Promise.race([result, firstProgress]);
  if (early) return respond(early);
  void result.then(
    async (settled) => {
      write(await lastLine(settled));
      await writer.close();
    },
    (reason: unknown) => writer.abort(reason),
  );
  return new Response(lines.readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': STREAM_TYPE },
  });
}

async function lastLine<Value>(result: Result<Value>): Promise<string> {
  if (result.ok) return `{"response":${await jsonText(result.value)}}`;
  const failure = { status: STATUS[result.failure.code], ...bodyOf(result.failure) };
  return JSON.stringify({ failure } satisfies StreamLine<Value>);
}
