import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ScoreView } from './influence.ts';

/** The selection by pointer, keyboard or click; shared by heat map, bars and matrix. */
interface SelectionState {
  /** Section under the pointer or the keyboard's focus. */
  readonly hovered: string | null;
  readonly pinned: string | null;
  readonly view: ScoreView;
  readonly hoveredView: ScoreView | null;
  hover(id: string | null): void;
  /** Pins a section; pinning it again unpins it. */
  pin(id: string): void;
  release(): void;
  choose(view: ScoreView): void;
  hoverView(view: ScoreView | null): void;
}

/** An empty selection: the whole target, no section. */
export function createSelectionStore(): StoreApi<SelectionState> {
  return createStore<SelectionState>((set) => ({
    hovered: null,
    pinned: null,
    view: 'whole',
    hoveredView: null,
    hover: (hovered) => set((state) => (state.hovered === hovered ? state : { hovered })),
    pin: (id) => set(({ pinned }) => ({ pinned: pinned === id ? null : id })),
    release: () => set({ pinned: null }),
    choose: (view) => set({ view, hoveredView: null }),
    hoverView: (hoveredView) => set((state) => (state.hoveredView === hoveredView ? state : { hoveredView })),
  }));
}

/** The section that is highlighted now. */
export function activeIn({ hovered, pinned }: SelectionState): string | null {
  return hovered ?? pinned;
}

/** The view that is shown now. */
export function shownViewIn({ hoveredView, view }: SelectionState): ScoreView {
  return hoveredView ?? view;
}
