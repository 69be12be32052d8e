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

/** Listens to an element around sections with `data-section`; arrow keys move the focus. @param signal  ends it */
export function listenToSections(
  around: HTMLElement,
  { hover, choose, release, reach }: SectionActions,
  signal?: AbortSignal,
): void {
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
    around.addEventListener(name, act, signal && { signal });
  on('pointerover', ({ target }) => hover(idOf(sectionAt(target))));
  on('pointerleave', () => hover(null));
  on('focusin', ({ target }) => {
    const id = idOf(sectionAt(target));
    if (id === null) return;
    hover(id);
    reach(id);
  });
  on('focusout', () => hover(null));
  on('click', ({ target }) => {
    const id = idOf(sectionAt(target));
    if (id !== null) choose(id);
  });
  on('keydown', (event) => {
    const from = sectionAt(event.target);
    if (!from || from !== event.target) return;
    if (event.key === 'Escape') release();
    else if (event.key === 'Enter' || event.key === ' ') choose(from.dataset['section'] ?? '');
    else if (!moveFocus(from, around, event.key)) return;
    event.preventDefault();
  });
}

/** False for a key that does not move the focus. */
function moveFocus(from: HTMLElement, around: HTMLElement, key: string): boolean {
  const to = neighbour(from, [...around.querySelectorAll<HTMLElement>('[data-section]')], key);
  to?.focus();
  return to !== null;
}

function sectionAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-section]') : null;
}

function idOf(element: HTMLElement | null): string | null {
  return element?.dataset['section'] ?? null;
}

/** Null for a key that does not move the focus. */
function neighbour(from: HTMLElement, among: readonly HTMLElement[], key: string): HTMLElement | null {
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
function nearestOnLine(from: HTMLElement, among: readonly HTMLElement[], direction: 1 | -1): HTMLElement | null {
  const at = among.indexOf(from);
  const here = firstBox(from);
  let best: { element: HTMLElement; line: number; distance: number } | null = null;
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
