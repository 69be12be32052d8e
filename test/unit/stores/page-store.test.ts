import { describe, expect, it } from 'vitest';
import { createPageStore, hashOfCard, hashOfPage, hashOfPart, pageIn, PAGES } from '../../../src/stores/page-store.ts';

describe('pageIn', () => {
  it('reads back the address of every page', () => {
    for (const page of PAGES) expect(pageIn(hashOfPage(page))).toEqual({ page, part: null });
  });

  it('reads back the address of a card, whatever the model is called', () => {
    for (const model of ['lightwell-base', 'owner/näme 1'])
      expect(pageIn(hashOfCard(model))).toEqual({ page: 'models', part: model });
    expect(pageIn('#/models/%E0%A4%A')).toEqual({ page: 'models', part: null });
  });

  it('reads back the address of a lesson', () => {
    expect(pageIn(hashOfPart('learn', 'tokens'))).toEqual({ page: 'learn', part: 'tokens' });
  });

  it.each(['', '#', '#/', '#/nowhere', '#question=abc', '#settings', '#/api/x', '#/models/a/b'])(
    'takes %o for the first page',
    (hash) => expect(pageIn(hash)).toEqual({ page: 'explain', part: null }),
  );
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
