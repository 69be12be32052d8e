import { useCallback, useMemo, useState } from 'react';
import type { LinkedElement, SelectedSection } from './elements/linked-element.ts';
import { useStores } from '../stores/use-stores.ts';
import { sectionEvents } from './section-events.ts';

/**
 * Links heat map, bars and matrix: each section's element has `data-section`, the element around them has the props `links`.
 * Pointer and focus highlight the section everywhere, a click or Enter pins it, Escape unpins it, arrow keys move between
 * sections. `stop` is the one section that the Tab key reaches, null before the first focus; `reach` sets it.
 *
 * @param choose  what a click or Enter does instead of pinning the section
 */
export function useSectionLinks(choose?: (id: string) => void) {
  const { selection } = useStores();
  const [stop, setStop] = useState<string | null>(null);
  const links = useMemo(() => {
    const { hover, pin, release } = selection.getState();
    return sectionEvents({ hover, choose: choose ?? pin, release, reach: setStop });
  }, [selection, choose]);
  return { stop, reach: setStop, links };
}

/** The ref of a heat map, bars or a matrix that are elements of their own: they follow the selection, and change it. */
export function useLinkedElement() {
  const { selection } = useStores();
  return useCallback(
    (element: LinkedElement | null) => {
      if (!element) return undefined;
      const { hover, pin, release } = selection.getState();
      const follow = () => {
        const { hovered, pinned } = selection.getState();
        Object.assign(element, { hovered, pinned });
      };
      const detailOf = (event: Event) => (event as CustomEvent<SelectedSection | null>).detail;
      const onHover = (event: Event) => hover(detailOf(event)?.id ?? null);
      const onSelect = (event: Event) => {
        const section = detailOf(event);
        if (!section) release();
        else if (section.id !== selection.getState().pinned) pin(section.id);
      };
      follow();
      element.addEventListener('lightwell-hover', onHover);
      element.addEventListener('lightwell-select', onSelect);
      const stop = selection.subscribe(follow);
      return () => {
        stop();
        element.removeEventListener('lightwell-hover', onHover);
        element.removeEventListener('lightwell-select', onSelect);
      };
    },
    [selection],
  );
}
