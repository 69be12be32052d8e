import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWholeFiles, downloadSegments } from '../../../../workers/downloads/fetch-model.ts';
import { ChangedError, fetchRange, type WholeBody } from '../../../../workers/downloads/fetch-range.ts';

const CONTENT = Uint8Array.from({ length: 100 }, (_, i) => i);
const FILE = {
  path: 'onnx/model.onnx',
  url: 'https://hub/model.onnx?signed=1',
  bytes: 100,
  sha256: null,
  gitHash: null,
};

interface Asked {
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly token: string | null;
}

/** A host whose answers are given in turn, the last one for ever. */
function hostWith(...answers: readonly ((asked: Asked) => Response | Promise<Response>)[]) {
  const asked: Asked[] = [];
  const fetchFake = async (_: unknown, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const one = { range: headers.get('Range'), ifRange: headers.get('If-Range'), token: headers.get('Authorization') };
    asked.push(one);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (!answer) throw new TypeError('no answer');
    return answer(one);
  };
  vi.stubGlobal('fetch', fetchFake);
  return asked;
}

/** What a host that knows ranges answers. */
function part({ range }: Asked, headers: Readonly<Record<string, string>> = {}): Response {
  const [, first = '0', last = '99'] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const body = CONTENT.slice(Number(first), Number(last) + 1);
  return new Response(body, { status: 206, headers: { 'Content-Range': `bytes ${first}-${last}/100`, ...headers } });
}

/** Fetches the missing bytes of a segment from 20 to 60. */
function fetchSegment({ done: first = 0 } = {}, tags = new Map<string, string>()) {
  const got: number[] = [];
  const options = { token: null, signal: new AbortController().signal, tags };
  const onBytes = (bytes: Uint8Array) => void got.push(...bytes);
  const whole: WholeBody[] = [];
  const onWhole = async (body: WholeBody) => void whole.push(body);
  const done = fetchRange(FILE, [20 + first, 60], { ...options, onBytes, onWhole });
  return { got, done, tags, whole };
}

const bytes = (from: number, to: number) => [...CONTENT.subarray(from, to)];

describe('a range of a file', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is asked for from where it was broken off, and no further than it goes', async () => {
    const asked = hostWith((one) => part(one, { ETag: '"a"' }));
    const { got, done, tags } = fetchSegment({ done: 15 });
    await done;
    expect(asked).toEqual([{ range: 'bytes=35-59', ifRange: null, token: null }]);
    expect(got).toEqual(bytes(35, 60));
    expect(tags.get(FILE.url)).toBe('"a"');
  });

  it('comes with the whole file where a host sends no parts', async () => {
    hostWith(() => new Response(CONTENT));
    const { got, done, whole } = fetchSegment({ done: 5 });
    await done;
    expect(got).toEqual([]);
    const read: number[] = [];
    await whole[0]?.read((piece, at) => {
      expect(at).toBe(read.length);
      read.push(...piece);
    });
    expect(read).toEqual(bytes(0, 100));
  });

  it('is of the same file as what has come: If-Range says so, and a weak tag promises nothing', async () => {
    const asked = hostWith((one) => part(one, { ETag: '"a"' }));
    await fetchSegment({}, new Map([[FILE.url, '"a"']])).done;
    expect(asked[0]?.ifRange).toBe('"a"');
    hostWith((one) => part(one, { ETag: 'W/"b"' }));
    const { done, tags } = fetchSegment();
    await done;
    expect(tags.size).toBe(0);
  });

  it('is refused where the file has changed', async () => {
    hostWith((one) => part(one, { ETag: '"b"' }));
    const { done, got } = fetchSegment({}, new Map([[FILE.url, '"a"']]));
    await expect(done).rejects.toBeInstanceOf(ChangedError);
    await expect(done).rejects.toThrow('https://hub/model.onnx has changed since a part of it was fetched');
    expect(got).toEqual([]);
  });

  it('is asked for without If-Range where a host forbids that header', async () => {
    const asked = hostWith(
      () => Promise.reject(new TypeError('Failed to fetch')),
      (one) => part(one, { ETag: '"a"' }),
    );
    const { got, done } = fetchSegment({}, new Map([[FILE.url, '"a"']]));
    await done;
    expect(asked.map(({ ifRange }) => ifRange)).toEqual(['"a"', null]);
    expect(got).toEqual(bytes(20, 60));
    hostWith(
      () => Promise.reject(new TypeError('Failed to fetch')),
      (one) => part(one, { ETag: '"b"' }),
    );
    await expect(fetchSegment({}, new Map([[FILE.url, '"a"']])).done).rejects.toBeInstanceOf(ChangedError);
  });

  it('that is cut keeps what has come, and says at which byte', async () => {
    hostWith(
      () => new Response(CONTENT.slice(20, 30), { status: 206, headers: { 'Content-Range': 'bytes 20-59/100' } }),
    );
    const { got, done } = fetchSegment();
    await expect(done).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/cut at byte 30$/),
    });
    expect(got).toEqual(bytes(20, 30));
  });

  it('that stalls keeps what has come, and is unreachable', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async (_: unknown, { signal }: RequestInit) => {
      const begin = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(CONTENT.slice(20, 30));
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      };
      const headers = { 'Content-Range': 'bytes 20-59/100' };
      return new Response(new ReadableStream({ start: begin }), { status: 206, headers });
    });
    const { got, done } = fetchSegment();
    const [refusal] = await Promise.all([done.catch((error: unknown) => error), vi.runAllTimersAsync()]);
    vi.useRealTimers();
    expect(refusal).toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/^https:\/\/hub\/model\.onnx has sent nothing for \d+ s/),
    });
    expect(got).toEqual(bytes(20, 30));
  });

  it.each([
    ['an HTML page', new Response('<p>', { headers: { 'Content-Type': 'text/html' } }), 'got an HTML page'],
    [
      'a file of another size',
      new Response('abc', { headers: { 'Content-Length': '3' } }),
      'expected 100 bytes, got 3',
    ],
    [
      'another range',
      new Response('abc', { status: 206, headers: { 'Content-Range': 'bytes 0-2/100' } }),
      'got those from 0 of 100',
    ],
    [
      'a range of another file',
      new Response('abc', { status: 206, headers: { 'Content-Range': 'bytes 20-59/99' } }),
      'got those from 20 of 99',
    ],
  ])('is refused where %s comes', async (_, response, message) => {
    hostWith(() => response);
    const { got, done } = fetchSegment();
    await expect(done).rejects.toMatchObject({ kind: 'wrong', message: expect.stringContaining(message) });
    expect(got).toEqual([]);
  });
});

