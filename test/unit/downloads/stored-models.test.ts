import { expect, it } from 'vitest';
import { createModelStorage } from '../../../src/downloads/downloads.ts';
import { ENTRIES, entryName, STORED_MODELS_FOLDER } from '../../../src/protocol/download-tasks.ts';

type Tree = { [name: string]: Tree | Blob };

const missing = () => new DOMException('', 'NotFoundError');

/** A private file system in memory. */
function folderOf(tree: Tree): FileSystemDirectoryHandle {
  const handleOf = (entry: Tree | Blob) =>
    entry instanceof Blob ? { kind: 'file', getFile: async () => entry } : folderOf(entry);
  const get = async (name: string) => {
    const entry = tree[name];
    if (entry === undefined) throw missing();
    return handleOf(entry);
  };
  return {
    kind: 'directory',
    getDirectoryHandle: get,
    getFileHandle: get,
    async *entries() {
      for (const [name, entry] of Object.entries(tree)) yield [name, handleOf(entry)];
    },
    async removeEntry(name: string) {
      if (!(name in tree)) throw missing();
      delete tree[name];
    },
  } as unknown as FileSystemDirectoryHandle;
}

const storageOf = (tree: Tree) =>
  createModelStorage({
    storage: { getDirectory: async () => folderOf(tree) } as unknown as StorageManager,
    locks: {} as LockManager, // never requested here
  });
const json = (value: unknown) => new Blob([JSON.stringify(value)]);

const plan = { name: 'o/begun', from: { hub: 'https://hub' }, files: [] };
const record = { name: 'o/kept', files: { 'config.json': 2 }, from: null, keptAt: 1 };

const full = (): Tree => ({
  [STORED_MODELS_FOLDER]: {
    [entryName('o/kept')]: { [ENTRIES.record]: json(record), [ENTRIES.files]: { 'config.json': new Blob(['{}']) } },
    [entryName('o/begun')]: {
      [ENTRIES.plan]: json({ ...plan, tags: [['https://hub/a', '"1"']] }),
      [ENTRIES.journal]: new Blob([Uint32Array.of(5, 0, 7)]),
    },
    [entryName('o/damaged')]: { [ENTRIES.record]: new Blob(['{']) },
    'not/ours%': {},
  },
});

it('lists what is kept and what was begun, and leaves out what is damaged or not ours', async () => {
  expect(await storageOf(full()).list()).toEqual({ complete: [record], partial: [{ plan, done: 12 }] });
  expect(await storageOf({}).list()).toEqual({ complete: [], partial: [] });
});

it('opens the files of a model, and names one that is cut short', async () => {
  const held = await storageOf(full()).open(record);
  expect(await held['config.json']?.text()).toBe('{}');
  const longer = { ...record, files: { 'config.json': 3 } };
  await expect(storageOf(full()).open(longer)).rejects.toThrow('o/kept: config.json: expected 3 bytes, got 2');
});

it('removes a model, also one that is gone', async () => {
  const tree = full();
  await storageOf(tree).remove('o/kept');
  await storageOf(tree).remove('o/kept');
  expect((await storageOf(tree).list()).complete).toEqual([]);
});
