import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useMemo, useState } from 'react';
import { useStores } from '../stores/use-stores.ts';

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
  const links = useMemo(() => linksTo(selection, setStop, choose), [selection, choose]);
  return { stop, reach: setStop, links };
}

function linksTo(
  selection: ReturnType<typeof useStores>['selection'],
  setStop: (id: string) => void,
  choose = selection.getState().pin,
) {
  const { hover, release } = selection.getState();
  return {
    onPointerOver: (event: PointerEvent) => hover(idOf(sectionAt(event.target))),
    onPointerLeave: () => hover(null),
    onFocus: (event: FocusEvent) => {
      const id = idOf(sectionAt(event.target));
      if (id === null) return;
      hover(id);
      setStop(id);
    },
    onBlur: () => hover(null),
    onClick: (event: MouseEvent) => {
      const id = idOf(sectionAt(event.target));
      if (id !== null) choose(id);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const from = sectionAt(event.target);
      if (!from || from !== event.target) return;
      if (event.key === 'Escape') release();
      else if (event.key === 'Enter' || event.key === ' ') choose(from.dataset['section'] ?? '');
      else {
        const to = neighbour(from, [...event.currentTarget.querySelectorAll('[data-section]')], event.key);
        if (to === null) return;
        if (isSection(to)) to.focus();
      }
      event.preventDefault();
    },
  };
}

type SectionElement = HTMLElement | SVGElement;

function sectionAt(target: EventTarget): SectionElement | null {
  const element = target instanceof Element ? target.closest('[data-section]') : null;
  return isSection(element) ? element : null;
}

function isSection(element: Element | null): element is SectionElement {
  return element instanceof HTMLElement || element instanceof SVGElement;
}

function idOf(element: SectionElement | null): string | null {
  return element?.dataset['section'] ?? null;
}

/** Null for a key that does not move the focus. */
function neighbour(from: Element, among: Element[], key: string): Element | null {
  const at = among.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return among[at + 1] ?? from;
    case 'ArrowLeft':
      return among[at - 1] ?? from;
    case 'ArrowDown':
      return nearestOnLine(from, among, 1) ?? from;
    case 'ArrowUp':
      return nearestOnLine(from, among, -1) ?? from;
    case 'Home':
      return among[0] ?? from;
    case 'End':
      return among.at(-1) ?? from;
    default:
      return null;
  }
}

/** The element of the next line below (1) or above (-1) that is nearest sideways. */
function nearestOnLine(from: Element, among: readonly Element[], direction: 1 | -1): Element | null {
  const here = firstBox(from);
  let best: { element: Element; distance: number } | null = null;
  for (const element of among) {
    const box = firstBox(element);
    const lines = ((box.top - here.top) * direction) / Math.max(1, here.height);
    if (lines < 0.5) continue;
    const distance = Math.round(lines) * 1e5 + Math.abs(box.left - here.left);
    if (!best || distance < best.distance) best = { element, distance };
  }
  return best?.element ?? null;
}

function firstBox(element: Element): DOMRect {
  return element.getClientRects()[0] ?? element.getBoundingClientRect();
}
