import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENTRIES, type FetchPlan } from '../../../../src/protocol/download-tasks.ts';
import {
  doneOfFiles,
  downloadSegments,
  fetchModel,
  isWhole,
  openJournal,
  problemOfFile,
} from '../../../../workers/downloads/fetch-model.ts';
import { retryWithBackoff } from '../../../../workers/downloads/fetch-range.ts';
import { ProblemError } from '../../../../workers/downloads/hub.ts';
import { type OpenFile, openModelFolder, withCheckedWrites } from '../../../../workers/downloads/model-folder.ts';
import { createDownloadTasks } from '../../../../workers/downloads/tasks.ts';

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

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A private file system in memory; `paths` lists its files by their last name. */
function stubFiles() {
  const files = new Map<string, OpenFile>();
  const textOf = (file: OpenFile) => {
    const bytes = new Uint8Array(file.getSize());
    file.read(bytes, { at: 0 });
    return new TextDecoder().decode(bytes);
  };
  const folderAt = (path: string): object => ({
    getDirectoryHandle: async (name: string) => folderAt(`${path}${name}/`),
    async getFileHandle(name: string, { create = false } = {}) {
      const file = files.get(path + name) ?? (create ? fileOf() : undefined);
      if (!file) throw new DOMException('', 'NotFoundError');
      files.set(path + name, file);
      return { createSyncAccessHandle: async () => file, getFile: async () => new Blob([textOf(file)]) };
    },
    async removeEntry(name: string) {
      const gone = [...files.keys()].filter((each) => each === path + name || each.startsWith(`${path}${name}/`));
      if (gone.length === 0) throw new DOMException('', 'NotFoundError');
      for (const each of gone) files.delete(each);
    },
  });
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => folderAt('') } });
  return { names: () => [...files.keys()].map((path) => path.split('/').at(-1)) };
}

describe('a folder of the private file system', () => {
  const content = 'new';
  const sha256 = createHash('sha256').update(content).digest('hex');
  const from = { hub: 'https://hub', id: 'o/m', revision: 'main', commit: 'b', subfolder: '', licence: null };
  const file = { path: 'config.json', url: 'https://hub/config.json', bytes: 3, sha256, gitHash: null };
  const plan: FetchPlan = { name: 'o/m', from, files: [file] };
  const stored = async () => (await openModelFolder('o/m')).finish({ name: 'o/m', files: {}, from: null, keptAt: 1 });
  const answer = async () =>
    new Response(content, { status: 206, headers: { 'Content-Range': 'bytes 0-2/3', 'Content-Length': '3' } });
  const controlled = () => {
    const controller = new AbortController();
    const phases: string[] = [];
    const progress = ({ phase }: { readonly phase: string }) => void phases.push(phase);
    return { controller, phases, context: { signal: controller.signal, progress, pause: async () => undefined } };
  };

  it('lists no model while another one replaces its files by a download', async () => {
    const { names } = stubFiles();
    await stored();
    expect(names()).toContain(ENTRIES.record);
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    await expect(fetchModel({ plan, token: null }, controlled().context)).rejects.toThrow('config.json');
    expect(names()).not.toContain(ENTRIES.record);
    vi.stubGlobal('fetch', answer);
    await fetchModel({ plan, token: null }, controlled().context);
    expect(names()).toContain(ENTRIES.record);
  });

  it('lists no model while a folder of the device replaces its files', async () => {
    const { names } = stubFiles();
    await stored();
    const during: unknown[] = [];
    const progress = () => void during.push(...names());
    const { signal } = new AbortController();
    const context = { signal, listens: true, progress, checkpoint: async () => undefined };
    await createDownloadTasks(() => undefined).keep(
      { name: 'o/m', held: { 'config.json': new Blob(['{}']) } },
      context,
    );
    expect(during).toContain('config.json');
    expect(during).not.toContain(ENTRIES.record);
    expect(names()).toContain(ENTRIES.record);
  });

  it('stays without a model where the download is cancelled while it is checked', async () => {
    const { names } = stubFiles();
    vi.stubGlobal('fetch', answer);
    const { controller, phases, context } = controlled();
    const pause = async () => controller.abort();
    await expect(fetchModel({ plan, token: null }, { ...context, pause })).rejects.toThrow('abort');
    expect(phases.at(-1)).toBe('checking');
    expect(names()).toEqual(expect.arrayContaining([ENTRIES.plan, ENTRIES.journal]));
    expect(names()).not.toContain(ENTRIES.record);
  });
});