describe('a file that comes whole', () => {
  /** Segments of 40, 40 and 20 bytes after one of another file; some have bytes on disk. */
  function setUp(done: readonly number[]) {
    const segments = downloadSegments([7, 100], 40);
    segments.slice(1).forEach((segment, index) => (segment.done = done[index] ?? 0));
    const got = new Map<number, number[]>();
    const files = createWholeFiles(segments, (index, piece) => {
      got.set(index, [...(got.get(index) ?? []), ...piece]);
      Object.assign(segments[index] ?? {}, { done: (segments[index]?.done ?? 0) + piece.length });
    });
    return { got, files };
  }
  const body = (sizes: readonly number[], cancelled: string[] = []): WholeBody => ({
    cancel: async () => void cancelled.push('cancelled'),
    async read(onPiece) {
      let at = 0;
      for (const size of sizes) {
        await Promise.resolve();
        onPiece(CONTENT.slice(at, at + size), at);
        at += size;
      }
      if (at < 100) throw new Error('cut');
    },
  });

  it('fills what each of its segments lacks, and no other file', async () => {
    const { got, files } = setUp([40, 10, 0]);
    expect(files.any).toBe(false);
    await files.take(1, body([30, 30, 30, 10]));
    expect([...got.keys()]).toEqual([2, 3]);
    expect(got.get(2)).toEqual(bytes(50, 80));
    expect(got.get(3)).toEqual(bytes(80, 100));
    expect(files.any).toBe(true);
  });

  it('comes once: other answers are cancelled and wait for it', async () => {
    const { got, files } = setUp([]);
    const cancelled: string[] = [];
    await Promise.all([files.take(1, body([100])), files.take(1, body([100], cancelled)), files.settled(1)]);
    expect(cancelled).toEqual(['cancelled']);
    expect([...got.values()].flat()).toEqual(bytes(0, 100));
  });

  it('comes again where it was cut, for those that wait too', async () => {
    const { got, files } = setUp([]);
    const [taken, waited] = await Promise.allSettled([files.take(1, body([50])), files.settled(1)]);
    expect([taken?.status, waited?.status]).toEqual(['rejected', 'fulfilled']);
    await files.take(1, body([100]));
    expect([...got.values()].flat()).toEqual(bytes(0, 100));
  });
});
