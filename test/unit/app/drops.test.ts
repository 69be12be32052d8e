import { expect, it } from 'vitest';
import { createPageStore, hashOfPage, type Page } from '../../../src/stores/page-store.ts';
import type { Stores } from '../../../src/app/create-stores.ts';
import { handleDrop } from '../../../src/app/drops.ts';
import { setUpExplain } from '../../support/fakes/fake-explain.ts';

function setUp(page: Page) {
  const { store: explain, state } = setUpExplain();
  const address = { location: { hash: hashOfPage(page) }, addEventListener: () => undefined };
  const stores = { explain, page: createPageStore(address) } as unknown as Stores; // all that a text on these pages needs
  return { state, stores };
}

const note = new File(['Où?\n'], 'note.txt', { type: 'text/plain' });

it('files go to the page that is open', async () => {
  const { state, stores } = setUp('explain');
  expect(await handleDrop([note], stores, [])).toBeNull();
  expect(state().question.prompt).toBe('Où?\n');
});

it('files are refused in words on a page that takes none', async () => {
  const { state, stores } = setUp('settings');
  const before = state().question;
  expect(await handleDrop([note], stores, [])).toBe(
    'This page does not accept files. Drop them on the Explain, Documents, Meaning or Models page.',
  );
  expect(state().question).toEqual(before);
});
