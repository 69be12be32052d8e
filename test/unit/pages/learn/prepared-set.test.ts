import { describe, expect, it } from 'vitest';
import { hashOfValue } from '../../../../src/stores/hash-value.ts';
import { EXAMPLE_IDS } from '../../../../src/pages/learn/example-ids.ts';
import { CLASS_EXAMPLES } from '../../../../src/pages/learn/class-examples.ts';
import {
  CLASS_PREFIX,
  createLearnStore,
  hashOfSet,
  type PreparedSet,
  readSet,
  setInHash,
  sharedSetOf,
  takeClassLink,
} from '../../../../src/pages/learn/learn-store.ts';
import type { LearnSource } from '../../../../src/pages/learn/lesson-stores.ts';
import { createFakeMemory } from '../../../support/fakes/fake-memory.ts';

const SET: PreparedSet = {
  title: 'Klasse 9b – Wörter',
  examples: ['copy', 'knowledge'],
  own: [{ prompt: 'The sky over Köln was', target: ' grey' }],
};

describe('a link to a prepared set', () => {
  it('brings back what was agreed', () => {
    expect(setInHash(hashOfSet(sharedSetOf(SET, { text: true })))).toEqual(SET);
    expect(hashOfSet(SET)).toMatch(/^#class=[\w-]+$/);
  });

  it('holds no text that the sender has not agreed to', () => {
    const shared = sharedSetOf(SET, { text: false });
    expect(shared).toEqual({ title: '', examples: SET.examples, own: [] });
    expect(JSON.stringify(setInHash(hashOfSet(shared)))).not.toMatch(/Köln|Klasse/);
  });

  it.each([
    ['cut short', hashOfSet(SET).slice(0, -9)],
    ['another prefix', hashOfSet(SET).replace('#class=', '#question=')],
    ['no value', '#class='],
    ['another version', hashOfValue(CLASS_PREFIX, { version: 2, ...SET })],
    ['nothing in it', hashOfValue(CLASS_PREFIX, { version: 1, title: '', examples: [], own: [] })],
    ['unknown examples only', hashOfValue(CLASS_PREFIX, { version: 1, title: '', examples: ['x'], own: [] })],
    ['a question without a target', hashOfValue(CLASS_PREFIX, { version: 1, ...SET, own: [{ prompt: 'a' }] })],
    ['a title that is no text', hashOfValue(CLASS_PREFIX, { version: 1, ...SET, title: 7 })],
    ['more than a link holds', hashOfValue(CLASS_PREFIX, { version: 1, ...SET, title: 'x'.repeat(8001) })],
  ])('is refused: %s', (_, hash) => expect(setInHash(hash)).toBeNull());

  it('leaves out what it does not know', () => {
    const value = { ...SET, examples: ['knowledge', 'x', 'copy', 'copy'], more: 1, own: [{ ...SET.own[0], more: 1 }] };
    expect(readSet(value)).toEqual(SET);
  });
});

describe('takeClassLink', () => {
  it('leads to the page of the set, once for each address', () => {
    const location = { hash: hashOfSet(SET), replace: (hash: string | URL) => void (location.hash = String(hash)) };
    const page = { location };
    expect(takeClassLink(page)).toBe(hashOfSet(SET));
    expect(location.hash).toBe('#/learn/set');
    expect(takeClassLink(page)).toBeNull();
    location.hash = '#class=eyJ';
    expect(takeClassLink(page)).toBe('#class=eyJ');
    expect(location.hash).toBe('#/learn/set');
  });
});

describe('createLearnStore', () => {
  const source = {} as LearnSource; // never asked here
  it('opens a set, which stays after a reload, and says what cannot be read', () => {
    const memory = createFakeMemory();
    const { open } = createLearnStore(source, memory).getState();
    open(hashOfSet(SET));
    const again = createLearnStore(source, memory);
    expect(again.getState().prepared).toEqual(SET);
    again.getState().open('#class=eyJ');
    expect(again.getState()).toMatchObject({ isLinkUnreadable: true, prepared: SET });
  });
});

describe('the twelve examples', () => {
  it('have names', () => {
    expect(EXAMPLE_IDS).toHaveLength(12);
    expect(CLASS_EXAMPLES.rival.target).toBe(' Prague');
  });
});
