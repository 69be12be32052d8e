import { describe, expect, it } from 'vitest';
import { activeIn, createSelectionStore, shownViewIn } from '../../../src/explanations/selection-store.ts';

describe('selection store', () => {
  it('shows what is hovered, else what is pinned', () => {
    const store = createSelectionStore();
    store.getState().pin('a');
    expect(activeIn(store.getState())).toBe('a');
    store.getState().hover('b');
    expect(activeIn(store.getState())).toBe('b');
    store.getState().hover(null);
    expect(activeIn(store.getState())).toBe('a');
  });

  it('lets go of a section that is pinned again', () => {
    const store = createSelectionStore();
    store.getState().pin('a');
    store.getState().pin('a');
    expect(activeIn(store.getState())).toBeNull();
    store.getState().pin('a');
    store.getState().release();
    expect(activeIn(store.getState())).toBeNull();
  });

  it('previews a view and returns to the chosen one', () => {
    const store = createSelectionStore();
    store.getState().hoverView(1);
    expect(shownViewIn(store.getState())).toBe(1);
    store.getState().hoverView(null);
    expect(shownViewIn(store.getState())).toBe('whole');
    store.getState().hoverView(0);
    store.getState().choose(2);
    expect(shownViewIn(store.getState())).toBe(2);
  });

  it('tells nobody when the pointer moves within one section', () => {
    const store = createSelectionStore();
    let calls = 0;
    store.subscribe(() => calls++);
    store.getState().hover('a');
    store.getState().hover('a');
    expect(calls).toBe(1);
  });
});
