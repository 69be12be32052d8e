import { describe, expect, it, vi } from 'vitest';
import { createFoldersStore, type FileTree } from '../../../../../src/pages/models/own/folders-store.ts';
import { fakeOwnModels, keptOf } from '../../../../support/hub/own-models.ts';

const tree = (...names: readonly string[]): FileTree =>
  new Map(names.map((name) => [`${name}/config.json`, new Blob(['{}'])])) as unknown as FileTree;

function store() {
  const fake = fakeOwnModels();
  return { ...fake, folders: createFoldersStore(fake.source) };
}

describe('folders of somebody', () => {
  it('are listed with their size, and not kept', async () => {
    const { folders, log } = store();
    const opening = folders.getState().open(Promise.resolve(tree('owner/one', 'owner/two')));
    expect(folders.getState().opening).toEqual({ kind: 'reading' });
    await opening;
    expect(folders.getState().opening).toEqual({ kind: 'done', names: ['owner/one', 'owner/two'] });
    expect(folders.getState().models).toMatchObject([
      { name: 'owner/one', bytes: 2, isStored: false, problem: null },
      { name: 'owner/two', bytes: 2, isStored: false, problem: null },
    ]);
    expect(log).toEqual(['add owner/one', 'add owner/two']);
    expect(folders.getState()).toMatchObject({ space: { used: 0 }, lastUses: { 'owner/one': 5 } });
  });

  it('that hold no model say so, and those that cannot be read say why', async () => {
    const { folders, broken } = store();
    await folders.getState().open(Promise.resolve(new Map() as unknown as FileTree));
    expect(folders.getState().opening).toEqual({ kind: 'nothing' });
    await folders.getState().open(Promise.reject(new Error('the folder is gone')));
    expect(folders.getState().opening).toEqual({ kind: 'failed', message: 'the folder is gone' });
    broken.add('owner/one');
    await folders.getState().open(Promise.resolve(tree('owner/one')));
    expect(folders.getState().opening).toMatchObject({ kind: 'failed' });
    expect(folders.getState().models).toEqual([]);
  });

  it('are copied to the device, and show how far that is', async () => {
    const { folders, tasks } = store();
    await folders.getState().open(Promise.resolve(tree('owner/one')));
    const keeping = folders.getState().save('owner/one');
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    tasks[0]?.options.onProgress?.({ phase: 'fetching', done: 1, total: 2, files: [] });
    expect(folders.getState().models[0]?.copying).toMatchObject({ done: 1, total: 2 });
    tasks[0]?.done();
    await keeping;
    expect(folders.getState().models).toMatchObject([{ isStored: true, copying: null }]);
    await folders.getState().save('nobody');
    expect(tasks).toHaveLength(1);
  });

  it('stay as they were where the device has no room for them', async () => {
    const { folders, tasks } = store();
    await folders.getState().open(Promise.resolve(tree('owner/one')));
    const keeping = folders.getState().save('owner/one');
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    tasks[0]?.failed({ kind: 'space', detail: 'no room for more' });
    await keeping;
    expect(folders.getState().models).toMatchObject([{ isStored: false, copying: null, problem: 'no room for more' }]);
  });

  it('are taken from the list and the device', async () => {
    const { folders, log } = store();
    await folders.getState().open(Promise.resolve(tree('owner/one')));
    await folders.getState().remove('owner/one');
    expect(folders.getState().models).toEqual([]);
    expect(log.slice(1)).toEqual(['delete owner/one', 'remove owner/one']);
  });

  it('that are kept come back, one that cannot be opened with the reason', async () => {
    const { folders, kept, broken, log } = store();
    kept.push(keptOf('owner/one'), keptOf('owner/two'));
    broken.add('owner/two');
    await folders.getState().restore();
    expect(log).toEqual(['add owner/one']);
    expect(folders.getState().models).toMatchObject([
      { name: 'owner/one', isStored: true, problem: null },
      { name: 'owner/two', isStored: true, problem: 'owner/two: a file is not there' },
    ]);
    await folders.getState().restore();
    expect(log).toEqual(['add owner/one']);
    await folders.getState().take('nobody');
    expect(folders.getState().models).toHaveLength(2);
  });
});
