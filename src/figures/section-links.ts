import { createElement, type ReactNode, useCallback, useMemo, useState } from 'react';
import { createSelectionStore } from '../explanations/selection-store.ts';
import { StoresContext, useStores } from '../stores/use-stores.ts';
import type { LinkedElement, SelectedSection } from './elements/linked-element.ts';
import { listenToSections } from './section-events.ts';

/**
 * Links sections that are drawn by React: each one's element has `data-section`, the element around them the ref. Pointer and
 * focus highlight the section everywhere, a click or Enter chooses it, Escape unpins the pinned one, arrow keys move between
 * sections. `stop` is the one section that the Tab key reaches, null before the first focus.
 */
export function useSectionLinks(choose: (id: string) => void) {
  const { selection } = useStores();
  const [stop, setStop] = useState<string | null>(null);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      const { hover, release } = selection.getState();
      const ended = new AbortController();
      const act = { hover, choose, release, reach: setStop };
      if (element) listenToSections(element, act, ended.signal);
      return () => ended.abort();
    },
    [selection, choose],
  );
  return { stop, ref };
}

/** The ref of a heat map, bars or a matrix: they follow the selection, and change it. */
export function useLinkedElement() {
  const { selection } = useStores();
  return useCallback(
    (element: LinkedElement | null) => {
      if (!element) return undefined;
      const { hover, pin, release, choose, hoverView } = selection.getState();
      const follow = () => {
        const { hovered, pinned } = selection.getState();
        Object.assign(element, { hovered, pinned });
      };
      const ended = new AbortController();
      const { signal } = ended;
      const on = <Detail>(name: string, act: (detail: Detail) => void) =>
        element.addEventListener(name, (event) => act((event as CustomEvent<Detail>).detail), { signal });
      on<SelectedSection | null>('lightwell-hover', (section) => hover(section?.id ?? null));
      on<SelectedSection | null>('lightwell-select', (section) => {
        if (!section) release();
        else if (section.id !== selection.getState().pinned) pin(section.id);
      });
      on<number | null>('lightwell-hover-target', hoverView);
      on<number>('lightwell-select-target', (index) => choose(selection.getState().view === index ? 'whole' : index));
      follow();
      const stop = selection.subscribe(follow);
      return () => {
        stop();
        ended.abort();
      };
    },
    [selection],
  );
}

/** Components whose selection is apart from that of the page: the same section may mean something else here. */
export function SeparateSelection({ children }: { readonly children?: ReactNode }) {
  const stores = useStores();
  const value = useMemo(() => ({ ...stores, selection: createSelectionStore() }), [stores]);
  return createElement(StoresContext, { value }, children);
}
