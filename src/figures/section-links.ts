import { createElement, type ReactNode, useCallback, useMemo } from 'react';
import { createSelectionStore } from '../explanations/selection-store.ts';
import { StoresContext, useStores } from '../stores/use-stores.ts';
import type { LinkedElement, SelectedSection } from './elements/linked-element.ts';

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
