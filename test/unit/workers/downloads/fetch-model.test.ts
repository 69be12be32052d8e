import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  doneOfFiles,
  downloadSegments,
  isWhole,
  openJournal,
  problemOfFile,
} from '../../../../workers/downloads/fetch-model.ts';
import { retryWithBackoff } from '../../../../workers/downloads/fetch-range.ts';
import { ProblemError } from '../../../../workers/downloads/hub.ts';
import { type OpenFile, withCheckedWrites } from '../../../../workers/downloads/model-folder.ts';

/** A file in memory. */
function fileOf(content = new Uint8Array(0)): OpenFile {
  let bytes = content;
  return {
    getSize: () => bytes.length,
    truncate: (size) => void (bytes = bytes.slice(0, size)),
    read(into, { at }) {
      const part = bytes.subarray(at, at + into.byteLength);
      into.set(part);
      return part.length;
    },
    write(from, { at }) {
      const larger = new Uint8Array(Math.max(bytes.length, at + from.byteLength));
      larger.set(bytes);
      larger.set(from, at);
      bytes = larger;
      return from.byteLength;
    },
    flush: () => undefined,
    close: () => undefined,
  };
}

describe('downloadSegments', () => {
  it('divides files into segments, the last one shorter, an empty file into one', () => {
    const segments = downloadSegments([10, 0, 4], 4);
    expect(segments.map(({ file, start, end }) => [file, start, end])).toEqual([
      [0, 0, 4],
      [0, 4, 8],
      [0, 8, 10],
      [1, 0, 0],
      [2, 0, 4],
    ]);
    expect(segments.map(isWhole)).toEqual([false, false, false, true, false]);
    for (const segment of segments) segment.done = segment.file === 0 ? 2 : 0;
    expect(doneOfFiles(segments, 3)).toEqual([6, 0, 0]);
  });
});

describe('openJournal', () => {
  it('remembers what has come; one of another plan, or with more than there can be, promises nothing', () => {
    const file = fileOf();
    const segments = downloadSegments([8], 4);
    const journal = openJournal(file, segments);
    Object.assign(segments[1] ?? {}, { done: 3 });
    journal.record(1);
    const again = downloadSegments([8], 4);
    openJournal(file, again);
    expect(again.map(({ done }) => done)).toEqual([0, 3]);
    const smaller = downloadSegments([6], 4);
    openJournal(file, smaller);
    expect(smaller.map(({ done }) => done)).toEqual([0, 0]);
    const longer = downloadSegments([12], 4);
    openJournal(file, longer);
    expect(longer.map(({ done }) => done)).toEqual([0, 0, 0]);
  });
});

describe('withCheckedWrites', () => {
  it('says what has come to lie in a file, whatever its write says', () => {
    const full = fileOf(new Uint8Array(6));
    const file = withCheckedWrites({ ...full, write: (from) => from.byteLength }); // as where the room is used up
    expect(file.write(new Uint8Array(4), { at: 2 })).toBe(4);
    expect(file.write(new Uint8Array(4), { at: 4 })).toBe(2);
    expect(file.write(new Uint8Array(4), { at: 9 })).toBe(0);
    expect(withCheckedWrites(full).write(new Uint8Array(4), { at: 4 })).toBe(4);
    expect(full.getSize()).toBe(8);
  });
});

describe('problemOfFile', () => {
  const content = new TextEncoder().encode('{"a": 1}\n');
  const bytes = content.length;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const gitHash = createHash('sha1').update(`blob ${bytes}\0`).update(content).digest('hex');
  const file = { path: 'config.json', url: 'https://hub/config.json', bytes };
  const pause = () => Promise.resolve();

  it.each([
    ['the SHA-256 of a large file', { sha256, gitHash: null }],
    ['what git names a small one by', { sha256: null, gitHash }],
    ['the size alone where the hub says no more', { sha256: null, gitHash: null }],
  ])('compares %s', async (_, hashes) =>
    expect(await problemOfFile({ ...file, ...hashes }, fileOf(content), pause)).toBeNull(),
  );

  it('names a wrong byte and a wrong size', async () => {
    const wrong = Uint8Array.from(content).fill(0, 0, 1);
    for (const hashes of [
      { sha256, gitHash: null },
      { sha256: null, gitHash },
    ])
      expect(await problemOfFile({ ...file, ...hashes }, fileOf(wrong), pause)).toMatch(
        /^expected 9 bytes with the hash/,
      );
    const cut = fileOf(content.slice(0, 4));
    expect(await problemOfFile({ ...file, sha256, gitHash }, cut, pause)).toBe('expected 9 bytes, got 4');
  });
});

describe('retryWithBackoff', () => {
  const { signal } = new AbortController();

  it('waits as long as the hub asks, and twice as long each time where it does not', async () => {
    const errors = [
      new ProblemError('busy', '429', 7),
      new ProblemError('unreachable', 'cut'),
      new ProblemError('unreachable', 'cut'),
    ];
    const waits: number[] = [];
    const attempt = async () => {
      const error = errors.shift();
      if (error) throw error;
    };
    const wait = async (ms: number) => void waits.push(ms);
    await retryWithBackoff(attempt, { signal, wait, progress: () => 0, onWait: () => undefined });
    expect(waits).toEqual([7, 2000, 4000]);
  });

  it('gives up after five failed attempts, never while something comes, and at once where waiting cannot help', async () => {
    let attempts = 0;
    const cut = () => (attempts++, Promise.reject(new ProblemError('unreachable', 'cut')));
    const options = { signal, wait: () => Promise.resolve(), onWait: () => undefined };
    await expect(retryWithBackoff(cut, { ...options, progress: () => 0 })).rejects.toThrow('cut');
    expect(attempts).toBe(5);
    attempts = 0;
    const slowly = () => (attempts < 20 ? cut() : Promise.resolve());
    await retryWithBackoff(slowly, { ...options, progress: () => attempts });
    expect(attempts).toBe(20);
    attempts = 0;
    const wrong = () => (attempts++, Promise.reject(new ProblemError('wrong', 'other bytes')));
    await expect(retryWithBackoff(wrong, { ...options, progress: () => 0 })).rejects.toThrow('other bytes');
    expect(attempts).toBe(1);
  });
});
