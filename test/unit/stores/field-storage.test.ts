import { describe, expect, it } from 'vitest';
import { asIs, createFieldStorage, createPersistentStore } from '../../../src/stores/buffered-storage.ts';
import { createFakeMemory } from '../../support/fakes/fake-memory.ts';

interface Kept {
  readonly text: string | null | undefined;
  readonly picture: { readonly data: string } | null | undefined;
}

function setUp(memory = createFakeMemory()) {
  const storage = createFieldStorage<Kept>(memory, { text: asIs, picture: ({ data }) => data });
  const keep = (state: Kept) => storage.setItem('page', { state });
  return { memory, storage, keep };
}

const PICTURE = { data: 'abc' };

describe('createFieldStorage', () => {
  it('keeps each field under its own key, as its writer says', () => {
    const { memory, storage, keep } = setUp();
    keep({ text: 'a', picture: PICTURE });
    expect(Object.fromEntries(memory.kept)).toEqual({
      'page.text': '{"version":1,"value":"a"}',
      'page.picture': '{"version":1,"value":"abc"}',
    });
    expect(storage.getItem('page')).toEqual({ state: { text: 'a', picture: 'abc' } });
  });

  it('writes only fields that have changed', () => {
    const { memory, keep } = setUp();
    for (const text of ['a', 'ab', 'abc']) keep({ text, picture: PICTURE });
    keep({ text: 'abc', picture: PICTURE });
    expect(memory.writes).toEqual(['page.text', 'page.picture', 'page.text', 'page.text']);
  });

  it('does not write again what it has read', () => {
    const { memory, storage, keep } = setUp(createFakeMemory({ 'page.picture': '{"version":1,"value":"abc"}' }));
    void storage.getItem('page');
    keep({ text: undefined, picture: { data: 'abc' } });
    expect(memory.writes).toEqual([]);
  });

  it('leaves what is stored for undefined, and removes it for null', () => {
    const { memory, keep } = setUp();
    keep({ text: 'a', picture: PICTURE });
    keep({ text: undefined, picture: null });
    expect([...memory.kept.keys()]).toEqual(['page.text']);
  });

  it.each(['{', '5', 'null', '"dark"', '{"value":"a"}', '{"version":0,"value":"a"}', '{"version":1}'])(
    'reads nothing from %s',
    (text) => {
      const { storage } = setUp(createFakeMemory({ 'page.text': text }));
      expect(storage.getItem('page')).toEqual({ state: {} });
    },
  );

  it('forgets all fields', () => {
    const { memory, storage, keep } = setUp();
    keep({ text: 'a', picture: PICTURE });
    void storage.removeItem('page');
    expect(memory.kept.size).toBe(0);
  });
});

describe('createPersistentStore', () => {
  interface State {
    readonly size: number;
    readonly name: string;
  }
  const open = (memory: ReturnType<typeof createFakeMemory>) =>
    createPersistentStore<State, 'size'>(
      'page',
      memory,
      { size: (stored) => (typeof stored === 'number' ? stored : 1) },
      () => ({ size: 2, name: 'first' }),
    );

  it('brings back the fields that have a reader, and no others', () => {
    const memory = createFakeMemory();
    open(memory).setState({ size: 5, name: 'second' });
    expect([...memory.kept.keys()]).toEqual(['page.size']);
    expect(open(memory).getState()).toEqual({ size: 5, name: 'first' });
  });

  it('asks the reader also where nothing is stored, or something else', () => {
    expect(open(createFakeMemory()).getState().size).toBe(1);
    const memory = createFakeMemory();
    memory.setItem('page.size', '{"version":1,"value":"big"}');
    expect(open(memory).getState().size).toBe(1);
  });
});
