import { describe, expect, it } from 'vitest';
import { createPageStore, hashOfPage, pageIn, PAGES } from '../../../../src/state/page-store.ts';

describe('pageIn', () => {
  it('reads back the address of every page', () => {
    for (const page of PAGES) expect(pageIn(hashOfPage(page))).toBe(page);
  });

  it.each(['', '#', '#/', '#/nowhere', '#question=abc', '#settings'])('takes %o for the first page', (hash) => {
    expect(pageIn(hash)).toBe('explain');
  });
});

describe('createPageStore', () => {
  it('follows the address', () => {
    const location = { hash: '' };
    let changed = () => undefined as void;
    const store = createPageStore({ location, addEventListener: (_, listener) => void (changed = listener) });
    expect(store.getState().page).toBe('explain');
    location.hash = '#/settings';
    changed();
    expect(store.getState().page).toBe('settings');
  });
});
