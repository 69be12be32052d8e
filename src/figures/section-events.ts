/** What an event of the page and one of React have in common. */
type SectionEvent = Pick<Event, 'target' | 'currentTarget' | 'preventDefault'>;

/** What pointer and keyboard do to sections. */
interface SectionActions {
  /** A section is under the pointer or has the focus; null: none any more. */
  hover(id: string | null): void;
  /** A section was clicked, or Enter or the space bar was pressed on it. */
  choose(id: string): void;
  /** Escape was pressed on a section. */
  release(): void;
  /** A section has got the focus, so that the Tab key comes back to it. */
  reach(id: string): void;
}

/**
 * Handles the events of an element around sections, each of which has `data-section`. Arrow keys move the focus between
 * sections.
 */
export function sectionEvents({ hover, choose, release, reach }: SectionActions) {
  return {
    onPointerOver: (event: SectionEvent) => hover(idOf(sectionAt(event.target))),
    onPointerLeave: () => hover(null),
    onFocus: (event: SectionEvent) => {
      const id = idOf(sectionAt(event.target));
      if (id === null) return;
      hover(id);
      reach(id);
    },
    onBlur: () => hover(null),
    onClick: (event: SectionEvent) => {
      const id = idOf(sectionAt(event.target));
      if (id !== null) choose(id);
    },
    onKeyDown: (event: SectionEvent & Pick<KeyboardEvent, 'key'>) => {
      const from = sectionAt(event.target);
      if (!from || from !== event.target) return;
      if (event.key === 'Escape') release();
      else if (event.key === 'Enter' || event.key === ' ') choose(from.dataset['section'] ?? '');
      else if (!moveFocus(from, event)) return;
      event.preventDefault();
    },
  };
}

/** False for a key that does not move the focus. */
function moveFocus(from: Element, { currentTarget, key }: SectionEvent & Pick<KeyboardEvent, 'key'>): boolean {
  if (!(currentTarget instanceof Element)) return false;
  const to = neighbour(from, [...currentTarget.querySelectorAll('[data-section]')], key);
  if (isSection(to)) to.focus();
  return to !== null;
}

type SectionElement = HTMLElement | SVGElement;

function sectionAt(target: EventTarget | null): SectionElement | null {
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
function neighbour(from: Element, among: readonly Element[], key: string): Element | null {
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

/** The element of the next line below (1) or above (-1) that is nearest sideways; elements beyond that line are not measured. */
function nearestOnLine(from: Element, among: readonly Element[], direction: 1 | -1): Element | null {
  const at = among.indexOf(from);
  const here = firstBox(from);
  let best: { element: Element; line: number; distance: number } | null = null;
  for (const element of direction === 1 ? among.slice(at + 1) : among.slice(0, at).toReversed()) {
    const box = firstBox(element);
    const line = Math.round(((box.top - here.top) * direction) / Math.max(1, here.height));
    if (line < 1) continue;
    if (best && line > best.line) break;
    const distance = Math.abs(box.left - here.left);
    if (!best || distance < best.distance) best = { element, line, distance };
  }
  return best?.element ?? null;
}

function firstBox(element: Element): DOMRect {
  return element.getClientRects()[0] ?? element.getBoundingClientRect();
}
