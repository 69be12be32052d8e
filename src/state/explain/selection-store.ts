import { createStore, type StoreApi } from 'zustand/vanilla';
import type { View } from './influence.ts';

/** What the pointer, the keyboard or a click has selected; shared by heat map, bars and matrix. */
export interface SelectionState {
  /** Section under the pointer or the keyboard's focus. */
  readonly hovered: string | null;
  /** Section that stays picked. */
  readonly pinned: string | null;
  readonly view: View;
  /** View under the pointer. */
  readonly hoveredView: View | null;
  hover(id: string | null): void;
  /** Pins a section; pinning it again unpins it. */
  pin(id: string): void;
  /** Unpins the pinned section. */
  release(): void;
  choose(view: View): void;
  hoverView(view: View | null): void;
}
export type SelectionStore = StoreApi<SelectionState>;

/** A selection of nothing: the whole target, no section. */
export function createSelectionStore(): SelectionStore {
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
export function shownViewIn({ hoveredView, view }: SelectionState): View {
  return hoveredView ?? view;
}
